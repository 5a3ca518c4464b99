/// Decides whether a camera is still: the sum of the last shifts between frames is below a limit.
///
/// The shifts are summed with their signs, so the net drift counts: a camera that trembles is still, one that pans
/// slowly is not. The camera is never still before the history is full.
struct StabilityRule {
    /// The number of shifts that are summed, and the limit of their sum (|Σx| + |Σy|) in pixels.
    let length: Int
    let limit: Double
    private var history: [SIMD2<Double>] = []

    init(length: Int = 15, limit: Double = 20) {
        self.length = length
        self.limit = limit
    }

    /// |Σx| + |Σy| of the history.
    var drift: Double {
        let sum = history.reduce(SIMD2<Double>(), +)
        return abs(sum.x) + abs(sum.y)
    }

    var isStable: Bool { history.count == length && drift < limit }

    mutating func add(x: Double, y: Double) {
        if history.count == length { history.removeFirst() }
        history.append(SIMD2(x, y))
    }

    /// Clears the history, as after a cut.
    mutating func reset() { history = [] }
}

/// Merges consecutive frames into ranges.
struct Stretches {
    private(set) var ranges: [ClosedRange<Int>] = []

    mutating func add(_ frame: Int) {
        if let last = ranges.last, last.upperBound + 1 == frame {
            ranges[ranges.count - 1] = last.lowerBound...frame
        } else {
            ranges.append(frame...frame)
        }
    }
}
