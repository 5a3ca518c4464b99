/// How the values of a sparse tensor are placed: a tree whose levels are the tensor's axes in some order, followed by
/// the axes inside of a block. At a dense level a node has every child, at a compressed one it has those that an index
/// list names.
///
/// The stored values are the leaves in order. The format is that of "taco" (Kjolstad et al., 2017).
package struct TFLiteSparsity: Sendable, Equatable {
    package enum Level: Sendable, Equatable {
        case dense(Int)
        /// The children of node `n` are `indices[segments[n]..<segments[n + 1]]`.
        case compressed(segments: [Int], indices: [Int])
    }

    /// The axis of each level; numbers from the rank on stand for the blocks' axes.
    package let order: [Int]
    /// The tensor's axis that each of the blocks' axes divides.
    package let blockAxes: [Int]
    package let levels: [Level]

    init(order: [Int], blockAxes: [Int], levels: [Level]) {
        self.order = order
        self.blockAxes = blockAxes
        self.levels = levels
    }

    init(_ table: FlatTable) throws {
        order = try table.integers(0, Int32.self) ?? []
        blockAxes = try table.integers(1, Int32.self) ?? []
        levels = try table.tables(2).map { level in
            guard try level.integer(0, Int8.self) != 0 else {
                return .dense(Int(try level.integer(1, Int32.self)))
            }
            return .compressed(segments: try Self.list(level, 2), indices: try Self.list(level, 4))
        }
    }

    /// A list of integers of one of three widths: a field with the kind, and after it the vector in a table of its own.
    private static func list(_ level: FlatTable, _ field: Int) throws -> [Int] {
        let kind = try level.integer(field, UInt8.self)
        guard let table = try level.table(field + 1) else { return [] }
        switch kind {
        case 1: return try table.integers(0, Int32.self) ?? []
        case 2: return try table.integers(0, UInt16.self) ?? []
        case 3: return try table.integers(0, UInt8.self) ?? []
        default: throw ModelError.unreadable("sparse indices of kind \(kind)")
        }
    }

    /// Where in the dense tensor each stored value belongs, counted in elements.
    ///
    /// - Parameters:
    ///   - shape: The dense tensor's; its count of elements has been found bearable.
    ///   - valueCount: How many values are stored.
    /// - Throws: `ModelError.damaged` when the levels contradict the shape, each other or the count of values.
    package func positions(shape: [Int], valueCount: Int) throws -> [Int] {
        let steps = try steps(shape: shape)
        var positions = [0]
        for (level, step) in zip(levels, steps) {
            switch level {
            case .dense(let size):
                guard size == step.extent else { throw Self.damaged("a dense axis has another size") }
                var next: [Int] = []
                next.reserveCapacity(positions.count * size)
                for position in positions {
                    for index in 0..<size { next.append(position + index * step.stride) }
                }
                positions = next
            case .compressed(let segments, let indices):
                guard segments.count == positions.count + 1, segments.first == 0, segments.last == indices.count,
                    zip(segments, segments.dropFirst()).allSatisfy({ $0 <= $1 })
                else { throw Self.damaged("its segments are not in order") }
                guard indices.allSatisfy({ $0 >= 0 && $0 < step.extent }) else {
                    throw Self.damaged("an index lies outside of its axis")
                }
                var next: [Int] = []
                next.reserveCapacity(indices.count)
                for (node, position) in positions.enumerated() {
                    for index in indices[segments[node]..<segments[node + 1]] {
                        next.append(position + index * step.stride)
                    }
                }
                positions = next
            }
        }
        guard positions.count <= valueCount else {
            throw Self.damaged("it has positions for \(positions.count) values and has \(valueCount)")
        }
        return positions
    }

    /// For each level how many indices its axis has and how far apart in the dense tensor neighbours are.
    private func steps(shape: [Int]) throws -> [(extent: Int, stride: Int)] {
        guard levels.count == order.count, order.sorted() == Array(0..<shape.count + blockAxes.count),
            Set(blockAxes).count == blockAxes.count, blockAxes.allSatisfy({ shape.indices.contains($0) })
        else { throw Self.damaged("its levels do not cover its axes once each") }
        var strides = [Int](repeating: 1, count: shape.count)
        var count = 1
        for axis in shape.indices.reversed() {
            strides[axis] = count
            let (product, overflows) = count.multipliedReportingOverflow(by: shape[axis])
            guard !overflows, shape[axis] >= 0 else { throw Self.damaged("its shape is impossible") }
            count = product
        }

        var blockSizes = [Int](repeating: 1, count: shape.count)
        for (level, axis) in zip(levels, order) where axis >= shape.count {
            guard case .dense(let size) = level, size > 0, shape[blockAxes[axis - shape.count]] % size == 0 else {
                throw Self.damaged("its blocks do not divide its axes")
            }
            blockSizes[blockAxes[axis - shape.count]] = size
        }
        return order.map { axis in
            guard axis < shape.count else {
                let divided = blockAxes[axis - shape.count]
                return (blockSizes[divided], strides[divided])
            }
            return (shape[axis] / blockSizes[axis], strides[axis] * blockSizes[axis])
        }
    }

    private static func damaged(_ what: String) -> ModelError {
        .damaged("a sparse tensor contradicts itself: \(what)")
    }
}
