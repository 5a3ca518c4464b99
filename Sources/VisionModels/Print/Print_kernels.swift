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
        precondition(!query.isEmpty && rows.count.isMultiple(of: query.count))
        products(of: rows, rows: 0..<rows.count / query.count, with: query, into: &results)
    }

    /// The products of some of the rows, each of `query.count` bytes, with the query; the first one's comes first.
    static func products(
        of codes: [Int8], rows: Range<Int>, with query: [Int16], into results: inout [Int32]
    ) {
        let columns = query.count
        precondition(columns > 0 && columns <= PrintVector.largestCount)
        precondition(rows.lowerBound >= 0 && rows.upperBound * columns <= codes.count && results.count >= rows.count)
        codes.withUnsafeBufferPointer { codes in
            query.withUnsafeBufferPointer { query in
                results.withUnsafeMutableBufferPointer { results in
                    guard let first = codes.baseAddress else { return }
                    cvk_s8_s16_dots(
                        results.baseAddress, first + rows.lowerBound * columns, columns, Int32(rows.count),
                        Int32(columns), query.baseAddress)
                }
            }
        }
    }

    /// Estimates the squared distances of a cluster's prints, but for that of the query from the cluster's centre.
    ///
    /// - Parameter results: A number for each print, with the empty slots of the last block.
    static func estimates(of cluster: PrintCluster, _ query: QueryTables, into results: inout [Float]) {
        let (count, tables) = (cluster.offsets.count, query.entries.count / 16)
        precondition(count.isMultiple(of: BinaryCode.blockSize) && cluster.factors.count == count)
        precondition(tables.isMultiple(of: 4) && cluster.codes.count == count * tables / 2 && results.count >= count)
        cluster.codes.withUnsafeBufferPointer { codes in
            query.entries.withUnsafeBufferPointer { entries in
                cluster.offsets.withUnsafeBufferPointer { offsets in
                    cluster.factors.withUnsafeBufferPointer { factors in
                        results.withUnsafeMutableBufferPointer { results in
                            cvk_u4_table_estimates(
                                results.baseAddress, codes.baseAddress, Int32(count / BinaryCode.blockSize),
                                Int32(tables), entries.baseAddress, offsets.baseAddress, factors.baseAddress,
                                query.scale, query.bias)
                        }
                    }
                }
            }
        }
    }
}
