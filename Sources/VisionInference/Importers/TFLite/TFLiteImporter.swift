/// Makes a graph of a TensorFlow Lite file.
package enum TFLiteImporter {
    /// Whether the bytes say that they are a TensorFlow Lite file.
    package static func recognises(_ bytes: ModelBytes) -> Bool {
        bytes.withBytes { $0.count >= 8 && $0[4..<8].elementsEqual("TFL3".utf8) }
    }

    /// - Parameter bytes: The file. The graph's constants refer to it.
    /// - Throws: `ModelError`: damaged, unreadable; unsupported with the name of an operator that the engine does not
    ///   have; invalid for an operator whose inputs make no sense.
    package static func graph(_ bytes: ModelBytes) throws -> Graph {
        try bytes.withBytes { raw in try TFLiteGraphBuilder(raw, owner: bytes).importGraph() }
    }
}

/// Builds the operators of a file.
///
/// The image operators of the format are those of the graph (height, width and channels in this order), so nothing is
/// transposed. Quantised tensors become pairs of QuantizeLinear and DequantizeLinear around operators on floats, which
/// later passes may fuse into operators on integers.
final class TFLiteGraphBuilder: GraphBuilder<Graph> {
    let model: TFLiteModel
    let subgraph: TFLiteSubgraph
    private let bytes: UnsafeRawBufferPointer
    private let owner: AnyObject

    /// The value of each tensor that has been met.
    private var values: [Graph.ValueID?]
    /// The same as floats, for tensors of other types.
    private var floatValues: [Graph.ValueID?]
    /// Bytes that constants may still take: small files must not become large ones in memory.
    private var allowance: Int

    init(_ bytes: UnsafeRawBufferPointer, owner: AnyObject) throws {
        model = try TFLiteModel(bytes)
        subgraph = model.subgraphs[0]
        self.bytes = bytes
        self.owner = owner
        values = [Graph.ValueID?](repeating: nil, count: subgraph.tensors.count)
        floatValues = values
        let (product, overflows) = bytes.count.multipliedReportingOverflow(by: 64)
        allowance = overflows ? .max : max(product, 16 << 20)
        super.init(Graph())
    }

    func importGraph() throws -> Graph {
        for index in subgraph.inputs {
            let tensor = subgraph.tensors[index]
            guard values[index] == nil else { throw ModelError.invalid("tensor “\(tensor.name)” is an input twice") }
            let shape = tensor.shapeSignature ?? tensor.shape
            values[index] = graph.addInput(
                tensor.name, try elementType(of: tensor), shape.map { $0 < 0 ? nil : $0 })
        }
        for (index, operation) in subgraph.operators.enumerated() { try add(operation, index: index) }
        for index in subgraph.outputs {
            let tensor = subgraph.tensors[index]
            let shape = tensor.shapeSignature ?? tensor.shape
            graph.addOutput(
                try value(index), name: tensor.name, try elementType(of: tensor), shape.map { $0 < 0 ? nil : $0 })
        }
        addMetadata()
        return graph
    }

    private func add(_ operation: TFLiteOperator, index: Int) throws {
        let code = model.operatorCodes[operation.code]
        name = operation.outputs.first.map { "\(index) (\(subgraph.tensors[$0].name))" } ?? "\(index)"
        try ModelError.adding(.init(operation: code.name, node: name)) {
            for output in operation.outputs where values[output] != nil {
                throw ModelError.invalid("it makes tensor “\(subgraph.tensors[output].name)”, which exists")
            }
            try add(TFLiteNode(operation: operation, code: code))
            for output in operation.outputs where values[output] == nil {
                throw ModelError.invalid("it does not make tensor “\(subgraph.tensors[output].name)”")
            }
        }
    }

    /// What a model says about itself; entries that are no text are binary tables of their own and left out.
    private func addMetadata() {
        if !model.description.isEmpty { graph.metadata["description"] = model.description }
        for entry in model.metadata {
            guard let range = model.buffers[entry.buffer], range.count <= 1 << 20,
                let text = String(validating: bytes[range], as: UTF8.self)
            else { continue }
            let trimmed = text.prefix { $0 != "\0" }
            if !trimmed.isEmpty, text.dropFirst(trimmed.count).allSatisfy({ $0 == "\0" }) {
                graph.metadata[entry.name] = String(trimmed)
            }
        }
    }
}

// MARK: - Values

