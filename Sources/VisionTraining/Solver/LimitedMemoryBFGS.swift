/// Minimises a smooth function of many variables by the quasi-Newton method with limited memory (Nocedal and Wright,
/// "Numerical Optimization", 2006, algorithm 7.5), with a line search for the strong Wolfe conditions.
struct LimitedMemoryBFGS {
    var maximumIterations = 100
    /// The number of steps from which the curvature is estimated.
    var memory = 8
    /// Converged when no derivative is larger.
    var gradientTolerance: Float = 1e-5
    /// Converged when a step decreases the value by less than this fraction.
    var valueTolerance = 1e-7

    struct Result {
        var point: [Float]
        var value: Double
        var iterations: Int
        var evaluations: Int
        /// False when the iteration limit was reached.
        var isConverged: Bool
    }

    private struct Pair {
        let step: [Float]
        let change: [Float]
        /// 1 / (step · change)
        let inverse: Double
    }

    /// - Parameters:
    ///   - start: The initial point.
    ///   - onIteration: Called after each iteration. An error of it ends the search.
    ///   - evaluate: Returns the value at a point, and its derivatives.
    func minimise(
        from start: [Float], onIteration: (_ iteration: Int) throws -> Void = { _ in },
        _ evaluate: (_ point: [Float], _ gradient: inout [Float]) -> Double
    ) rethrows -> Result {
        var point = start
        var gradient = [Float](repeating: 0, count: start.count)
        var value = evaluate(point, &gradient)
        var result = Result(point: point, value: value, iterations: 0, evaluations: 1, isConverged: false)
        var pairs: [Pair] = []
        while result.iterations < maximumIterations {
            if !(Vectors.largestMagnitude(gradient) > gradientTolerance) {
                result.isConverged = true
                break
            }
            var direction = Self.direction(gradient, pairs)
            var slope = Vectors.dot(gradient, direction)
            if !(slope < 0) {
                // Rounding errors have invalidated the curvature: restart with the gradient.
                pairs = []
                direction = Self.direction(gradient, pairs)
                slope = Vectors.dot(gradient, direction)
                guard slope < 0 else { break }
            }
            let first = pairs.isEmpty ? min(1, 1 / Vectors.dot(gradient, gradient).squareRoot()) : 1
            guard
                let next = search(
                    from: point, value, slope, direction, firstStep: first, evaluations: &result.evaluations, evaluate)
            else {
                // No step along a descent direction decreases the value: the precision is exhausted.
                result.isConverged = true
                break
            }
            result.iterations += 1
            let step = Vectors.difference(next.point, point)
            let change = Vectors.difference(next.gradient, gradient)
            let product = Vectors.dot(step, change)
            if product > 1e-12 * Vectors.dot(change, change) {
                if pairs.count == memory { pairs.removeFirst() }
                pairs.append(Pair(step: step, change: change, inverse: 1 / product))
            }
            let gain = value - next.value
            (point, gradient, value) = (next.point, next.gradient, next.value)
            try onIteration(result.iterations)
            if gain <= valueTolerance * max(abs(value), 1e-3) {
                result.isConverged = true
                break
            }
        }
        result.point = point
        result.value = value
        return result
    }

    /// The two-loop recursion.
    private static func direction(_ gradient: [Float], _ pairs: [Pair]) -> [Float] {
        var direction = gradient
        var shares: [Double] = []
        for pair in pairs.reversed() {
            let share = pair.inverse * Vectors.dot(pair.step, direction)
            shares.append(share)
            Vectors.add(-share, pair.change, to: &direction)
        }
        if let last = pairs.last {
            Vectors.scale(&direction, by: 1 / (last.inverse * Vectors.dot(last.change, last.change)))
        }
        for (pair, share) in zip(pairs, shares.reversed()) {
            let other = pair.inverse * Vectors.dot(pair.change, direction)
            Vectors.add(share - other, pair.step, to: &direction)
        }
        Vectors.scale(&direction, by: -1)
        return direction
    }

    private struct LineSearchPoint {
        var step: Double
        var point: [Float]
        var value: Double
        var slope: Double
        var gradient: [Float]
    }

    /// Returns a step that satisfies the strong Wolfe conditions; the best one if none of a few does; nil if none
    /// decreases the value.
    private func search(
        from point: [Float], _ value: Double, _ slope: Double, _ direction: [Float], firstStep: Double,
        evaluations: inout Int, _ evaluate: (_ point: [Float], _ gradient: inout [Float]) -> Double
    ) -> LineSearchPoint? {
        let (decrease, flattening) = (1e-4, 0.9)
        var low = 0.0
        var lowValue = value
        var lowSlope = slope
        var high = Double.infinity
        var step = firstStep
        var best: LineSearchPoint?
        for _ in 0..<12 {
            var trial = point
            Vectors.add(step, direction, to: &trial)
            var gradient = [Float](repeating: 0, count: point.count)
            let trialValue = evaluate(trial, &gradient)
            evaluations += 1
            let candidate = LineSearchPoint(
                step: step, point: trial, value: trialValue, slope: Vectors.dot(gradient, direction), gradient: gradient
            )
            // Not a number: the step is too long.
            let isLower = trialValue <= value + decrease * step * slope && trialValue <= lowValue
            if isLower {
                if trialValue < best?.value ?? value { best = candidate }
                if abs(candidate.slope) <= -flattening * slope { return candidate }
                if candidate.slope > 0 {
                    high = step
                } else {
                    (low, lowValue, lowSlope) = (step, trialValue, candidate.slope)
                }
            } else {
                high = step
            }
            if high.isFinite {
                // The minimum of a parabola through the low end, kept away from the ends.
                let width = high - low
                let rise = (trialValue - lowValue - lowSlope * width) / (width * width)
                let bottom = step == high && rise > 0 && rise.isFinite ? low - lowSlope / (2 * rise) : low + width / 2
                step = min(max(bottom, low + 0.1 * width), high - 0.1 * width)
            } else {
                step *= 4
            }
            if !(step > 0), best != nil { break }
        }
        return best
    }
}
