internal import CVisionKernels

/// The kernels of feature prints behind arrays.
enum PrintKernels {
    /// The Euclidean distance of two vectors of one length.
    static func distance(_ a: [Float], _ b: [Float]) -> Float {
        precondition(a.count == b.count && a.count <= PrintVector.largestCount)
        var square: Float = 0
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                cvk_f32_squared_distances(&square, a.baseAddress, 0, 1, Int32(a.count), b.baseAddress)
            }
        }
        return square.squareRoot()
    }

    /// The distance of one row of `rows`, which holds rows of `query.count` floats.
    static func distance(toRow row: Int, of rows: UnsafeBufferPointer<Float>, _ query: [Float]) -> Float {
        let columns = query.count
        precondition(columns <= PrintVector.largestCount && row >= 0 && (row + 1) * columns <= rows.count)
        var square: Float = 0
        if let first = rows.baseAddress {
            query.withUnsafeBufferPointer { query in
                cvk_f32_squared_distances(&square, first + row * columns, 0, 1, Int32(columns), query.baseAddress)
            }
        }
        return square.squareRoot()
    }

    /// The products of every row of `rows`, each of `query.count` bytes, with the query.
    static func products(of rows: [Int8], with query: [Int16], into results: inout [Int32]) {
        let columns = query.count
        precondition(columns > 0 && columns <= PrintVector.largestCount && rows.count.isMultiple(of: columns))
        let count = rows.count / columns
        precondition(results.count >= count)
        rows.withUnsafeBufferPointer { rows in
            query.withUnsafeBufferPointer { query in
                results.withUnsafeMutableBufferPointer { results in
                    cvk_s8_s16_dots(
                        results.baseAddress, rows.baseAddress, columns, Int32(count), Int32(columns),
                        query.baseAddress)
                }
            }
        }
    }
}
