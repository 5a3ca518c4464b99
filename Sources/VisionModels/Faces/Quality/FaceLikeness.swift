import VisionAlgorithms

/// Compares faces by the grey means of the cells of their views.
enum FaceLikeness {
    private static let cells = FaceQualityView.cells

    /// The cells of six parts of the face, two in a row, within an ellipse.
    private static let partCells: [[Int]] = [1..<6, 5..<10, 9..<15].flatMap { rows in
        [2..<8, 8..<14].map { columns in
            (0..<cells * cells).filter { cell in
                let (x, y) = ((Double(cell % cells) - 7.5) / 6.2, (Double(cell / cells) - 7.5) / 7.2)
                return rows.contains(cell / cells) && columns.contains(cell % cells) && x * x + y * y < 1
            }
        }
    }

    /// Returns the correlations of the parts of a face with those of the mean face, -1...1.
    static func parts(of grey: [Double]) -> [Double] {
        partCells.map { GreyCells.correlation(grey, FaceQualityModel.meanFace, $0, otherNoise: 0) }
    }

    static func mirrored<Value>(_ values: [Value]) -> [Value] {
        values.indices.map { values[$0 / cells * cells + cells - 1 - $0 % cells] }
    }
}
