extension OneHot: MovingOperator {
    func computingType(_ inputs: [TensorView?], _ outputs: [TensorView]) -> ElementType { outputs[0].type }

    func move<Word: ElementWord>(_ word: Word.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let indices = try required(inputs, 0)
        let values = try required(inputs, 2).words(Word.self)
        let axis = try outputs[0].shape.resolvedAxis(axis)
        let size = outputs[0].shape[axis]
        let inner = Shape(outputs[0].shape[(axis + 1)...]).elementCount
        fill(outputs[0], UnsafeRawPointer(values))
        let target = outputs[0].words(Word.self)
        guard size > 0 else { return }
        for (position, index) in indices.doubles.enumerated() where index >= -Double(size) && index < Double(size) {
            let slot = index < 0 ? Int(index.rounded(.down)) + size : Int(index)
            target[(position / inner * size + slot) * inner + position % inner] = values[1]
        }
    }
}

extension NumberRange: NumericOperator {
    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let start = try required(inputs, 0).pointer(T.self)[0].wide
        let step = try required(inputs, 2).pointer(T.self)[0].wide
        let target = outputs[0].pointer(T.self)
        for index in 0..<outputs[0].elementCount {
            target[index] = T(wide: T.add(start, T.multiply(T(double: Double(index)).wide, step)))
        }
    }
}

extension EyeLike: NumericOperator {
    func computingType(_ inputs: [TensorView?], _ outputs: [TensorView]) -> ElementType { outputs[0].type }

    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (rows, columns) = (outputs[0].shape[0], outputs[0].shape[1])
        clearBytes(outputs[0].byteCount, at: outputs[0].base)
        let target = outputs[0].pointer(T.self)
        for row in 0..<rows {
            let (column, overflow) = row.addingReportingOverflow(k)
            if !overflow, column >= 0, column < columns { target[row * columns + column] = T(double: 1) }
        }
    }
}

extension Trilu: MovingOperator {
    func move<Word: ElementWord>(_ word: Word.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
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

extension ConstantOfShape: PlainOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        fill(outputs[0], UnsafeRawPointer(value.storage.base))
    }
}
