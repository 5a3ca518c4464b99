// More arithmetic of vDSP on vectors. Pointers must hold as many elements as length and stride ask for.

/// Changes the sign: C = -A.
public func vDSP_vneg(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride,
    _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = -__A[index * __IA] }
}

/// The magnitudes: C = |A|.
public func vDSP_vabs(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride,
    _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = abs(__A[index * __IA]) }
}

/// The squares: C = A².
public func vDSP_vsq(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride,
    _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = __A[index * __IA] * __A[index * __IA] }
}

/// Multiplies by a number and adds a vector: D = A b + C.
public func vDSP_vsma(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __C: UnsafePointer<Float>,
    _ __IC: vDSP_Stride, _ __D: UnsafeMutablePointer<Float>, _ __ID: vDSP_Stride, _ __N: vDSP_Length
) {
    let factor = __B.pointee
    for index in 0..<Int(__N) { __D[index * __ID] = __A[index * __IA] * factor + __C[index * __IC] }
}

/// Multiplies two vectors by a number each and adds them: E = A b + C d.
public func vDSP_vsmsma(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __C: UnsafePointer<Float>,
    _ __IC: vDSP_Stride, _ __D: UnsafePointer<Float>, _ __E: UnsafeMutablePointer<Float>, _ __IE: vDSP_Stride,
    _ __N: vDSP_Length
) {
    let (first, second) = (__B.pointee, __D.pointee)
    for index in 0..<Int(__N) { __E[index * __IE] = __A[index * __IA] * first + __C[index * __IC] * second }
}

/// Subtracts and multiplies by a number: D = (A - B) c.
public func vDSP_vsbsm(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride,
    _ __C: UnsafePointer<Float>, _ __D: UnsafeMutablePointer<Float>, _ __ID: vDSP_Stride, _ __N: vDSP_Length
) {
    let factor = __C.pointee
    for index in 0..<Int(__N) { __D[index * __ID] = (__A[index * __IA] - __B[index * __IB]) * factor }
}

/// Subtracts and multiplies: D = (A - B) C.
public func vDSP_vsbm(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride,
    _ __C: UnsafePointer<Float>, _ __IC: vDSP_Stride, _ __D: UnsafeMutablePointer<Float>, _ __ID: vDSP_Stride,
    _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) {
        __D[index * __ID] = (__A[index * __IA] - __B[index * __IB]) * __C[index * __IC]
    }
}

/// Multiplies and adds: D = A B + C.
public func vDSP_vma(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride,
    _ __C: UnsafePointer<Float>, _ __IC: vDSP_Stride, _ __D: UnsafeMutablePointer<Float>, _ __ID: vDSP_Stride,
    _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) {
        __D[index * __ID] = __A[index * __IA] * __B[index * __IB] + __C[index * __IC]
    }
}

/// Interpolates between two vectors: D = A + c (B - A).
public func vDSP_vintb(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride,
    _ __C: UnsafePointer<Float>, _ __D: UnsafeMutablePointer<Float>, _ __ID: vDSP_Stride, _ __N: vDSP_Length
) {
    let share = __C.pointee
    for index in 0..<Int(__N) {
        let first = __A[index * __IA]
        __D[index * __ID] = first + share * (__B[index * __IB] - first)
    }
}

/// Zero for elements below a limit: C = A where A ≥ b, else 0.
public func vDSP_vthres(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let limit = __B.pointee
    for index in 0..<Int(__N) {
        let value = __A[index * __IA]
        __C[index * __IC] = value >= limit ? value : 0
    }
}

/// The limit for elements below it: C = A where A ≥ b, else b.
public func vDSP_vthr(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let limit = __B.pointee
    for index in 0..<Int(__N) {
        let value = __A[index * __IA]
        __C[index * __IC] = value >= limit ? value : limit
    }
}

/// The larger of two elements: C = max(A, B).
public func vDSP_vmax(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = max(__A[index * __IA], __B[index * __IB]) }
}

/// The smaller of two elements: C = min(A, B).
public func vDSP_vmin(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = min(__A[index * __IA], __B[index * __IB]) }
}

