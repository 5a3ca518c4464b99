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
                let position = (value - start) * factor
                guard position >= 0 else { continue }
                bins[min(Int(min(position, Float(last))), last)] += 1
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

    /// How much is lost when the numbers of a byte can no longer be told apart, and those beyond the ends are taken for
    /// the ends: the divergence of what bytes can tell from what is there once the ends hold what is cut off.
    private func divergence(_ range: ClosedRange<Float>) -> Double {
        let (lower, upper) = (Double(range.lowerBound), Double(range.upperBound))
        let step = (upper - lower) / 255
        guard step > 0, binWidth > 0 else { return .infinity }
        let last = bins.count - 1
        let first = min(max(Int((lower - Double(low)) / binWidth), 0), last)
        let end = min(max(Int((upper - Double(low)) / binWidth), first), last)
        var there = Array(bins[first...end])
        var counts = [Double](repeating: 0, count: 256)
        var occupied = [Double](repeating: 0, count: 256)
        let bytes = there.indices.map { index in
            let centre = Double(low) + (Double(first + index) + 0.5) * binWidth
            return Int(min(max(((centre - lower) / step).rounded(), 0), 255))
        }
        for (index, byte) in bytes.enumerated() where there[index] > 0 {
            counts[byte] += there[index]
            occupied[byte] += 1
        }
        let inside = counts.reduce(0, +)
        guard inside > 0 else { return .infinity }
        there[0] += bins[..<first].reduce(0, +)
        there[there.count - 1] += bins[(end + 1)...].reduce(0, +)
        let total = there.reduce(0, +)
        var sum = 0.0
        for (index, byte) in bytes.enumerated() where there[index] > 0 {
            let spread = counts[byte] / max(occupied[byte], 1) / inside
            sum += there[index] / total * log(there[index] / total / max(spread, 1e-9))
        }
        return sum
    }
}
