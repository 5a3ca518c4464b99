import Foundation

/// The largest magnitude; 0 of nothing.
public func vDSP_maxmgv(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(0) { max($0, abs(__A[$1 * __IA])) }
}

/// The smallest magnitude; infinity of nothing.
public func vDSP_minmgv(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length
) {
    __C.pointee = (0..<Int(__N)).reduce(Float.infinity) { min($0, abs(__A[$1 * __IA])) }
}

/// Sorts in place: ascending for an order of 1, descending for -1. NaN come last.
public func vDSP_vsort(_ __C: UnsafeMutablePointer<Float>, _ __N: vDSP_Length, _ __Order: Int32) {
    let isAscending = __Order >= 0
    var values = UnsafeMutableBufferPointer(start: __C, count: Int(__N))
    values.sort { left, right in
        if left.isNaN || right.isNaN { return !left.isNaN && right.isNaN }
        return isAscending ? left < right : left > right
    }
}

/// Copies a matrix of `__M` columns and `__N` rows out of and into matrices with more columns.
public func vDSP_mmov(
    _ __A: UnsafePointer<Float>, _ __C: UnsafeMutablePointer<Float>, _ __M: vDSP_Length, _ __N: vDSP_Length,
    _ __TA: vDSP_Length, _ __TC: vDSP_Length
) {
    for row in 0..<Int(__N) {
        for column in 0..<Int(__M) { __C[row * Int(__TC) + column] = __A[row * Int(__TA) + column] }
    }
}

/// Limits elements to a range and counts those below and above it.
public func vDSP_vclipc(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __C: UnsafePointer<Float>,
    _ __D: UnsafeMutablePointer<Float>, _ __ID: vDSP_Stride, _ __N: vDSP_Length,
    _ __NLOW: UnsafeMutablePointer<vDSP_Length>, _ __NHI: UnsafeMutablePointer<vDSP_Length>
) {
    let (low, high) = (__B.pointee, __C.pointee)
    var (below, above): (vDSP_Length, vDSP_Length) = (0, 0)
    for index in 0..<Int(__N) {
        let value = __A[index * __IA]
        if value < low { below += 1 } else if value > high { above += 1 }
        __D[index * __ID] = value < low ? low : value > high ? high : value
    }
    (__NLOW.pointee, __NHI.pointee) = (below, above)
}

/// Copies the elements of A whose partner in B is not 0, one behind the other.
public func vDSP_vcmprs(
    _ __A: UnsafePointer<Float>, _ __IA: vDSP_Stride, _ __B: UnsafePointer<Float>, _ __IB: vDSP_Stride,
    _ __C: UnsafeMutablePointer<Float>, _ __IC: vDSP_Stride, _ __N: vDSP_Length
) {
    var count = 0
    for index in 0..<Int(__N) where __B[index * __IB] != 0 {
        __C[count * __IC] = __A[index * __IA]
        count += 1
    }
}

extension vDSP {
    /// Returns the squares of the elements.
    public static func square<Number: BinaryFloatingPoint>(_ vector: some AccelerateBuffer<Number>) -> [Number] {
        vector.withUnsafeBufferPointer { $0.map { $0 * $0 } }
    }
}
