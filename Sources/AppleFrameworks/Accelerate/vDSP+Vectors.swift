// The functions of vDSP on arrays of floats and doubles that code around Core ML uses. Pointers must hold as many
// elements as length and stride ask for, as on Apple's systems.

/// A number of elements.
public typealias vDSP_Length = UInt
/// The distance between elements.
public typealias vDSP_Stride = Int

/// Adds: C = A + B.
public func vDSP_vadd(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] + __B[index * __IB] }
}

/// Adds: C = A + B.
public func vDSP_vaddD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Double>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] + __B[index * __IB] }
}

/// Multiplies: C = A B.
public func vDSP_vmul(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] * __B[index * __IB] }
}

/// Multiplies: C = A B.
public func vDSP_vmulD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Double>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] * __B[index * __IB] }
}

/// Subtracts: C = A - B. B comes first.
public func vDSP_vsub(
    _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride, _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] - __B[index * __IB] }
}

/// Subtracts: C = A - B. B comes first.
public func vDSP_vsubD(
    _ __B: UnsafePointer<Double>, _ __IB: vDSP_Stride, _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] - __B[index * __IB] }
}

/// Divides: C = A / B. B comes first.
public func vDSP_vdiv(
    _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride, _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] / __B[index * __IB] }
}

/// Divides: C = A / B. B comes first.
public func vDSP_vdivD(
    _ __B: UnsafePointer<Double>, _ __IB: vDSP_Stride, _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] / __B[index * __IB] }
}

/// Adds a number: C = A + b.
public func vDSP_vsadd(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let scalar = __B.pointee
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] + scalar }
}

/// Adds a number: C = A + b.
public func vDSP_vsaddD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Double>,
    _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let scalar = __B.pointee
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] + scalar }
}

/// Multiplies by a number: C = A b.
public func vDSP_vsmul(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let scalar = __B.pointee
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] * scalar }
}

/// Multiplies by a number: C = A b.
public func vDSP_vsmulD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Double>,
    _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let scalar = __B.pointee
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] * scalar }
}

/// Divides by a number: C = A / b.
public func vDSP_vsdiv(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let scalar = __B.pointee
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] / scalar }
}

/// Divides by a number: C = A / b.
public func vDSP_vsdivD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Double>,
    _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let scalar = __B.pointee
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] / scalar }
}

/// Multiplies by a number and adds another: D = A b + c.
public func vDSP_vsmsa(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __C: UnsafePointer<Float>,
    _ __D: UnsafeMutablePointer<Float>, _ __ID: vDSP_Stride, _ __N: vDSP_Length
) {
    let (factor, summand) = (__B.pointee, __C.pointee)
    for index in 0..<Int(__N) { __D[index * __ID] = __A[index * __IA] * factor + summand }
}

/// Limits to a range: D = A, at least b and at most c.
public func vDSP_vclip(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __C: UnsafePointer<Float>,
    _ __D: UnsafeMutablePointer<Float>, _ __ID: vDSP_Stride, _ __N: vDSP_Length
) {
    let (low, high) = (__B.pointee, __C.pointee)
    for index in 0..<Int(__N) { __D[index * __ID] = min(max(__A[index * __IA], low), high) }
}

/// Fills with a number.
public func vDSP_vfill(
    _ __A: UnsafePointer<Float>, _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let value = __A.pointee
    for index in 0..<Int(__N) { __C[index * __IC] = value }
}

/// Fills with zeros.
public func vDSP_vclr(_ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length) {
    for index in 0..<Int(__N) { __C[index * __IC] = 0 }
}

/// Multiplies two vectors: the sum of the products.
public func vDSP_dotpr(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] * __B[$1 * __IB] }
}

/// Transposes a matrix of rows: C has __M rows of __N elements, A __N rows of __M.
public func vDSP_mtrans(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride,
    _ __M: vDSP_Length, _ __N: vDSP_Length
) {
    let (rows, columns) = (Int(__M), Int(__N))
    for row in 0..<rows {
        for column in 0..<columns { __C[(row * columns + column) * __IC] = __A[(column * rows + row) * __IA] }
    }
}

/// Multiplies matrices of rows: C, __M × __N, is A, __M × __P, times B, __P × __N.
public func vDSP_mmul(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __M: vDSP_Length, _ __N: vDSP_Length,
    _ __P: vDSP_Length
) {
    let (rows, columns, inner) = (Int(__M), Int(__N), Int(__P))
    for row in 0..<rows {
        for column in 0..<columns {
            var sum: Float = 0
            for index in 0..<inner {
                sum += __A[(row * inner + index) * __IA] * __B[(index * columns + column) * __IB]
            }
            __C[(row * columns + column) * __IC] = sum
        }
    }
}

/// Multiplies by a number and adds another: D = A b + c.
public func vDSP_vsmsaD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Double>, _ __C: UnsafePointer<Double>,
    _ __D: UnsafeMutablePointer<Double>, _ __ID: vDSP_Stride, _ __N: vDSP_Length
) {
    let (factor, summand) = (__B.pointee, __C.pointee)
    for index in 0..<Int(__N) { __D[index * __ID] = __A[index * __IA] * factor + summand }
}

/// Limits to a range: D = A, at least b and at most c.
public func vDSP_vclipD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Double>, _ __C: UnsafePointer<Double>,
    _ __D: UnsafeMutablePointer<Double>, _ __ID: vDSP_Stride, _ __N: vDSP_Length
) {
    let (low, high) = (__B.pointee, __C.pointee)
    for index in 0..<Int(__N) { __D[index * __ID] = min(max(__A[index * __IA], low), high) }
}

/// Fills with a number.
public func vDSP_vfillD(
    _ __A: UnsafePointer<Double>, _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let value = __A.pointee
    for index in 0..<Int(__N) { __C[index * __IC] = value }
}

/// Fills with zeros.
public func vDSP_vclrD(_ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __N: vDSP_Length) {
    for index in 0..<Int(__N) { __C[index * __IC] = 0 }
}

/// Multiplies two vectors: the sum of the products.
public func vDSP_dotprD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Double>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Double>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] * __B[$1 * __IB] }
}

/// Transposes a matrix of rows: C has __M rows of __N elements, A __N rows of __M.
public func vDSP_mtransD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride,
    _ __M: vDSP_Length, _ __N: vDSP_Length
) {
    let (rows, columns) = (Int(__M), Int(__N))
    for row in 0..<rows {
        for column in 0..<columns { __C[(row * columns + column) * __IC] = __A[(column * rows + row) * __IA] }
    }
}

/// Multiplies matrices of rows: C, __M × __N, is A, __M × __P, times B, __P × __N.
public func vDSP_mmulD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Double>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Double>, _ __IC: vDSP_Stride, _ __M: vDSP_Length, _ __N: vDSP_Length,
    _ __P: vDSP_Length
) {
    let (rows, columns, inner) = (Int(__M), Int(__N), Int(__P))
    for row in 0..<rows {
        for column in 0..<columns {
            var sum: Double = 0
            for index in 0..<inner {
                sum += __A[(row * inner + index) * __IA] * __B[(index * columns + column) * __IB]
            }
            __C[(row * columns + column) * __IC] = sum
        }
    }
}
