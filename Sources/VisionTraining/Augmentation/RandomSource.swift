/// A random number generator with reproducible results: SplitMix64 (Steele, Lea and Flood, 2014).
package struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    /// Returns a uniformly distributed number in the range. The function of the standard library may change between
    /// versions.
    mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) * 0x1p-53
    }

    /// Returns an integer in 0 ..< `count`.
    mutating func index(below count: Int) -> Int { Int(next() % UInt64(max(1, count))) }

    /// Returns the elements in random order.
    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var elements = elements
        for last in elements.indices.reversed() { elements.swapAt(last, index(below: last + 1)) }
        return elements
    }
}
