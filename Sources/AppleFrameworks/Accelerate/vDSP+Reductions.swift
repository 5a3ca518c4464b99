// Sums, means, extremes and conversions of vDSP.

/// The sum.
public func vDSP_sve(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] }
}

/// The sum of the squares.
public func vDSP_svesq(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] * __A[$1 * __IA] }
}

/// The mean; NaN of nothing.
public func vDSP_meanv(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] } / Float(__N)
}

/// The root of the mean of the squares; NaN of nothing.
public func vDSP_rmsqv(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
    __C.pointee = ((0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] * __A[$1 * __IA] } / Float(__N)).squareRoot()
}

/// The largest element; minus infinity of nothing.
public func vDSP_maxv(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(-Float.infinity) { max($0, __A[$1 * __IA]) }
}

/// The smallest element; infinity of nothing.
public func vDSP_minv(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(Float.infinity) { min($0, __A[$1 * __IA]) }
}

/// The largest element and its position in A, which counts the stride; 0 of nothing.
public func vDSP_maxvi(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>,
    _ __I: UnsafeMutablePointer<vDSP_Length>, _ __N: vDSP_Length
) {
    var best = (value: -Float.infinity, index: 0)
    for index in 0..<Int(__N) where __A[index * __IA] > best.value { best = (__A[index * __IA], index) }
    __C.pointee = best.value
    __I.pointee = vDSP_Length(abs(best.index * __IA))
}

/// The smallest element and its position in A, which counts the stride; 0 of nothing.
public func vDSP_minvi(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>,
    _ __I: UnsafeMutablePointer<vDSP_Length>, _ __N: vDSP_Length
) {
    var best = (value: Float.infinity, index: 0)
    for index in 0..<Int(__N) where __A[index * __IA] < best.value { best = (__A[index * __IA], index) }
    __C.pointee = best.value
    __I.pointee = vDSP_Length(abs(best.index * __IA))
}

/// The sum.
public func vDSP_sveD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] }
}

/// The sum of the squares.
public func vDSP_svesqD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] * __A[$1 * __IA] }
}

/// The mean; NaN of nothing.
public func vDSP_meanvD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] } / Double(__N)
}

/// The root of the mean of the squares; NaN of nothing.
public func vDSP_rmsqvD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>, _ __N: vDSP_Length
) {
    __C.pointee = ((0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] * __A[$1 * __IA] } / Double(__N)).squareRoot()
}

/// The largest element; minus infinity of nothing.
public func vDSP_maxvD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(-Double.infinity) { max($0, __A[$1 * __IA]) }
}

/// The smallest element; infinity of nothing.
public func vDSP_minvD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(Double.infinity) { min($0, __A[$1 * __IA]) }
}

/// The largest element and its position in A, which counts the stride; 0 of nothing.
public func vDSP_maxviD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>,
    _ __I: UnsafeMutablePointer<vDSP_Length>, _ __N: vDSP_Length
) {
    var best = (value: -Double.infinity, index: 0)
    for index in 0..<Int(__N) where __A[index * __IA] > best.value { best = (__A[index * __IA], index) }
    __C.pointee = best.value
    __I.pointee = vDSP_Length(abs(best.index * __IA))
}

/// The smallest element and its position in A, which counts the stride; 0 of nothing.
public func vDSP_minviD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>,
    _ __I: UnsafeMutablePointer<vDSP_Length>, _ __N: vDSP_Length
) {
    var best = (value: Double.infinity, index: 0)
    for index in 0..<Int(__N) where __A[index * __IA] < best.value { best = (__A[index * __IA], index) }
    __C.pointee = best.value
    __I.pointee = vDSP_Length(abs(best.index * __IA))
}

/// Doubles as floats.
public func vDSP_vdpsp(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride,
    _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = Float(__A[index * __IA]) }
}

/// Floats as doubles.
public func vDSP_vspdp(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride,
    _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = Double(__A[index * __IA]) }
}

/// Bytes as floats.
public func vDSP_vfltu8(
    _ __A: UnsafePointer<UInt8>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride,
    _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = Float(__A[index * __IA]) }
}

/// Signed bytes as floats.
public func vDSP_vflt8(
    _ __A: UnsafePointer<Int8>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride,
    _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = Float(__A[index * __IA]) }
}

/// Integers as floats.
public func vDSP_vflt32(
    _ __A: UnsafePointer<Int32>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride,
    _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = Float(__A[index * __IA]) }
}

/// Floats as bytes, cut to whole numbers and limited.
public func vDSP_vfixu8(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<UInt8>, _ __IC: vDSP_Stride,
    _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = UInt8(limited(__A[index * __IA], 0, 255)) }
}

/// Floats as integers, cut to whole numbers and limited.
public func vDSP_vfix32(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Int32>, _ __IC: vDSP_Stride,
    _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = Int32(limited(__A[index * __IA], -2_147_483_648, 2_147_483_520)) }
}

/// Toward zero, within a range; 0 for NaN.
private func limited(_ value: Float, _ low: Float, _ high: Float) -> Float {
    value.isNaN ? 0 : min(max(value.rounded(.towardZero), low), high)
}