extension TFLiteGraphBuilder {
    func tensor(_ index: Int) -> TFLiteTensor { subgraph.tensors[index] }

    func elementType(of tensor: TFLiteTensor) throws -> ElementType {
        switch tensor.type {
        case .float32: .float32
        case .float64: .float64
        case .float16: .float16
        case .bfloat16: .bfloat16
        case .int8: .int8
        case .uint8: .uint8
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .bool: .bool
        case .string, .complex64, .complex128, .resource, .variant, .int4, .int2, .uint4:
            throw ModelError.invalid(
                "tensor “\(tensor.name)” has elements of type \(tensor.type), which are not supported")
        }
    }

    /// The value of a tensor as it is stored: a constant, an input, or what an operator has made.
    func value(_ index: Int) throws -> Graph.ValueID {
        if let value = values[index] { return value }
        let tensor = subgraph.tensors[index]
        let value = graph.addValue(tensor.name, constant: try constant(of: tensor))
        values[index] = value
        return value
    }

    /// The elements of a constant tensor as integers; nil when it is computed.
    func integers(_ index: Int) throws -> [Int]? {
        let value = try value(index)
        guard let constant = graph.values[value].constant else { return nil }
        guard let integers = constant.integers else {
            throw ModelError.invalid("tensor “\(tensor(index).name)” does not consist of integers")
        }
        return integers
    }

    /// The value of a tensor as floats: widened, or with its scale applied.
    func floatValue(_ index: Int) throws -> Graph.ValueID {
        let tensor = subgraph.tensors[index]
        if tensor.type == .float32 { return try value(index) }
        if let value = floatValues[index] { return value }
        let stored = try value(index)
        let result: Graph.ValueID
        if let constant = graph.values[stored].constant, constant.type == .float16 {
            result = graph.addValue(tensor.name, constant: try constant.widened())
        } else {
            result = try addFloats(of: stored, tensor)
        }
        floatValues[index] = result
        return result
    }

    /// Says that an operator has made a tensor.
    func define(_ index: Int, as value: Graph.ValueID) {
        values[index] = value
    }

    private func constant(of tensor: TFLiteTensor) throws -> Tensor {
        let type = try elementType(of: tensor)
        let count = try tensor.shape.checkedElementCount(type)
        guard let range = model.buffers[tensor.buffer] else {
            guard count == 0 else { throw ModelError.invalid("nothing makes tensor “\(tensor.name)”") }
            return try Tensor(zeros: tensor.shape, of: type)
        }
        if let sparsity = tensor.sparsity { return try dense(tensor, type, range, sparsity) }
        guard range.count >= count * type.size else {
            throw ModelError.damaged(
                "tensor “\(tensor.name)” of shape \(tensor.shape) has \(range.count) bytes", at: range.lowerBound)
        }
        let data = UnsafeRawBufferPointer(rebasing: bytes[range.prefix(count * type.size)])
        // Elements are read where they lie, unless no element may lie there.
        if let base = data.baseAddress, UInt(bitPattern: base) % UInt(type.size) == 0 {
            return try Tensor(type, shape: tensor.shape, storage: TensorStorage(borrowing: data, from: owner))
        }
        try charge(data.count)
        let copy = try Tensor(zeros: tensor.shape, of: type)
        if let base = data.baseAddress { copyBytes(data.count, from: base, to: copy.storage.base) }
        return copy
    }

    private func dense(
        _ tensor: TFLiteTensor, _ type: ElementType, _ range: Range<Int>, _ sparsity: TFLiteSparsity
    ) throws -> Tensor {
        try charge(tensor.shape.checkedElementCount(type) * type.size)
        let size = type.size
        let positions = try sparsity.positions(shape: tensor.shape, valueCount: range.count / size)
        let result = try Tensor(zeros: tensor.shape, of: type)
        let target = UnsafeMutableRawBufferPointer(start: result.storage.base, count: result.byteCount)
        for (index, position) in positions.enumerated() {
            let start = range.lowerBound + index * size
            for byte in 0..<size { target[position * size + byte] = bytes[start + byte] }
        }
        return result
    }

    private func charge(_ count: Int) throws {
        guard count <= allowance else { throw ModelError.tooLarge("the constants of a file of \(bytes.count) bytes") }
        allowance -= count
    }

    /// The bytes of a custom operator's options.
    func customOptions(_ operation: TFLiteOperator) -> UnsafeRawBufferPointer? {
        operation.customOptions.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
    }
}
