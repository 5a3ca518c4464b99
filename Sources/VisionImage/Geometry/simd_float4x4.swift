/// Four floats: the name that simd's C interface gives them.
public typealias vector_float4 = SIMD4<Float>
/// Four floats: simd's newer name.
public typealias simd_float4 = SIMD4<Float>
/// A 4 × 4 matrix of floats, by columns.
public typealias matrix_float4x4 = simd_float4x4
/// A 4 × 4 matrix of floats: the name that simd's Swift interface gives it.
public typealias float4x4 = simd_float4x4

/// A 4 × 4 matrix of floats, stored and indexed by columns as in simd.
public struct simd_float4x4: Hashable, Sendable {
    /// The four columns.
    public var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

    /// All zeros.
    public init() { columns = (.zero, .zero, .zero, .zero) }

    /// Creates a matrix from its columns.
    public init(_ first: SIMD4<Float>, _ second: SIMD4<Float>, _ third: SIMD4<Float>, _ fourth: SIMD4<Float>) {
        columns = (first, second, third, fourth)
    }

    /// Creates a matrix from its columns.
    public init(columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)) { self.columns = columns }

    /// Creates a matrix from its four columns in an array.
    ///
    /// - Precondition: the array has four elements.
    public init(_ columns: [SIMD4<Float>]) {
        precondition(columns.count == 4, "a 4 × 4 matrix has four columns")
        self.init(columns[0], columns[1], columns[2], columns[3])
    }

    /// Creates a matrix from its four rows in an array.
    ///
    /// - Precondition: the array has four elements.
    public init(rows: [SIMD4<Float>]) { self = simd_float4x4(rows).transpose }

    /// Creates a matrix with `diagonal` on its diagonal and zeros elsewhere.
    public init(diagonal: SIMD4<Float>) {
        self.init([diagonal.x, 0, 0, 0], [0, diagonal.y, 0, 0], [0, 0, diagonal.z, 0], [0, 0, 0, diagonal.w])
    }

    /// Creates the identity, scaled.
    public init(_ scalar: Float) { self.init(diagonal: SIMD4(repeating: scalar)) }

    /// A column.
    ///
    /// - Precondition: `column` is 0 to 3.
    public subscript(column: Int) -> SIMD4<Float> {
        get {
            precondition((0...3).contains(column), "a 4 × 4 matrix has columns 0 to 3")
            return [columns.0, columns.1, columns.2, columns.3][column]
        }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            case 2: columns.2 = newValue
            default:
                precondition(column == 3, "a 4 × 4 matrix has columns 0 to 3")
                columns.3 = newValue
            }
        }
    }

    /// An entry: column index first, as in simd.
    public subscript(column: Int, row: Int) -> Float {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    /// The transposed matrix.
    public var transpose: simd_float4x4 {
        let c = columns
        return simd_float4x4(
            [c.0.x, c.1.x, c.2.x, c.3.x], [c.0.y, c.1.y, c.2.y, c.3.y], [c.0.z, c.1.z, c.2.z, c.3.z],
            [c.0.w, c.1.w, c.2.w, c.3.w])
    }

    /// The determinants of the 2 × 2 blocks of rows 0 and 1, and of rows 2 and 3, by pairs of columns: 01, 02, 03, 12,
    /// 13, 23.
    private var minors: (upper: [Float], lower: [Float]) {
        let m = (0..<4).map { self[$0] }
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
        return (
            pairs.map { m[$0].x * m[$1].y - m[$1].x * m[$0].y }, pairs.map { m[$0].z * m[$1].w - m[$1].z * m[$0].w }
        )
    }

    /// The determinant.
    public var determinant: Float {
        let (s, c) = minors
        return s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] + s[5] * c[0]
    }

    /// The inverse; infinities and NaNs if the matrix is singular, as in simd.
    public var inverse: simd_float4x4 {
        let (s, c) = minors
        let scale = 1 / determinant
        // Column i, row j of the inverse is the cofactor of column j, row i.
        let rows = transpose
        func cofactors(_ row: SIMD4<Float>, _ m: [Float], _ sign: Float) -> SIMD4<Float> {
            var column = SIMD4<Float>.zero
            column.x = row.y * m[5] - row.z * m[4] + row.w * m[3]
            column.y = row.z * m[2] - row.x * m[5] - row.w * m[1]
            column.z = row.x * m[4] - row.y * m[2] + row.w * m[0]
            column.w = row.y * m[1] - row.x * m[3] - row.z * m[0]
            return column * (sign * scale)
        }
        return simd_float4x4(
            cofactors(rows[1], c, 1), cofactors(rows[0], c, -1), cofactors(rows[3], s, 1), cofactors(rows[2], s, -1))
    }

    /// Returns the product of a matrix and a column vector.
    public static func * (matrix: simd_float4x4, vector: SIMD4<Float>) -> SIMD4<Float> {
        let first = matrix.columns.0 * vector.x + matrix.columns.1 * vector.y
        return first + matrix.columns.2 * vector.z + matrix.columns.3 * vector.w
    }

    /// Returns the product of two matrices.
    public static func * (left: simd_float4x4, right: simd_float4x4) -> simd_float4x4 {
        simd_float4x4(
            left * right.columns.0, left * right.columns.1, left * right.columns.2, left * right.columns.3)
    }

    /// Returns whether all entries are equal.
    public static func == (left: simd_float4x4, right: simd_float4x4) -> Bool {
        left.columns.0 == right.columns.0 && left.columns.1 == right.columns.1 && left.columns.2 == right.columns.2
            && left.columns.3 == right.columns.3
    }

    /// Feeds all entries to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(columns.0)
        hasher.combine(columns.1)
        hasher.combine(columns.2)
        hasher.combine(columns.3)
    }
}

/// The 4 × 4 identity matrix.
public let matrix_identity_float4x4 = simd_float4x4(1)
