import CVisionKernels

/// The features of an image, packed for matching with those of another.
struct PackedFeatures {
    /// The best match of a feature among the packed ones.
    struct Best {
        var index: Int
        var product: Int
        /// The best dot product of a feature that lies elsewhere.
        var second: Int
    }

    private let count: Int
    private let groups: Int
    private let packed: [UInt8]
    private let x: [Float]
    private let y: [Float]

    init(_ set: FeatureSet) {
        let (bytes, group) = (Int(CVK_FEATURE_BYTES), Int(CVK_FEATURE_GROUP))
        count = set.count
        groups = (set.count + group - 1) / group
        var packed = [UInt8](repeating: 0, count: groups * group * bytes)
        set.descriptors.withUnsafeBufferPointer { from in
            packed.withUnsafeMutableBufferPointer { to in
                for feature in 0..<set.count {
                    let start = feature / group * group * bytes + feature % group * 4
                    for four in 0..<(bytes / 4) {
                        for k in 0..<4 { to[start + four * group * 4 + k] = from[feature * bytes + four * 4 + k] }
                    }
                }
            }
        }
        self.packed = packed
        // The padding after the last one has no product above 0.
        let padding = [Float](repeating: 0, count: groups * group - set.count)
        x = set.features.map { Float($0.point.x) } + padding
        y = set.features.map { Float($0.point.y) } + padding
    }

    /// Returns the best match of each feature of `queries`, and for each packed feature the index of the query that
    /// matches it best.
    ///
    /// - Parameters:
    ///   - gates: For each query the predicted position of its match, if known.
    ///   - reach: The largest distance from there.
    ///   - apart: Features that are nearer than this to the best one are not its rivals.
    func best(
        for queries: FeatureSet, gates: [PlanarPoint]?, reach: Double, apart: Double
    ) -> (queries: [Best?], packed: [Int]) {
        guard count > 0, queries.count > 0 else { return (Array(repeating: nil, count: queries.count), []) }
        let columns = groups * Int(CVK_FEATURE_GROUP)
        let rowsAtOnce = 8
        precondition(gates.map { $0.count == queries.count } ?? true)
        var result: [Best?] = []
        result.reserveCapacity(queries.count)
        var products = [Int32](repeating: 0, count: columns * rowsAtOnce)
        var columnBest = [Int32](repeating: 0, count: columns)
        var columnOwn = [Int32](repeating: -1, count: columns)
        var found: [Int32] = [0, 0, 0]
        queries.descriptors.withUnsafeBufferPointer { descriptors in
            guard let address = descriptors.baseAddress else { return }
            for start in stride(from: 0, to: queries.count, by: rowsAtOnce) {
                let rows = min(rowsAtOnce, queries.count - start)
                cvk_u8_feature_products(
                    &products, columns * MemoryLayout<Int32>.stride, address + start * Int(CVK_FEATURE_BYTES),
                    Int32(rows), packed, Int32(groups))
                products.withUnsafeBufferPointer { products in
                    guard let products = products.baseAddress else { return }
                    for row in 0..<rows {
                        let gate = gates?[start + row]
                        cvk_s32_feature_best(
                            &found, products + row * columns, Int32(columns), x, y, Float(gate?.x ?? 0),
                            Float(gate?.y ?? 0), gate == nil ? 1e9 : Float(reach), Float(apart), &columnBest,
                            &columnOwn, Int32(start + row))
                        result.append(
                            found[0] < 0 || found[0] >= Int32(count)
                                ? nil : Best(index: Int(found[0]), product: Int(found[1]), second: Int(found[2])))
                    }
                }
            }
        }
        return (result, columnOwn.prefix(count).map(Int.init))
    }
}

/// Pairs of points in the layout in which maps are scored.
struct PointPairs {
    let count: Int
    private let x: [Float]
    private let y: [Float]
    private let u: [Float]
    private let v: [Float]
    private let w: [Float]

    init(_ pairs: [PointPair]) {
        count = pairs.count
        let padding = [Float](repeating: 0, count: (16 - pairs.count % 16) % 16)
        x = pairs.map { Float($0.from.x) } + padding
        y = pairs.map { Float($0.from.y) } + padding
        u = pairs.map { Float($0.to.x) } + padding
        v = pairs.map { Float($0.to.y) } + padding
        w = pairs.map { Float($0.weight) } + padding
    }

    /// Returns the score of each map: the sum over the pairs of 1 - (error / limit)², where that is above 0.
    func scores(of maps: [Homography], limit: Double) -> [Float] {
        guard !maps.isEmpty, count > 0, limit > 0 else { return Array(repeating: 0, count: maps.count) }
        var numbers: [Float] = []
        numbers.reserveCapacity(maps.count * 9)
        for map in maps {
            for row in [map.row0, map.row1, map.row2] { for i in 0..<3 { numbers.append(Float(row[i])) } }
        }
        return [Float](unsafeUninitializedCapacity: maps.count) { result, count in
            cvk_f32_homography_scores(
                result.baseAddress, numbers, Int32(maps.count), x, y, u, v, w, Int32(x.count), Float(limit))
            count = maps.count
        }
    }
}
