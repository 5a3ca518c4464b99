/// A square matrix of two to four columns, stored and indexed by columns as in simd.
public protocol SIMDMatrix: Hashable, Sendable {
    /// A column; rows have the same type.
    associatedtype Column: SIMD & Sendable where Column.Scalar: BinaryFloatingPoint

    /// All zeros.
    init()

    /// A column.
    ///
    /// - Precondition: `column` is an index of the matrix.
    subscript(column: Int) -> Column { get set }
}

extension SIMDMatrix {
    /// The type of the entries.
    public typealias Scalar = Column.Scalar

    private static var indices: Range<Int> { 0..<Column.scalarCount }

    /// Creates a matrix from its columns in an array.
    ///
    /// - Precondition: the array has as many elements as the matrix has columns.
    public init(_ columns: [Column]) {
        precondition(columns.count == Column.scalarCount, "a matrix has as many columns as rows")
        self.init()
        for index in Self.indices { self[index] = columns[index] }
    }

    /// Creates a matrix from its rows in an array.
    ///
    /// - Precondition: the array has as many elements as the matrix has rows.
    public init(rows: [Column]) { self = Self(rows).transpose }

    /// Creates a matrix with `diagonal` on its diagonal and zeros elsewhere.
    public init(diagonal: Column) {
        self.init()
        for index in Self.indices { self[index][index] = diagonal[index] }
    }

    /// Creates the identity, scaled.
    public init(_ scalar: Scalar) { self.init(diagonal: Column(repeating: scalar)) }

    /// An entry: column index first, as in simd.
    public subscript(column: Int, row: Int) -> Scalar {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    /// The transposed matrix.
    public var transpose: Self {
        var result = Self()
        for column in Self.indices { for row in Self.indices { result[row][column] = self[column][row] } }
        return result
    }

    /// The determinant.
    public var determinant: Scalar { minor(Array(Self.indices), Array(Self.indices)) }

    /// The determinant of the entries in some columns and rows.
    private func minor(_ columns: [Int], _ rows: [Int]) -> Scalar {
        guard let first = columns.first else { return 1 }
        var (sum, sign) = (Scalar(0), Scalar(1))
        for (index, row) in rows.enumerated() {
            var others = rows
            others.remove(at: index)
            sum += sign * self[first][row] * minor(Array(columns.dropFirst()), others)
            sign = -sign
        }
        return sum
    }

    /// The inverse; infinities and NaNs if the matrix is singular, as in simd.
    public var inverse: Self {
        let scale = 1 / determinant
        var result = Self()
        for column in Self.indices {
            for row in Self.indices {
                // The cofactor of the entry on the other side of the diagonal.
                let cofactor = minor(Self.indices.filter { $0 != row }, Self.indices.filter { $0 != column })
                result[column][row] = ((column + row) % 2 == 0 ? cofactor : -cofactor) * scale
            }
        }
        return result
    }

    /// Returns the matrix with a function of each column.
    private func mapped(_ body: (_ index: Int, _ column: Column) -> Column) -> Self {
        var result = Self()
        for index in Self.indices { result[index] = body(index, self[index]) }
        return result
    }

    /// Returns the product of a matrix and a column vector.
    public static func * (matrix: Self, vector: Column) -> Column {
        indices.reduce(into: Column.zero) { $0 += matrix[$1] * vector[$1] }
    }

    /// Returns the product of a row vector and a matrix.
    public static func * (vector: Column, matrix: Self) -> Column { matrix.transpose * vector }

    /// Returns the product of two matrices.
    public static func * (left: Self, right: Self) -> Self { right.mapped { left * $1 } }

    /// Returns the matrix with each entry multiplied by a number.
    public static func * (matrix: Self, scalar: Scalar) -> Self { matrix.mapped { $1 * scalar } }

    /// Returns the matrix with each entry multiplied by a number.
    public static func * (scalar: Scalar, matrix: Self) -> Self { matrix * scalar }

    /// Returns the sum of two matrices.
    public static func + (left: Self, right: Self) -> Self { left.mapped { $1 + right[$0] } }

    /// Returns the difference of two matrices.
    public static func - (left: Self, right: Self) -> Self { left.mapped { $1 - right[$0] } }

    /// Returns the matrix with each entry negated.
    public static prefix func - (matrix: Self) -> Self { matrix.mapped { .zero - $1 } }

    /// Returns whether all entries are equal.
    public static func == (left: Self, right: Self) -> Bool { indices.allSatisfy { left[$0] == right[$0] } }

    /// Feeds all entries to the hasher.
    public func hash(into hasher: inout Hasher) {
        for index in Self.indices { hasher.combine(self[index]) }
    }
}

extension simd_float3x3: SIMDMatrix {}
extension simd_float4x4: SIMDMatrix {}

/// Returns the product of a matrix and a vector.
public func simd_mul<Matrix: SIMDMatrix>(_ x: Matrix, _ y: Matrix.Column) -> Matrix.Column { x * y }
/// Returns the product of a row vector and a matrix.
public func simd_mul<Matrix: SIMDMatrix>(_ x: Matrix.Column, _ y: Matrix) -> Matrix.Column { x * y }
/// Returns the product of two matrices.
public func simd_mul<Matrix: SIMDMatrix>(_ x: Matrix, _ y: Matrix) -> Matrix { x * y }
/// Returns the matrix with each entry multiplied by a number.
public func simd_mul<Matrix: SIMDMatrix>(_ a: Matrix.Scalar, _ x: Matrix) -> Matrix { x * a }
/// Returns the sum of two matrices.
public func simd_add<Matrix: SIMDMatrix>(_ x: Matrix, _ y: Matrix) -> Matrix { x + y }
/// Returns the difference of two matrices.
public func simd_sub<Matrix: SIMDMatrix>(_ x: Matrix, _ y: Matrix) -> Matrix { x - y }
/// Returns the inverse; infinities and NaNs if the matrix is singular.
public func simd_inverse<Matrix: SIMDMatrix>(_ x: Matrix) -> Matrix { x.inverse }
/// Returns the transposed matrix.
public func simd_transpose<Matrix: SIMDMatrix>(_ x: Matrix) -> Matrix { x.transpose }
/// Returns the determinant.
public func simd_determinant<Matrix: SIMDMatrix>(_ x: Matrix) -> Matrix.Scalar { x.determinant }
