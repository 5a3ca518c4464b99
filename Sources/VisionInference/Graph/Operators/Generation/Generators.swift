/// Ones where the indices (input 0) say, zeros elsewhere, or other values: input 1 is the length of the new axis, input 2
/// the two values, first that of what is off. Indices out of range leave all off.
package struct OneHot: MovingOperator {
    package var axis: Int

    package init(axis: Int = -1) { self.axis = axis }

    package var name: String { "OneHot" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let indices = try requiredNumber(inputs, 0)
        let depth = try requiredNumber(inputs, 1)
        let values = try required(inputs, 2)
        try check(
            values.shape.elementCount == 2 && depth.shape.elementCount == 1,
            "depth of shape \(depth.shape), values of shape \(values.shape)")
        let rank = indices.shape.count
        let axis = try Shape(repeating: 1, count: rank + 1).resolvedAxis(axis)
        guard let size = depth.constant?.view.doubles.first else { return .dependsOnData }
        try check(size >= 0 && size <= Double(ModelLimits.tensorBytes), "depth \(size)")
        var shape = indices.shape
        shape.insert(Int(size), at: axis)
        _ = try shape.checkedElementCount(values.type)
        return .known([TensorDescription(values.type, shape)])
    }

    func computingType(_ inputs: [TensorView?], _ outputs: [TensorView]) -> ElementType { outputs[0].type }

    func move<Word: FixedWidthInteger & BitwiseCopyable>(
        _ word: Word.Type, _ inputs: [TensorView?], _ outputs: [TensorView]
    ) throws {
        let indices = try required(inputs, 0)
        let values = try required(inputs, 2).words(Word.self)
        let axis = try outputs[0].shape.resolvedAxis(axis)
        let size = outputs[0].shape[axis]
        let inner = Shape(outputs[0].shape[(axis + 1)...]).elementCount
        fill(outputs[0], UnsafeRawPointer(values))
        let target = outputs[0].words(Word.self)
        guard size > 0 else { return }
        for (position, index) in indices.doubles.enumerated() where index >= -Double(size) && index < Double(size) {
            let place = index < 0 ? Int(index.rounded(.down)) + size : Int(index)
            target[(position / inner * size + place) * inner + position % inner] = values[1]
        }
    }
}

/// Numbers from input 0 to before input 1 in steps of input 2.
package struct NumberRange: NumericOperator {
    package init() {}

    package var name: String { "Range" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let bounds = try (0..<3).map { try requiredNumber(inputs, $0) }
        try check(
            bounds.allSatisfy { $0.type == bounds[0].type && $0.shape.allSatisfy { $0 == 1 } },
            "bounds of types \(bounds.map(\.type)) and shapes \(bounds.map(\.shape))")
        let values = bounds.compactMap { $0.constant?.view.doubles.first }
        guard values.count == 3 else { return .dependsOnData }
        let count = ((values[1] - values[0]) / values[2]).rounded(.up)
        try check(
            values[2] != 0 && count.isFinite && count <= Double(ModelLimits.tensorBytes),
            "from \(values[0]) to \(values[1]) in steps of \(values[2])")
        return .known([TensorDescription(bounds[0].type, [Int(max(count, 0))])])
    }

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let start = try required(inputs, 0).pointer(T.self)[0].wide
        let step = try required(inputs, 2).pointer(T.self)[0].wide
        let target = outputs[0].pointer(T.self)
        for index in 0..<outputs[0].elementCount {
            target[index] = T(wide: T.add(start, T.multiply(T(double: Double(index)).wide, step)))
        }
    }
}

/// A matrix of the input's shape with ones on the diagonal that begins in column `k`.
package struct EyeLike: NumericOperator {
    /// nil: the input's.
    package var type: ElementType?
    package var k: Int

    package init(type: ElementType? = nil, k: Int = 0) {
        self.type = type
        self.k = k
    }

    package var name: String { "EyeLike" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        try check(input.shape.count == 2, "shape \(input.shape)")
        return .known([TensorDescription(type ?? input.type, input.shape)])
    }

    func computingType(_ inputs: [TensorView?], _ outputs: [TensorView]) -> ElementType { outputs[0].type }

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (rows, columns) = (outputs[0].shape[0], outputs[0].shape[1])
        outputs[0].bytes.initializeMemory(as: UInt8.self, repeating: 0)
        let target = outputs[0].pointer(T.self)
        for row in 0..<rows {
            let (column, overflow) = row.addingReportingOverflow(k)
            if !overflow, column >= 0, column < columns { target[row * columns + column] = T(double: 1) }
        }
    }
}

/// The upper or lower triangle of matrices, zeros elsewhere. Input 1: how many columns further right it begins.
package struct Trilu: MovingOperator {
    package var upper: Bool

    package init(upper: Bool = true) { self.upper = upper }

    package var name: String { "Trilu" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try required(inputs, 0)
        try check(input.shape.count >= 2, "shape \(input.shape)")
        _ = try integer(inputs, 1)
        return .known([TensorDescription(input.type, input.shape)])
    }

    func move<Word: FixedWidthInteger & BitwiseCopyable>(
        _ word: Word.Type, _ inputs: [TensorView?], _ outputs: [TensorView]
    ) throws {
        let input = try required(inputs, 0)
        let rank = input.shape.count
        let (rows, columns) = (input.shape[rank - 2], input.shape[rank - 1])
        // Further than the whole matrix is the same as that.
        let limit = rows + columns
        let shift = min(max(integers(inputs, 1)?.first ?? 0, -limit), limit)
        let (source, target) = (input.words(Word.self), outputs[0].words(Word.self))
        guard columns > 0, rows > 0 else { return }
        for row in 0..<input.elementCount / columns {
            // The first column of the upper triangle, or the first one after the lower.
            let split = min(max(row % rows + shift + (upper ? 0 : 1), 0), columns)
            let start = row * columns
            for column in 0..<columns {
                target[start + column] = (column >= split) == upper ? source[start + column] : 0
            }
        }
    }
}
