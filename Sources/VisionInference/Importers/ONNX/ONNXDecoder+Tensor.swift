extension ONNXDecoder {
    /// The fields where a tensor may keep its elements. They are read first and used when the type is known, for
    /// fields come in any order.
    private struct Parts {
        var name = ""
        var type = ONNXDataType.undefined
        var dimensions: [Int64] = []
        var floats = Run()
        var doubles = Run()
        var int32s: [Int64] = []
        var int64s: [Int64] = []
        var uint64s: [Int64] = []
        var strings: [String] = []
        var raw: ModelSlice?
        var external: [String: String] = [:]
        var isExternal = false
    }

    /// Numbers of fixed width: one packed run stays in the file, more are joined in memory.
    private struct Run {
        var slice: ModelSlice?
        var joined: [UInt8] = []

        mutating func append(_ slice: ModelSlice) {
            if self.slice == nil, joined.isEmpty {
                self.slice = slice
            } else {
                join()
                joined += slice.elements(as: UInt8.self)
            }
        }

        mutating func append<Bits: FixedWidthInteger>(_ bits: Bits) {
            join()
            withUnsafeBytes(of: bits.littleEndian) { joined.append(contentsOf: $0) }
        }

        private mutating func join() {
            joined += slice?.elements(as: UInt8.self) ?? []
            slice = nil
        }

        var whole: ModelSlice { slice ?? ModelSlice(ModelBytes(joined)) }
    }

    func tensor(_ reader: inout ProtobufReader) throws(ModelError) -> ONNXTensor {
        var parts = Parts()
        while let field = try reader.next() { try read(field, from: &reader, into: &parts) }
        return try tensor(of: parts, reader)
    }

    private func read(
        _ field: ProtobufReader.Field, from reader: inout ProtobufReader, into parts: inout Parts
    ) throws(ModelError) {
        switch field.number {
        case 1: try reader.ints(field, into: &parts.dimensions)
        case 2: parts.type = try dataType(&reader, field)
        case 3: throw reader.damaged("a tensor is a segment of another, which this reader does not join")
        case 4 where field.type == .bytes: parts.floats.append(try reader.slice())
        case 4:
            try reader.expect(.fixed32, field)
            parts.floats.append(try reader.fixed32())
        case 5: try reader.ints(field, into: &parts.int32s)
        case 6: parts.strings.append(try string(&reader, field))
        case 7: try reader.ints(field, into: &parts.int64s)
        case 8: parts.name = try string(&reader, field)
        case 9:
            try reader.expect(.bytes, field)
            parts.raw = try reader.slice()
        case 10 where field.type == .bytes: parts.doubles.append(try reader.slice())
        case 10:
            try reader.expect(.fixed64, field)
            parts.doubles.append(try reader.fixed64())
        case 11: try reader.ints(field, into: &parts.uint64s)
        case 13: try entry(&reader, field, into: &parts.external)
        case 14: parts.isExternal = try reader.int(field) == 1
        default: try reader.skip(field)
        }
    }

    private func tensor(of parts: Parts, _ reader: ProtobufReader) throws(ModelError) -> ONNXTensor {
        var shape: [Int] = []
        for size in parts.dimensions {
            guard size >= 0 else { throw reader.damaged("the tensor '\(parts.name)' has a size of \(size)") }
            shape.append(Int(size))
        }
        guard shape.count <= 64 else { throw reader.damaged("the tensor '\(parts.name)' has \(shape.count) axes") }
        let count = try ONNXTensor.elementCount(shape, of: parts.name)
        if parts.type == .string {
            guard parts.strings.count == count else {
                throw reader.damaged("the tensor '\(parts.name)' has \(parts.strings.count) strings, not \(count)")
            }
            let nothing = ModelSlice(ModelBytes([UInt8]()))
            return ONNXTensor(unchecked: parts.name, .string, shape, nothing, strings: parts.strings)
        }
        guard let byteCount = parts.type.byteCount(of: count) else {
            throw reader.damaged("the tensor '\(parts.name)' of shape \(shape) has elements of type \(parts.type)")
        }
        let data: ModelSlice
        if parts.isExternal {
            data = try externalData.slice(parts.external, byteCount: byteCount, tensor: parts.name)
        } else {
            data = parts.raw ?? typed(parts)
        }
        guard data.count == byteCount else {
            throw reader.damaged(
                "the tensor '\(parts.name)' of shape \(shape) has \(data.count) bytes, not \(byteCount)")
        }
        return ONNXTensor(unchecked: parts.name, parts.type, shape, data)
    }

    /// The elements from the field that a tensor of this type uses; narrow ones lie in `int32_data` one by one or,
    /// packed, bits together.
    private func typed(_ parts: Parts) -> ModelSlice {
        switch parts.type {
        case .float, .complex64: return parts.floats.whole
        case .double, .complex128: return parts.doubles.whole
        case .int64: return narrowed(parts.int64s, to: Int64.self)
        case .uint64: return narrowed(parts.uint64s, to: UInt64.self)
        case .uint32: return narrowed(parts.uint64s, to: UInt32.self)
        case .int32: return narrowed(parts.int32s, to: Int32.self)
        case .int16, .uint16, .float16, .bfloat16: return narrowed(parts.int32s, to: UInt16.self)
        case .undefined, .string: return ModelSlice(ModelBytes([UInt8]()))
        default: return narrowed(parts.int32s, to: UInt8.self)
        }
    }

    private func narrowed<Element: FixedWidthInteger & BitwiseCopyable>(
        _ values: [Int64], to type: Element.Type
    ) -> ModelSlice {
        ModelSlice(ModelBytes(values.map { Element(truncatingIfNeeded: $0).littleEndian }))
    }
}
