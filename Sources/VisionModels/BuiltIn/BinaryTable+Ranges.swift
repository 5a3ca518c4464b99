extension BinaryTable {
    /// The ranges that the bytes of a network's tensors stand for, by the tensors' names: the arrays `tensors`, `low`
    /// and `high`.
    ///
    /// - Throws: `WeightFileError`.
    func ranges() throws(WeightFileError) -> [String: ClosedRange<Float>] {
        let tensors = try lines("tensors")
        let low = try floats("low", count: tensors.count)
        let high = try floats("high", count: tensors.count)
        guard zip(low, high).allSatisfy({ $0 <= $1 }) else {
            throw WeightFileError(.mismatch, "A range of a table ends before it begins.")
        }
        return Dictionary(zip(tensors, zip(low, high).map { $0...$1 }), uniquingKeysWith: { first, _ in first })
    }
}