/// Numbers at equal distances: C[n] = a + n b.
public func vDSP_vramp(
    _ __A: UnsafePointer<Float>, _ __B: UnsafePointer<Float>, _ __C: UnsafeMutablePointer<Float>,
    _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let (start, step) = (__A.pointee, __B.pointee)
    for index in 0..<Int(__N) { __C[index * __IC] = start + Float(index) * step }
}

/// Numbers at equal distances: C[n] = a + n b.
public func vDSP_vrampD(
    _ __A: UnsafePointer<Double>, _ __B: UnsafePointer<Double>, _ __C: UnsafeMutablePointer<Double>,
    _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    let (start, step) = (__A.pointee, __B.pointee)
    for index in 0..<Int(__N) { __C[index * __IC] = start + Double(index) * step }
}

/// Copies elements by their positions: C[n] = A[B[n]], the fraction of B being cut off. Positions that are no numbers
/// of 0 and above are a programming error.
public func vDSP_vindex(
    _ __A: UnsafePointer<Float>, _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = __A[Int(__B[index * __IB])] }
}

/// Copies elements by their positions, which are counted from 1: C[n] = A[B[n] - 1].
public func vDSP_vgathr(
    _ __A: UnsafePointer<Float>, _ __B: UnsafePointer<vDSP_Length>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    for index in 0..<Int(__N) { __C[index * __IC] = __A[Int(__B[index * __IB]) - 1] }
}

/// Sorts positions by the elements that they name: ascending for an order of 1, descending for -1. NaN come last.
///
/// - Parameters:
///   - __I: The positions, from 0 on, which are put in order.
///   - __temp: Not used, as on Apple's systems.
public func vDSP_vsorti(
    _ __C: UnsafePointer<Float>, _ __I: UnsafeMutablePointer<vDSP_Length>, _ __temp: UnsafeMutablePointer<vDSP_Length>?,
    _ __N: vDSP_Length, _ __Order: Int32
) {
    var positions = UnsafeMutableBufferPointer(start: __I, count: Int(__N))
    positions.sort { left, right in
        let (a, b) = (__C[Int(left)], __C[Int(right)])
        if a.isNaN || b.isNaN { return !a.isNaN && b.isNaN }
        return __Order >= 0 ? a < b : a > b
    }
}

/// The mean of the squares; NaN of nothing.
public func vDSP_measqv(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] * __A[$1 * __IA] } / Float(__N)
}

/// The sum of the squares with their elements' signs.
public func vDSP_svs(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] * abs(__A[$1 * __IA]) }
}

/// The sum of the squares with their elements' signs.
public func vDSP_svsD(
    _ __A: UnsafePointer<Double>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Double>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(0) { $0 + __A[$1 * __IA] * abs(__A[$1 * __IA]) }
}

extension vDSP {
    /// Writes the numbers of a vector as numbers of another type. Both have the same length; another one is a
    /// programming error.
    public static func convertElements<From: BinaryInteger, To: BinaryFloatingPoint>(
        of source: some AccelerateBuffer<From>, to destination: inout some AccelerateMutableBuffer<To>
    ) {
        convert(source, &destination) { To($0) }
    }

    /// Writes the numbers of a vector as numbers of another type. Both have the same length; another one is a
    /// programming error.
    public static func convertElements<From: BinaryFloatingPoint, To: BinaryFloatingPoint>(
        of source: some AccelerateBuffer<From>, to destination: inout some AccelerateMutableBuffer<To>
    ) {
        convert(source, &destination) { To($0) }
    }

    private static func convert<From, To>(
        _ source: some AccelerateBuffer<From>, _ destination: inout some AccelerateMutableBuffer<To>,
        _ change: (From) -> To
    ) {
        source.withUnsafeBufferPointer { source in
            destination.withUnsafeMutableBufferPointer { destination in
                precondition(source.count == destination.count, "The vectors have different lengths.")
                for index in source.indices { destination[index] = change(source[index]) }
            }
        }
    }
}
