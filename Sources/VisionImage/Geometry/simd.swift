/// Two floats: the name that simd's C interface gives them.
public typealias vector_float2 = SIMD2<Float>
/// Three floats.
public typealias vector_float3 = SIMD3<Float>
/// Two floats: simd's newer name.
public typealias simd_float2 = SIMD2<Float>
/// Three floats: simd's newer name.
public typealias simd_float3 = SIMD3<Float>
/// A 3 × 3 matrix of floats, by columns.
public typealias matrix_float3x3 = simd_float3x3

/// A 3 × 3 matrix of floats, stored and indexed by columns as in simd.
public struct simd_float3x3: Hashable, Sendable {
    /// The three columns.
    public var columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    /// All zeros.
    public init() { columns = (.zero, .zero, .zero) }

    /// Creates a matrix from its columns.
    public init(_ first: SIMD3<Float>, _ second: SIMD3<Float>, _ third: SIMD3<Float>) {
        columns = (first, second, third)
    }

    /// Creates a matrix from its columns.
    public init(columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) { self.columns = columns }

    /// Creates a matrix from its three columns in an array.
    ///
    /// - Precondition: the array has three elements.
    public init(_ columns: [SIMD3<Float>]) {
        precondition(columns.count == 3, "a 3 × 3 matrix has three columns")
        self.init(columns[0], columns[1], columns[2])
    }

    /// Creates a matrix from its three rows in an array.
    ///
    /// - Precondition: the array has three elements.
    public init(rows: [SIMD3<Float>]) {
        self = simd_float3x3(rows).transpose
    }

    /// Creates a matrix with `diagonal` on its diagonal and zeros elsewhere.
    public init(diagonal: SIMD3<Float>) {
        self.init([diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z])
    }

    /// A column.
    ///
    /// - Precondition: `column` is 0, 1 or 2.
    public subscript(column: Int) -> SIMD3<Float> {
        get {
            switch column {
            case 0: return columns.0
            case 1: return columns.1
            default:
                precondition(column == 2, "a 3 × 3 matrix has columns 0, 1 and 2")
                return columns.2
            }
        }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            default:
                precondition(column == 2, "a 3 × 3 matrix has columns 0, 1 and 2")
                columns.2 = newValue
            }
        }
    }

    /// An entry: column index first, as in simd.
    public subscript(column: Int, row: Int) -> Float {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    /// The transposed matrix.
    public var transpose: simd_float3x3 {
        let c = columns
        return simd_float3x3([c.0.x, c.1.x, c.2.x], [c.0.y, c.1.y, c.2.y], [c.0.z, c.1.z, c.2.z])
    }

    /// The determinant.
    public var determinant: Float { (columns.0 * Self.cross(columns.1, columns.2)).sum() }

    /// The inverse; infinities and NaNs if the matrix is singular, as in simd.
    public var inverse: simd_float3x3 {
        let rows = simd_float3x3(
            Self.cross(columns.1, columns.2), Self.cross(columns.2, columns.0), Self.cross(columns.0, columns.1))
        let scale = 1 / determinant
        return simd_float3x3(rows[0] * scale, rows[1] * scale, rows[2] * scale).transpose
    }

    private static func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
        [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
    }

    /// Returns the product of a matrix and a column vector.
    public static func * (matrix: simd_float3x3, vector: SIMD3<Float>) -> SIMD3<Float> {
        matrix.columns.0 * vector.x + matrix.columns.1 * vector.y + matrix.columns.2 * vector.z
    }

    /// Returns the product of two matrices.
    public static func * (left: simd_float3x3, right: simd_float3x3) -> simd_float3x3 {
        simd_float3x3(left * right.columns.0, left * right.columns.1, left * right.columns.2)
    }

    /// Returns whether all entries are equal.
    public static func == (left: simd_float3x3, right: simd_float3x3) -> Bool {
        left.columns.0 == right.columns.0 && left.columns.1 == right.columns.1 && left.columns.2 == right.columns.2
    }

    /// Feeds all entries to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(columns.0)
        hasher.combine(columns.1)
        hasher.combine(columns.2)
    }
}

/// The 3 × 3 identity matrix.
public let matrix_identity_float3x3 = simd_float3x3(diagonal: SIMD3(repeating: 1))
