/// The sizes of Data Matrix symbols (ECC 200) by the number of their data codewords (ISO/IEC 16022).
package enum DataMatrixSize {
    /// Rows, columns and data codewords.
    private static let squares: [(Int, Int)] = [
        (10, 3), (12, 5), (14, 8), (16, 12), (18, 18), (20, 22), (22, 30), (24, 36), (26, 44), (32, 62), (36, 86),
        (40, 114), (44, 144), (48, 174), (52, 204), (64, 280), (72, 368), (80, 456), (88, 576), (96, 696), (104, 816),
        (120, 1050), (132, 1304), (144, 1558),
    ]
    private static let rectangles: [(Int, Int, Int)] = [
        (8, 18, 5), (8, 32, 10), (12, 26, 16), (12, 36, 22), (16, 36, 32), (16, 48, 49),
    ]

    /// Returns the rows and columns of the symbol with a number of data codewords and about an aspect ratio; nil where
    /// none fits (as for the extended rectangles, which share their numbers with others).
    package static func size(dataCodewords count: Int, aspect: Double) -> (rows: Int, columns: Int)? {
        if aspect < 1.4 { return squares.first { $0.1 == count }.map { ($0.0, $0.0) } }
        return rectangles.first { $0.2 == count && abs(Double($0.1) / Double($0.0) / aspect - 1) < 0.15 }
            .map { ($0.0, $0.1) }
    }
}
