extension ONNXDecoder {
    /// What an attribute's fields hold before its type says which of them counts.
    private struct Parts {
        var name = ""
        var type: Int64 = 0
        var reference = ""
        var float: Float?
        var int: Int64?
        var string: ModelSlice?
        var tensor: ONNXTensor?
        var graph: ONNXGraph?
        var floats: [Float] = []
        var ints: [Int64] = []
        var strings: [String] = []
        var tensors: [ONNXTensor] = []
        var graphs: [ONNXGraph] = []
        var other: String?
    }

    func attribute(_ reader: inout ProtobufReader) throws(ModelError) -> ONNXAttribute {
        var parts = Parts()
        while let field = try reader.next() { try read(field, from: &reader, into: &parts) }
        return ONNXAttribute(parts.name, try value(of: parts, reader))
    }

    private func read(
        _ field: ProtobufReader.Field, from reader: inout ProtobufReader, into parts: inout Parts
    ) throws(ModelError) {
        switch field.number {
        case 1: parts.name = try string(&reader, field)
        case 2: parts.float = try reader.float(field)
        case 3: parts.int = try reader.int(field)
        case 4:
            try reader.expect(.bytes, field)
            parts.string = try reader.slice()
        case 5:
            var inner = try message(&reader, field)
            parts.tensor = try tensor(&inner)
        case 6:
            var inner = try message(&reader, field)
            parts.graph = try graph(&inner)
        case 7: try reader.floats(field, into: &parts.floats)
        case 8: try reader.ints(field, into: &parts.ints)
        case 9: parts.strings.append(try string(&reader, field))
        case 10:
            var inner = try message(&reader, field)
            parts.tensors.append(try tensor(&inner))
        case 11:
            var inner = try message(&reader, field)
            parts.graphs.append(try graph(&inner))
        case 14, 15: try other("type", field, &reader, &parts)
        case 20: parts.type = try reader.int(field)
        case 21: parts.reference = try string(&reader, field)
        case 22, 23: try other("sparse tensor", field, &reader, &parts)
        default: try reader.skip(field)
        }
    }

    private func other(
        _ kind: String, _ field: ProtobufReader.Field, _ reader: inout ProtobufReader, _ parts: inout Parts
    ) throws(ModelError) {
        parts.other = kind
        try reader.skip(field)
    }

    /// A number or string that is not written has its default, nought or nothing; files older than IR version 2 have
    /// no types.
    private func value(of parts: Parts, _ reader: ProtobufReader) throws(ModelError) -> ONNXAttribute.Value {
        if !parts.reference.isEmpty { return .reference(parts.reference, kind: parts.type) }
        switch parts.type {
        case 0: return untyped(parts)
        case 1: return .float(parts.float ?? 0)
        case 2: return .int(parts.int ?? 0)
        case 3: return parts.string.map(text) ?? .string("")
        case 4: if let tensor = parts.tensor { return .tensor(tensor) }
        case 5: if let graph = parts.graph { return .graph(graph) }
        case 6: return .floats(parts.floats)
        case 7: return .ints(parts.ints)
        case 8: return .strings(parts.strings)
        case 9: return .tensors(parts.tensors)
        case 10: return .graphs(parts.graphs)
        default: return .other(parts.other ?? "of type \(parts.type)")
        }
        throw reader.damaged("the attribute '\(parts.name)' has no value")
    }

    private func untyped(_ parts: Parts) -> ONNXAttribute.Value {
        if let tensor = parts.tensor { return .tensor(tensor) }
        if let graph = parts.graph { return .graph(graph) }
        if let float = parts.float { return .float(float) }
        if let int = parts.int { return .int(int) }
        if let string = parts.string { return text(string) }
        if !parts.floats.isEmpty { return .floats(parts.floats) }
        if !parts.strings.isEmpty { return .strings(parts.strings) }
        if !parts.tensors.isEmpty { return .tensors(parts.tensors) }
        if !parts.graphs.isEmpty { return .graphs(parts.graphs) }
        if let other = parts.other { return .other(other) }
        return .ints(parts.ints)
    }

    private func text(_ slice: ModelSlice) -> ONNXAttribute.Value {
        let bytes = slice.elements(as: UInt8.self)
        return String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .bytes(bytes)
    }
}
