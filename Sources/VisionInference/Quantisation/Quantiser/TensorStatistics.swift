internal import Foundation

/// What the samples showed of a tensor: its extremes, then how its numbers are distributed between them.
struct TensorStatistics: Sendable {
    private(set) var low = Float.infinity
    private(set) var high = -Float.infinity
    private(set) var isFinite = true
    private(set) var bins: [Double] = []

    static let binCount = 2048

    mutating func extend(_ values: UnsafeBufferPointer<Float>) {
        var least = low
        var most = high
        var sum: Float = 0
        for value in values {
            least = value < least ? value : least
            most = value > most ? value : most
            // Zero but for infinities and what is not a number.
            sum += value * 0
        }
        low = least
        high = most
        if sum != 0 || sum.isNaN { isFinite = false }
    }

    mutating func prepareHistogram() {
        bins = [Double](repeating: 0, count: Self.binCount)
    }

    private var binWidth: Double { (Double(high) - Double(low)) / Double(Self.binCount) }

    mutating func count(_ values: UnsafeBufferPointer<Float>) {
        guard high > low else { return }
        let (start, factor) = (low, Float(1 / binWidth))
        let last = Self.binCount - 1
        bins.withUnsafeMutableBufferPointer { bins in
            for value in values {
                let place = (value - start) * factor
                guard place >= 0 else { continue }
                bins[min(Int(min(place, Float(last))), last)] += 1
            }
        }
    }

    /// The range to divide into bytes.
    func range(_ method: Quantiser.Method) -> ClosedRange<Float> {
        guard high > low else { return min(low, 0)...max(high, 0) }
        guard !bins.isEmpty else { return low...high }
        switch method {
        case .extremes: return low...high
        case .percentile(let share): return percentile(share)
        case .leastSquares: return best(squaredError)
        case .entropy: return best(divergence)
        }
    }

    private func value(_ bin: Double) -> Float { Float(Double(low) + bin * binWidth) }

    private func percentile(_ share: Double) -> ClosedRange<Float> {
        let total = bins.reduce(0, +)
        // ReLUs leave nothing below zero to cut off.
        let allowed = total * min(max(share, 0), 0.5) / (low < 0 ? 2 : 1)
        var first = 0
        var last = Self.binCount - 1
        var sum = 0.0
        while low < 0, first < last, sum + bins[first] <= allowed {
            sum += bins[first]
            first += 1
        }
        sum = 0
        while last > first, sum + bins[last] <= allowed {
            sum += bins[last]
            last -= 1
        }
        return min(value(Double(first)), 0)...max(value(Double(last + 1)), 0)
    }

    /// The range with the least cost among parts of the whole: each end is drawn in by steps.
    private func best(_ cost: (ClosedRange<Float>) -> Double) -> ClosedRange<Float> {
        let parts: [Float] = (0..<32).map { 1 - Float($0) / 40 }
        var best = min(low, 0)...max(high, 0)
        var least = cost(best)
        for lowPart in low < 0 ? parts : [1] {
            for highPart in high > 0 ? parts : [1] {
                let range = min(low * lowPart, 0)...max(high * highPart, 0)
                let cost = cost(range)
                if cost < least { (least, best) = (cost, range) }
            }
        }
        return best
    }

    private func squaredError(_ range: ClosedRange<Float>) -> Double {
        let (lower, upper) = (Double(range.lowerBound), Double(range.upperBound))
        let step = (upper - lower) / 255
        let rounding = step * step / 12
        var sum = 0.0
        var centre = Double(low) + binWidth / 2
        for count in bins {
            if count > 0 {
                let outside = max(lower - centre, centre - upper, 0)
                sum += count * (outside > 0 ? outside * outside : rounding)
            }
            centre += binWidth
        }
        return sum
    }

    /// How much is lost when the numbers of a byte can no longer be told apart.
    private func divergence(_ range: ClosedRange<Float>) -> Double {
        let step = (Double(range.upperBound) - Double(range.lowerBound)) / 255
        guard step > 0 else { return .infinity }
        var counts = [Double](repeating: 0, count: 256)
        var occupied = [Double](repeating: 0, count: 256)
        var bytes = [Int](repeating: 0, count: bins.count)
        for bin in bins.indices {
            let centre = Double(low) + (Double(bin) + 0.5) * binWidth
            let byte = min(max(((centre - Double(range.lowerBound)) / step).rounded(), 0), 255)
            bytes[bin] = Int(byte)
            guard bins[bin] > 0 else { continue }
            counts[Int(byte)] += bins[bin]
            let isInside = centre >= Double(range.lowerBound) && centre <= Double(range.upperBound)
            // What is cut off adds to a byte's share of the whole, but not to the places that the share is spread over.
            if isInside { occupied[Int(byte)] += 1 }
        }
        let total = counts.reduce(0, +)
        guard total > 0 else { return .infinity }
        var sum = 0.0
        for bin in bins.indices where bins[bin] > 0 {
            let share = bins[bin] / total
            let spread = counts[bytes[bin]] / max(occupied[bytes[bin]], 1) / total
            sum += share * log(share / max(spread, 1e-12))
        }
        return sum
    }
}
