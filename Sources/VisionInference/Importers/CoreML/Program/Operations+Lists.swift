/// Operations on lists, which loops fill: a list is one tensor, its elements along the first axis.
extension ProgramDefinition {
    static let lists: [String: ProgramDefinition] = [
        "make_list": .init { operation in
            let length = try operation.int("init_length", 1)
            try operation.require((0...1 << 24).contains(length), "a list of \(length) elements")
            // Of elements whose shape is open the first one that is written decides.
            let shape = try operation.elementShape() ?? []
            let type: ElementType = operation.text("dtype", "fp32").hasPrefix("int") ? .int32 : .float32
            return try operation.zeros([length] + shape, type)
        },
        "list_length": .init { operation in
            let length = try operation.shape(operation.value("ls")).first ?? 0
            return try operation.scalar(Double(length), .int32)
        },
        "list_read": .init { operation in
            let index = try operation.reshape(operation.indices(operation.value("index")), [])
            return try operation.add(Gather(axis: 0), [operation.value("ls"), index])
        },
        "list_gather": .init { operation in
            try operation.add(Gather(axis: 0), [operation.value("ls"), operation.indices(operation.value("indices"))])
        },
        "list_write": .init { operation in
            let value = try operation.value("value")
            let index = try operation.reshape(operation.indices(operation.value("index")), [1, 1])
            let list = try operation.list(holding: operation.shape(value), upTo: index)
            return try operation.add(ScatterND(), [list, index, operation.unsqueeze(value, axes: [0])])
        },
        "list_scatter": .init { operation in
            let value = try operation.value("value")
            let indices = try operation.reshape(operation.indices(operation.value("indices")), [-1, 1])
            let list = try operation.list(holding: Array(operation.shape(value).dropFirst()), upTo: indices)
            return try operation.add(ScatterND(), [list, indices, value])
        },
    ]
}

extension ProgramLowering {
    /// nil where one of the sizes is a name.
    fileprivate func elementShape() throws -> [Int]? {
        let operands = operation.parameters["elem_shape"] ?? []
        let hasNames = operands.contains { if case .text = $0 { true } else { false } }
        if hasNames { return nil }
        let shape = try values("elem_shape").flatMap { try wholeNumbers($0) }
        try require(shape.allSatisfy { $0 >= 0 }, "elements of shape \(shape)")
        return shape
    }

    fileprivate func zeros(_ shape: [Int], _ type: ElementType) throws -> Value {
        try add(ConstantOfShape(value: Tensor(number: 0, type)), [constant(shape)])
    }

    /// The list, with elements of a shape, and long enough for the indices.
    fileprivate func list(holding element: Shape, upTo indices: Value) throws -> Value {
        var list = try value("ls")
        let shape = try shape(list)
        let type = try type(value("value"))
        guard var length = shape.first else { throw ModelError.invalid("a list of shape \(shape)") }
        let isOther = try self.type(list) != type || Array(shape.dropFirst()) != element
        if isOther { list = try zeros([length] + element, type) }
        // Only lists that grow are written to behind their end.
        if let last = try describe(indices).constant?.doubles?.max(), last >= Double(length), last < 0x1p24 {
            list = try concat([list, zeros([Int(last) + 1 - length] + element, type)], axis: 0)
            length = Int(last) + 1
        }
        return list
    }
}
