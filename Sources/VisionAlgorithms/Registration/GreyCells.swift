/// Compares images by the grey means of their cells.
package enum GreyCells {
    /// Returns the correlation of some cells of two images, -1…1; 0 of fewer than nine cells.
    ///
    /// - Parameters:
    ///   - noise: The grey levels of the first image that count as noise, so that one without contrast correlates with
    ///     nothing.
    ///   - otherNoise: Those of the second image.
    package static func correlation(
        _ one: [Double], _ other: [Double], _ selected: some Collection<Int>, noise: Double = 3,
        otherNoise: Double = 3
    ) -> Double {
        guard selected.count > 8 else { return 0 }
        let count = Double(selected.count)
        let meanOne = selected.reduce(0) { $0 + one[$1] } / count
        let meanOther = selected.reduce(0) { $0 + other[$1] } / count
        var (product, squareOne, squareOther) = (0.0, 0.0, 0.0)
        for cell in selected {
            let (a, b) = (one[cell] - meanOne, other[cell] - meanOther)
            product += a * b
            squareOne += a * a
            squareOther += b * b
        }
        let lengths =
            (squareOne.squareRoot() + noise * count.squareRoot())
            * (squareOther.squareRoot() + otherNoise * count.squareRoot())
        return lengths > 0 ? product / lengths : 0
    }
}
