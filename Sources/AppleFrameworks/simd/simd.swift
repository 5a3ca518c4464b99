// The vectors and matrices of simd that this package has, under Apple's module name.
@_exported public import VisionImage

/// Returns the sum of the products of the elements.
public func dot<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
    simd_dot(x, y)
}

/// Returns the vector product.
public func cross<Scalar: FloatingPoint & SIMDScalar>(_ x: SIMD3<Scalar>, _ y: SIMD3<Scalar>) -> SIMD3<Scalar> {
    simd_cross(x, y)
}

/// Returns the Euclidean length.
public func length<Vector: SIMD>(_ x: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint { simd_length(x) }

/// Returns the Euclidean distance.
public func distance<Vector: SIMD>(_ x: Vector, _ y: Vector) -> Vector.Scalar where Vector.Scalar: FloatingPoint {
    simd_distance(x, y)
}

/// Returns the vector with length 1; NaNs for the zero vector.
public func normalize<Vector: SIMD>(_ x: Vector) -> Vector where Vector.Scalar: FloatingPoint { simd_normalize(x) }

/// Returns x (1 - t) + y t.
public func mix<Vector: SIMD>(_ x: Vector, _ y: Vector, t: Vector) -> Vector where Vector.Scalar: FloatingPoint {
    simd_mix(x, y, t)
}

/// Two floats: a name of Swift's first versions.
public typealias float2 = SIMD2<Float>
/// Three floats: a name of Swift's first versions.
public typealias float3 = SIMD3<Float>
/// Four floats: a name of Swift's first versions.
public typealias float4 = SIMD4<Float>
/// Two doubles: a name of Swift's first versions.
public typealias double2 = SIMD2<Double>
/// Three doubles: a name of Swift's first versions.
public typealias double3 = SIMD3<Double>
/// Four doubles: a name of Swift's first versions.
public typealias double4 = SIMD4<Double>
