/// Compares faces by the grey means of the cells of their views.
enum FaceLikeness {
    private static let cells = FaceQualityView.cells

    /// Six parts of the face, two in a row, as far as an ellipse about it reaches.
    private static let places: [[Int]] = [1..<6, 5..<10, 9..<15].flatMap { rows in
        [2..<8, 8..<14].map { columns in
            (0..<cells * cells).filter { cell in
                let (x, y) = ((Double(cell % cells) - 7.5) / 6.2, (Double(cell / cells) - 7.5) / 7.2)
                return rows.contains(cell / cells) && columns.contains(cell % cells) && x * x + y * y < 1
            }
        }
    }

    /// How alike parts of a face are to those of the mean face, -1...1.
    static func parts(of grey: [Double]) -> [Double] {
        places.map { correlation(grey, FaceQualityModel.meanFace, $0, otherNoise: 0) }
    }

    static func mirrored<Value>(_ values: [Value]) -> [Value] {
        values.indices.map { values[$0 / cells * cells + cells - 1 - $0 % cells] }
    }

    /// The correlation of some cells of two pictures. One without contrast is like nothing: a few grey levels count as
    /// noise.
    static func correlation(
        _ one: [Double], _ other: [Double], _ places: [Int], noise: Double = 3, otherNoise: Double = 3
    ) -> Double {
        guard places.count > 8 else { return 0 }
        let count = Double(places.count)
        let meanOne = places.reduce(0) { $0 + one[$1] } / count
        let meanOther = places.reduce(0) { $0 + other[$1] } / count
        var (product, squareOne, squareOther) = (0.0, 0.0, 0.0)
        for place in places {
            let (a, b) = (one[place] - meanOne, other[place] - meanOther)
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
