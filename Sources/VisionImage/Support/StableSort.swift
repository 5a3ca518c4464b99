extension Sequence {
    /// Returns the elements in order; those of which none precedes the other keep their order.
    ///
    /// `sorted(by:)` of the standard library does not promise to be stable.
    package func stablySorted(
        by areInIncreasingOrder: (Element, Element) throws -> Bool
    ) rethrows -> [Element] {
        try enumerated().sorted { a, b in
            if try areInIncreasingOrder(a.element, b.element) { return true }
            if try areInIncreasingOrder(b.element, a.element) { return false }
            return a.offset < b.offset
        }.map(\.element)
    }
}
