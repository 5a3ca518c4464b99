import VisionThreads

/// Training samples: a row of features and a class for each.
package struct TrainingSamples: Sendable {
    /// The number of features of a sample.
    package let featureCount: Int
    package private(set) var rows: [Float] = []
    package private(set) var labels: [Int] = []

    package init(featureCount: Int) { self.featureCount = featureCount }

    package mutating func reserve(_ count: Int) {
        rows.reserveCapacity(count * featureCount)
        labels.reserveCapacity(count)
    }

    /// - Precondition: The number of features is that of the other samples.
    package mutating func append(_ features: [Float], label: Int) {
        precondition(features.count == featureCount)
        rows += features
        labels.append(label)
    }

    package var count: Int { labels.count }
}

/// The last layer of a classifier: a weight for each class and feature, and an offset for each class. Probabilities are
/// the softmax of the scores.
package struct LastLayer: Sendable, Equatable {
    package let classCount: Int
    package let featureCount: Int
    /// The weights by class, as bits of half-precision floats, as in files. All metrics are computed with these.
    package let weights: [UInt16]
    package let offsets: [Float]

    package init(classCount: Int, featureCount: Int, weights: [UInt16], offsets: [Float]) {
        precondition(weights.count == classCount * featureCount && offsets.count == classCount)
        self.classCount = classCount
        self.featureCount = featureCount
        self.weights = weights
        self.offsets = offsets
    }
}

/// Trains the last layer of a classifier: multinomial logistic regression with a penalty on the squares of the weights.
///
/// Features are standardised for the solver; the resulting layer takes the original ones. With validation samples, the
/// penalty that predicts them best is chosen, tried from strong to weak.
package struct LastLayerTraining: Sendable {
    /// The maximum number of iterations for each penalty.
    package var maximumIterations = 25
    /// The number of threads. Results do not depend on it.
    package var threads = 1
    /// The candidate penalties, from strong to weak. Features are scaled to a mean square sum of 1, so that penalties
    /// are comparable between networks.
    package var penalties: [Double] = [1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6]
    /// The penalty without validation samples.
    package var standardPenalty = 3e-5
    /// Whether the features are of one kind, so that those with more variance are more informative; otherwise each is
    /// scaled to the same variance.
    package var keepsSpread = false

    package init() {}

    package struct Result: Sendable {
        package let layer: LastLayer
        package let penalty: Double
        package let iterations: Int
        /// The validation results of each penalty; empty without validation samples.
        package let tried: [(penalty: Double, loss: Double, accuracy: Double)]
    }

    /// - Parameters:
    ///   - validation: The samples that choose the penalty; nil or empty for the standard penalty.
    ///   - onIteration: Called after each iteration with the number of iterations. An error of it ends the training.
    package func run(
        _ training: TrainingSamples, validation: TrainingSamples? = nil, classes: Int,
        onIteration: (Int) throws -> Void = { _ in }
    ) throws -> Result {
        precondition(classes > 0 && training.count > 0)
        let scaling = FeatureScaling(training, keepsSpread: keepsSpread)
        return try Workers.with(threads: threads) { workers in
            var objective = SoftmaxObjective(
                rows: scaling.scaled(training), features: training.featureCount, labels: training.labels,
                classes: classes, penalty: standardPenalty, workers: workers)
            let check = validation.flatMap { samples in
                samples.count == 0
                    ? nil
                    : SoftmaxObjective(
                        rows: scaling.scaled(samples), features: samples.featureCount, labels: samples.labels,
                        classes: classes, penalty: 0, workers: workers)
            }
            var solver = LimitedMemoryBFGS()
            solver.maximumIterations = maximumIterations
            var iterations = 0
            func solve(_ penalty: Double, from start: [Float]) throws -> [Float] {
                objective.penalty = penalty
                return try solver.minimise(from: start) { _ in
                    iterations += 1
                    try onIteration(iterations)
                } _: { point, gradient in
                    objective.value(point, gradient: &gradient)
                }.point
            }

            let start = [Float](repeating: 0, count: objective.parameterCount)
            var tried: [(penalty: Double, loss: Double, accuracy: Double)] = []
            var best: (parameters: [Float], penalty: Double, loss: Double)?
            if let check {
                var point = start
                for penalty in penalties {
                    point = try solve(penalty, from: point)
                    let quality = check.quality(point)
                    tried.append((penalty, quality.loss, quality.accuracy))
                    if quality.loss < best?.loss ?? .infinity { best = (point, penalty, quality.loss) }
                    // Two consecutive penalties are worse than the best: weaker ones only overfit.
                    if tried.count > 2, let best, tried.suffix(2).allSatisfy({ $0.loss > best.loss }) { break }
                }
            }
            let chosen = try best ?? (solve(standardPenalty, from: start), standardPenalty, 0)
            return Result(
                layer: scaling.layer(of: chosen.parameters, classes: classes), penalty: chosen.penalty,
                iterations: iterations, tried: tried)
        }
    }
}

/// Standardises features for the solver, and converts its weights back.
struct FeatureScaling {
    let means: [Float]
    let factors: [Float]

    /// The maximum scale factor relative to the median one, so that nearly constant features are not amplified.
    private static let largestBoost: Float = 10

    init(_ samples: TrainingSamples, keepsSpread: Bool) {
        let (count, features) = (samples.count, samples.featureCount)
        var sums = [Double](repeating: 0, count: features)
        var squares = sums
        samples.rows.withUnsafeBufferPointer { rows in
            for row in 0..<count {
                for index in 0..<features { sums[index] += Double(rows[row * features + index]) }
            }
            for index in 0..<features { sums[index] /= Double(count) }
            for row in 0..<count {
                for index in 0..<features {
                    let difference = Double(rows[row * features + index]) - sums[index]
                    squares[index] += difference * difference
                }
            }
        }
        means = sums.map { Float($0) }
        let deviations = squares.map { Float(($0 / Double(count)).squareRoot()) }
        if keepsSpread {
            let sum = squares.reduce(0, +) / Double(count)
            factors = Array(repeating: sum > 0 ? Float(1 / sum.squareRoot()) : 1, count: features)
            return
        }
        let middle = deviations.sorted()[features / 2]
        let floor = max(middle / Self.largestBoost, 1e-6)
        let share = 1 / Float(features).squareRoot()
        factors = deviations.map { share / max($0, floor) }
    }

    func scaled(_ samples: TrainingSamples) -> [Float] {
        let features = samples.featureCount
        var rows = samples.rows
        rows.withUnsafeMutableBufferPointer { rows in
            for row in 0..<samples.count {
                for index in 0..<features {
                    let offset = row * features + index
                    rows[offset] = (rows[offset] - means[index]) * factors[index]
                }
            }
        }
        return rows
    }

    /// Returns the layer that computes from original features what the parameters compute from standardised ones.
    func layer(of parameters: [Float], classes: Int) -> LastLayer {
        let features = means.count
        var weights = [Float](repeating: 0, count: classes * features)
        var offsets = (0..<classes).map { Double(parameters[features * classes + $0]) }
        for index in 0..<features {
            for row in 0..<classes {
                weights[row * features + index] = parameters[index * classes + row] * factors[index]
            }
        }
        let bits = HalfFloats.bits(of: weights)
        for row in 0..<classes {
            for index in 0..<features {
                // With the rounded weights, so that the means cancel.
                offsets[row] -= Double(HalfFloats.value(of: bits[row * features + index])) * Double(means[index])
            }
        }
        return LastLayer(
            classCount: classes, featureCount: features, weights: bits, offsets: offsets.map { Float($0) })
    }
}
