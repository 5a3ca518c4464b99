/// One bit for each element of a rotated vector: whether it is above that of the vector's cluster. With two numbers
/// for each vector the bits estimate its distance from any other vector, without bias.
///
/// Source: Gao and Long, "RaBitQ: quantizing high-dimensional vectors with a theoretical error bound for approximate
/// nearest neighbor search", SIGMOD 2024. With r the vector minus the centroid c, s the signs of r, and
/// f = |r|² / Σ|rᵢ|, the product of r with q - c is about f (q - c)·s, so that
///
///     |q - c - r|² ≈ |q - c|² + offset + factor q·s,   offset = |r|² + 2 f c·s,   factor = -2 f
///
/// and only q·s, a sum that the kernels look up in tables, is needed for each vector.
struct BinaryCode {
    /// Vectors whose codes are interleaved, for the kernels.
    static let blockSize = 32

    /// Eight elements a byte, the first one in the lowest bit.
    var bits: [UInt8]
    var offset: Float
    var factor: Float

    /// - Parameters:
    ///   - vector: The rotated vector.
    ///   - centroid: The rotated centroid of its cluster.
    init(_ vector: [Float], centroid: ArraySlice<Float>) {
        precondition(vector.count == centroid.count && vector.count.isMultiple(of: 8))
        bits = [UInt8](repeating: 0, count: vector.count / 8)
        var (square, sum, product): (Float, Float, Float) = (0, 0, 0)
        let first = centroid.startIndex
        for index in vector.indices {
            let center = centroid[first + index]
            let rest = vector[index] - center
            square += rest * rest
            sum += abs(rest)
            if rest > 0 {
                bits[index / 8] |= 1 << UInt8(index % 8)
                product += center
            } else {
                product -= center
            }
        }
        // A print at the centroid has no direction.
        let scale = sum > 1e-20 ? square / sum : 0
        offset = square + 2 * scale * product
        factor = -2 * scale
    }
}

/// What a search looks up: the products of four elements of the query with each of the 16 combinations of four signs,
/// as bytes.
struct QueryTables {
    let entries: [UInt8]
    /// A product is the sum of its entries times `scale`, plus `bias`.
    let scale: Float
    let bias: Float

    /// - Parameter query: The rotated query.
    init(_ query: [Float]) {
        let tables = query.count / 4
        // A table's entries lie within ± the sum of its elements' magnitudes.
        let reaches = (0..<tables).map { table in query[4 * table..<4 * table + 4].reduce(0) { $0 + abs($1) } }
        let (most, all) = (reaches.reduce(0, max), reaches.reduce(0, +))
        // The largest entry must fit a byte and the largest sum 16 bits, even if every entry is rounded up.
        let step = max(2 * most / 255, 2 * all / Float(65_535 - tables), 1e-30)
        let inverse = 1 / step
        entries = [UInt8](unsafeUninitializedCapacity: 16 * tables) { entries, count in
            for table in 0..<tables {
                let (a, b, c, d) = (query[4 * table], query[4 * table + 1], query[4 * table + 2], query[4 * table + 3])
                for signs in 0..<16 {
                    let sum =
                        (signs & 1 != 0 ? a : -a) + (signs & 2 != 0 ? b : -b) + (signs & 4 != 0 ? c : -c)
                        + (signs & 8 != 0 ? d : -d)
                    let entry = UInt8(min(255, (sum + reaches[table]) * inverse + 0.5))
                    entries.initializeElement(at: 16 * table + signs, to: entry)
                }
            }
            count = 16 * tables
        }
        scale = step
        bias = -all
    }
}
