/// Random numbers that are the same everywhere for the same seed: SplitMix64 (Steele, Lea and Flood, 2014).
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

    /// A number in the range, evenly spread. The library's own function may change between its versions.
    mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) * 0x1p-53
    }

    /// A whole number from 0 to below `count`.
    mutating func index(below count: Int) -> Int { Int(next() % UInt64(max(1, count))) }

    /// The same elements in another order.
    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var elements = elements
        for place in elements.indices.reversed() { elements.swapAt(place, index(below: place + 1)) }
        return elements
    }
}
