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

    /// Numbers of several tensors or layers behind each other, by their names.
    ///
    /// - Parameters:
    ///   - names: The array of the names.
    ///   - counts: The array of how many numbers each has.
    ///   - values: The array of the numbers.
    /// - Throws: `WeightFileError`.
    func parts(
        of names: String, counts: String, values: String
    ) throws(WeightFileError) -> [String: [Float]] {
        let (names, counts) = (try lines(names), try integers(counts))
        guard counts.count == names.count, counts.allSatisfy({ $0 >= 0 }) else {
            throw WeightFileError(.mismatch, "A table has \(counts.count) sizes of \(names.count) layers.")
        }
        let numbers = try floats(values, count: counts.reduce(0, +))
        var result: [String: [Float]] = [:]
        var start = 0
        for (name, count) in zip(names, counts) {
            result[name] = Array(numbers[start..<start + count])
            start += count
        }
        return result
    }
}
