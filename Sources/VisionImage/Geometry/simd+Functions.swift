import Foundation

// The functions of simd's C interface that code around Vision uses. Two-, three- and four-element vectors share one
// generic function each.

/// Returns the sum of the products of the elements.
public func simd_dot<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
    (x * y).sum()
}

/// Returns the Euclidean length.
public func simd_length<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
    (x * x).sum().squareRoot()
}

/// Returns the square of the Euclidean length.
public func simd_length_squared<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
    (x * x).sum()
}

/// Returns the Euclidean distance.
public func simd_distance<Vector: SIMD>(
    _ x: Vector, _ y: Vector
) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
    simd_length(x - y)
}

/// Returns the square of the Euclidean distance.
public func simd_distance_squared<Vector: SIMD>(
    _ x: Vector, _ y: Vector
) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
    simd_length_squared(x - y)
}

/// Returns the vector with length 1; NaNs for the zero vector.
public func simd_normalize<Vector: SIMD>(_ x: Vector) -> Vector where Vector.Scalar: FloatingPoint {
    x / simd_length(x)
}

/// Returns x (1 - t) + y t.
public func simd_mix<Vector: SIMD>(
    _ x: Vector, _ y: Vector, _ t: Vector
) -> Vector where Vector.Scalar: FloatingPoint {
    x + (y - x) * t
}

/// Returns the larger of each pair of elements.
public func simd_max<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector where Vector.Scalar: FloatingPoint {
    pointwiseMax(x, y)
}

/// Returns the smaller of each pair of elements.
public func simd_min<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector where Vector.Scalar: FloatingPoint {
    pointwiseMin(x, y)
}

/// Returns the elements limited to a range.
public func simd_clamp<Vector: SIMD>(
    _ x: Vector, _ min: Vector, _ max: Vector
) -> Vector where Vector.Scalar: FloatingPoint {
    pointwiseMin(pointwiseMax(x, min), max)
}

/// Returns the vector product.
public func simd_cross<Scalar: FloatingPoint & SIMDScalar>(
    _ x: SIMD3<Scalar>, _ y: SIMD3<Scalar>
) -> SIMD3<Scalar> {
    SIMD3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
}

/// Returns the product of a matrix and a vector.
public func simd_mul(_ x: simd_float4x4, _ y: SIMD4<Float>) -> SIMD4<Float> { x * y }
/// Returns the product of two matrices.
public func simd_mul(_ x: simd_float4x4, _ y: simd_float4x4) -> simd_float4x4 { x * y }
/// Returns the product of a matrix and a vector.
public func simd_mul(_ x: simd_float3x3, _ y: SIMD3<Float>) -> SIMD3<Float> { x * y }
/// Returns the product of two matrices.
public func simd_mul(_ x: simd_float3x3, _ y: simd_float3x3) -> simd_float3x3 { x * y }
/// Returns the inverse; infinities and NaNs if the matrix is singular.
public func simd_inverse(_ x: simd_float4x4) -> simd_float4x4 { x.inverse }
/// Returns the inverse; infinities and NaNs if the matrix is singular.
public func simd_inverse(_ x: simd_float3x3) -> simd_float3x3 { x.inverse }
/// Returns the transposed matrix.
public func simd_transpose(_ x: simd_float4x4) -> simd_float4x4 { x.transpose }
/// Returns the transposed matrix.
public func simd_transpose(_ x: simd_float3x3) -> simd_float3x3 { x.transpose }

/// Two doubles.
public typealias simd_double2 = SIMD2<Double>
/// Three doubles.
public typealias simd_double3 = SIMD3<Double>
/// Four doubles.
public typealias simd_double4 = SIMD4<Double>
/// Two integers.
public typealias simd_int2 = SIMD2<Int32>
/// Three integers.
public typealias simd_int3 = SIMD3<Int32>
/// Four integers.
public typealias simd_int4 = SIMD4<Int32>
/// Four bytes.
public typealias simd_uchar4 = SIMD4<UInt8>
