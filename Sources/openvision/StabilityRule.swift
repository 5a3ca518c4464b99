/// Tells whether a camera has come to rest: the last registrations together moved the picture by less than a limit.
///
/// The shifts are summed with their signs, so it is the net drift that counts: a camera that trembles is still, one
/// that pans slowly is not. Before the history is full nothing is stable.
struct StabilityRule {
    /// How many registrations are looked at, and the distance in pixels (|Σx| + |Σy|) that they must stay below.
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

    /// Forgets everything, as after a cut.
    mutating func reset() { history = [] }
}

/// Joins frames that follow one another.
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
