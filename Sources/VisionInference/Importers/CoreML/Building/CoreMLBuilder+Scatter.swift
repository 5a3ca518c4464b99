extension CoreMLBuilder {
    /// How updates are combined with what they are written to.
    enum ScatterMode: String {
        case update, add, sub, mul, div, max, min

        /// In the order of the specification's `ScatterMode`.
        static let numbered: [ScatterMode] = [.update, .add, .sub, .mul, .div, .max, .min]
    }

    /// The engine's operation, and the updates for it: it neither subtracts nor divides.
    private func reduction(_ mode: ScatterMode, _ updates: Value) throws -> (ScatterReduction, Value) {
        switch mode {
        case .update: return (.none, updates)
        case .add: return (.add, updates)
        case .sub: return (.add, try unary(.neg, updates))
        case .mul: return (.mul, updates)
        case .div:
            guard try type(updates).isFloat else { throw ModelError.unsupported("a division of integers") }
            return (.mul, try binary(.div, scalar(1, like: updates), updates))
        case .max: return (.max, updates)
        case .min: return (.min, updates)
        }
    }

    /// Updates written to slices of an axis: those that the indices, of any number of axes, name.
    ///
    /// - Parameter updates: the data's shape with the axes of the indices instead of `axis`.
    func scattered(_ data: Value, _ indices: Value, _ updates: Value, axis: Int, _ mode: ScatterMode) throws -> Value {
        let (shape, places) = (try shape(data), try shape(indices))
        let axis = try shape.resolvedAxis(axis)
        let expected = shape[..<axis] + places + shape[(axis + 1)...]
        try require(
            try self.shape(updates) == Array(expected), "updates of shape \(try self.shape(updates)), not \(expected)")
        let (operation, values) = try reduction(mode, cast(updates, type(data)))
        // The axis, and those of the indices, become the first.
        let others = shape.indices.filter { $0 != axis }
        let moved = try transpose(data, [axis] + others)
        let end = axis + places.count
        let listed = try transpose(values, Array(axis..<end) + (0..<axis) + (end..<expected.count))
        let rows = try reshape(self.indices(indices, countedFrom: shape[axis]), places + [1])
        let result = try add(ScatterND(reduction: operation), [moved, rows, listed])
        let order = [axis] + others
        return try transpose(result, shape.indices.map { order.firstIndex(of: $0) ?? 0 })
    }

    /// Each update written at its own position, but along the axis where the indices say.
    func scatteredAlongAxis(
        _ data: Value, _ indices: Value, _ updates: Value, axis: Int, _ mode: ScatterMode
    ) throws -> Value {
        let axis = try shape(data).resolvedAxis(axis)
        let (operation, values) = try reduction(mode, cast(updates, type(data)))
        return try add(
            ScatterElements(axis: axis, reduction: operation),
            [data, self.indices(indices, countedFrom: shape(data)[axis]), values])
    }

    /// Updates written where the rows of the indices say.
    func scatteredByRows(_ data: Value, _ indices: Value, _ updates: Value, _ mode: ScatterMode) throws -> Value {
        let (operation, values) = try reduction(mode, cast(updates, type(data)))
        return try add(ScatterND(reduction: operation), [data, self.indices(indices), values])
    }

    /// What is within the band of each matrix (of the last two axes), zeros elsewhere.
    ///
    /// - Parameters:
    ///   - lower: diagonals below the main one that are kept; all when it is negative.
    ///   - upper: those above.
    func band(_ input: Value, lower: Int, upper: Int) throws -> Value {
        var result = input
        if lower >= 0 { result = try add(Trilu(upper: true), [result, scalar(Double(-lower), .int64)]) }
        if upper >= 0 { result = try add(Trilu(upper: false), [result, scalar(Double(upper), .int64)]) }
        return result
    }

    /// The indices that sort an axis.
    func sortedIndices(_ input: Value, axis: Int, ascending: Bool, _ type: ElementType) throws -> Value {
        let size = try shape(input)[shape(input).resolvedAxis(axis)]
        let indices = try add(TopK(axis: axis, largest: !ascending), [input, constant([size])], outputs: 2)[1]
        return try cast(indices, type)
    }

    /// The indices of all elements that are not zero, a row for each.
    func nonZeroIndices(_ input: Value, _ type: ElementType) throws -> Value {
        try cast(transpose(add(NonZero(), [input]), [1, 0]), type)
    }
}
