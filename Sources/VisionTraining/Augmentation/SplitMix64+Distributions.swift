import VisionImage

extension SplitMix64 {
    /// Returns a uniformly distributed number in the range. The function of the standard library may change between
    /// versions.
    mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * unit()
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
