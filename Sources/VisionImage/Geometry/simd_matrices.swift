// The matrices of simd beside those of floats with three and four columns. Their arithmetic is `SIMDMatrix`'s.

/// A 2 × 2 matrix of floats, by columns.
public struct simd_float2x2: SIMDMatrix {
    /// The two columns.
    public var columns: (SIMD2<Float>, SIMD2<Float>)

    /// All zeros.
    public init() { columns = (.zero, .zero) }

    /// Creates a matrix from its columns.
    public init(_ first: SIMD2<Float>, _ second: SIMD2<Float>) {
        columns = (first, second)
    }

    /// Creates a matrix from its columns.
    public init(columns: (SIMD2<Float>, SIMD2<Float>)) { self.columns = columns }

    /// A column.
    ///
    /// - Precondition: `column` is an index of the matrix.
    public subscript(column: Int) -> SIMD2<Float> {
        get { [columns.0, columns.1][column] }
        set {
            switch column {
            case 0: columns.0 = newValue
            default:
                precondition(column == 1, "a 2 × 2 matrix has columns 0 to 1")
                columns.1 = newValue
            }
        }
    }
}

/// A 2 × 2 matrix of doubles, by columns.
public struct simd_double2x2: SIMDMatrix {
    /// The two columns.
    public var columns: (SIMD2<Double>, SIMD2<Double>)

    /// All zeros.
    public init() { columns = (.zero, .zero) }

    /// Creates a matrix from its columns.
    public init(_ first: SIMD2<Double>, _ second: SIMD2<Double>) {
        columns = (first, second)
    }

    /// Creates a matrix from its columns.
    public init(columns: (SIMD2<Double>, SIMD2<Double>)) { self.columns = columns }

    /// A column.
    ///
    /// - Precondition: `column` is an index of the matrix.
    public subscript(column: Int) -> SIMD2<Double> {
        get { [columns.0, columns.1][column] }
        set {
            switch column {
            case 0: columns.0 = newValue
            default:
                precondition(column == 1, "a 2 × 2 matrix has columns 0 to 1")
                columns.1 = newValue
            }
        }
    }
}

/// A 3 × 3 matrix of doubles, by columns.
public struct simd_double3x3: SIMDMatrix {
    /// The three columns.
    public var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    /// All zeros.
    public init() { columns = (.zero, .zero, .zero) }

    /// Creates a matrix from its columns.
    public init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        columns = (first, second, third)
    }

    /// Creates a matrix from its columns.
    public init(columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)) { self.columns = columns }

    /// A column.
    ///
    /// - Precondition: `column` is an index of the matrix.
    public subscript(column: Int) -> SIMD3<Double> {
        get { [columns.0, columns.1, columns.2][column] }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            default:
                precondition(column == 2, "a 3 × 3 matrix has columns 0 to 2")
                columns.2 = newValue
            }
        }
    }
}

/// A 4 × 4 matrix of doubles, by columns.
public struct simd_double4x4: SIMDMatrix {
    /// The four columns.
    public var columns: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

    /// All zeros.
    public init() { columns = (.zero, .zero, .zero, .zero) }

    /// Creates a matrix from its columns.
    public init(_ first: SIMD4<Double>, _ second: SIMD4<Double>, _ third: SIMD4<Double>, _ fourth: SIMD4<Double>) {
        columns = (first, second, third, fourth)
    }

    /// Creates a matrix from its columns.
    public init(columns: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)) { self.columns = columns }

    /// A column.
    ///
    /// - Precondition: `column` is an index of the matrix.
    public subscript(column: Int) -> SIMD4<Double> {
        get { [columns.0, columns.1, columns.2, columns.3][column] }
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
}

/// A 2 × 2 matrix of floats: another of simd's names for it.
public typealias matrix_float2x2 = simd_float2x2
/// A 2 × 2 matrix of floats: another of simd's names for it.
public typealias float2x2 = simd_float2x2
/// A 3 × 3 matrix of floats: another of simd's names for it.
public typealias float3x3 = simd_float3x3
/// A 2 × 2 matrix of doubles: another of simd's names for it.
public typealias matrix_double2x2 = simd_double2x2
/// A 2 × 2 matrix of doubles: another of simd's names for it.
public typealias double2x2 = simd_double2x2
/// A 3 × 3 matrix of doubles: another of simd's names for it.
public typealias matrix_double3x3 = simd_double3x3
/// A 3 × 3 matrix of doubles: another of simd's names for it.
public typealias double3x3 = simd_double3x3
/// A 4 × 4 matrix of doubles: another of simd's names for it.
public typealias matrix_double4x4 = simd_double4x4
/// A 4 × 4 matrix of doubles: another of simd's names for it.
public typealias double4x4 = simd_double4x4
/// Two doubles: the name that simd's C interface gives them.
public typealias vector_double2 = SIMD2<Double>
/// Three doubles: the name that simd's C interface gives them.
public typealias vector_double3 = SIMD3<Double>
/// Four doubles: the name that simd's C interface gives them.
public typealias vector_double4 = SIMD4<Double>

/// The 2 × 2 identity matrix of floats.
public let matrix_identity_float2x2 = simd_float2x2(1)
/// The 2 × 2 identity matrix of doubles.
public let matrix_identity_double2x2 = simd_double2x2(1)
/// The 3 × 3 identity matrix of doubles.
public let matrix_identity_double3x3 = simd_double3x3(1)
/// The 4 × 4 identity matrix of doubles.
public let matrix_identity_double4x4 = simd_double4x4(1)
