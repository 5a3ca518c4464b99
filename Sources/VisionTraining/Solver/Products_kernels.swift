internal import CVisionKernels
import VisionThreads

/// Matrix products and row functions on several threads. Results do not depend on the number of threads.
///
/// Matrices are row-major. The rows of a result are split among threads, but never the sum of an element.
struct Products {
    let workers: Workers
    /// The rows of a part are a multiple of this, so that parts fill the tiles of the kernels.
    private static let rowUnit = 16

    private func shares(_ rows: Int) -> [Range<Int>] {
        let units = (rows + Self.rowUnit - 1) / Self.rowUnit
        let count = max(1, min(workers.count, units))
        return (0..<count).map { share in
            min(rows, units * share / count * Self.rowUnit)..<min(rows, units * (share + 1) / count * Self.rowUnit)
        }
    }

    /// Computes the product of `left` (rows × inner) and `right` (inner × columns).
    ///
    /// - Parameters:
    ///   - right: The matrix begins at `offset`. If `isTransposed` it has `columns` rows of `inner` elements.
    func multiply(
        _ left: [Float], _ right: [Float], from offset: Int = 0, isTransposed: Bool = false, rows: Int, inner: Int,
        columns: Int, into result: inout [Float]
    ) {
        precondition(left.count == rows * inner && result.count >= rows * columns)
        precondition(offset >= 0 && right.count - offset >= inner * columns)
        precondition(rows <= Int32.max && inner <= Int32.max && columns <= Int32.max)
        guard rows > 0, inner > 0, columns > 0 else { return }
        let shares = shares(rows)
        let most = shares.map(\.count).max() ?? 0
        let workBytes =
            (cvk_f32_multiply_work_bytes(Int32(most), Int32(columns), Int32(inner)) + 63) / 64 * 64
        nonisolated(unsafe) let work = UnsafeMutableRawPointer.allocate(
            byteCount: workBytes * workers.count, alignment: 64)
        defer { work.deallocate() }
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                result.withUnsafeMutableBufferPointer { result in
                    guard let left = left.baseAddress, let right = right.baseAddress, let result = result.baseAddress
                    else { return }
                    // Parts write different rows; each worker has its own scratch memory.
                    nonisolated(unsafe) let (a, b, c) = (left, right + offset, result)
                    workers.parallel(shares.count) { part, worker in
                        let rows = shares[part]
                        guard !rows.isEmpty else { return }
                        cvk_f32_multiply(
                            c + rows.lowerBound * columns, columns * 4, a + rows.lowerBound * inner, inner * 4, 4, b,
                            isTransposed ? 4 : columns * 4, isTransposed ? inner * 4 : 4, Int32(rows.count),
                            Int32(columns), Int32(inner), 1, work + worker * workBytes)
                    }
                }
            }
        }
    }

    /// The softmax of every row, in place.
    func softmax(_ matrix: inout [Float], rows: Int, columns: Int) {
        precondition(matrix.count >= rows * columns)
        let shares = shares(rows)
        matrix.withUnsafeMutableBufferPointer { matrix in
            guard let first = matrix.baseAddress else { return }
            nonisolated(unsafe) let matrix = first
            workers.parallel(shares.count) { part, _ in
                let rows = shares[part]
                guard !rows.isEmpty else { return }
                let start = matrix + rows.lowerBound * columns
                cvk_f32_softmax(start, columns * 4, start, columns * 4, Int32(rows.count), Int32(columns), 0)
            }
        }
    }

    /// Returns the transposed matrix.
    static func transposed(_ matrix: [Float], rows: Int, columns: Int) -> [Float] {
        precondition(matrix.count == rows * columns)
        guard !matrix.isEmpty else { return [] }
        return [Float](unsafeUninitializedCapacity: matrix.count) { target, count in
            matrix.withUnsafeBufferPointer { source in
                if let to = target.baseAddress, let from = source.baseAddress {
                    cvk_f32_transpose(to, rows * 4, from, columns * 4, Int32(columns), Int32(rows))
                }
            }
            count = matrix.count
        }
    }
}

/// Half-precision floats, as files keep weights.
package enum HalfFloats {
    /// The bits of the nearest halves.
    package static func bits(of values: [Float]) -> [UInt16] {
        guard !values.isEmpty else { return [] }
        return [UInt16](unsafeUninitializedCapacity: values.count) { target, count in
            values.withUnsafeBufferPointer { source in
                // Row by row of a size that an Int32 counts.
                var start = 0
                while start < values.count, let to = target.baseAddress, let from = source.baseAddress {
                    let length = min(1 << 24, values.count - start)
                    cvk_f16_from_f32(to + start, 0, from + start, 0, 1, Int32(length))
                    start += length
                }
            }
            count = values.count
        }
    }

    /// The value of a half.
    package static func value(of bits: UInt16) -> Float {
        let sign: Float = bits & 0x8000 == 0 ? 1 : -1
        let (exponent, fraction) = (Int(bits >> 10 & 0x1F), Float(bits & 0x3FF))
        switch exponent {
        case 0: return sign * fraction * 0x1p-24
        case 31: return fraction == 0 ? sign * .infinity : .nan
        default: return sign * Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
        }
    }
}
