extension ONNXDecoder {
    func graph(_ reader: inout ProtobufReader) throws(ModelError) -> ONNXGraph {
        var copy = reader
        return try nested(reader) { () throws(ModelError) in try graphFields(&copy) }
    }

    private func graphFields(_ reader: inout ProtobufReader) throws(ModelError) -> ONNXGraph {
        var graph = ONNXGraph()
        while let field = try reader.next() {
            switch field.number {
            case 1:
                var inner = try message(&reader, field)
                graph.nodes.append(try node(&inner))
            case 2: graph.name = try string(&reader, field)
            case 5:
                var inner = try message(&reader, field)
                graph.initialisers.append(try tensor(&inner))
            case 10: graph.documentation = try string(&reader, field)
            case 11:
                var inner = try message(&reader, field)
                graph.inputs.append(try valueInfo(&inner))
            case 12:
                var inner = try message(&reader, field)
                graph.outputs.append(try valueInfo(&inner))
            case 13:
                var inner = try message(&reader, field)
                graph.valueInfo.append(try valueInfo(&inner))
            case 15:
                var inner = try message(&reader, field)
                graph.sparseInitialisers.append(try sparseTensorName(&inner))
            case 16: try entry(&reader, field, into: &graph.metadata)
            default: try reader.skip(field)
            }
        }
        return graph
    }

    func node(_ reader: inout ProtobufReader) throws(ModelError) -> ONNXNode {
        var node = ONNXNode()
        while let field = try reader.next() {
            switch field.number {
            case 1: node.inputs.append(try string(&reader, field))
            case 2: node.outputs.append(try string(&reader, field))
            case 3: node.name = try string(&reader, field)
            case 4: node.operatorType = try string(&reader, field)
            case 5:
                var inner = try message(&reader, field)
                node.attributes.append(try attribute(&inner))
            case 7: node.domain = ONNXModel.canonicalDomain(try string(&reader, field))
            case 8: node.overload = try string(&reader, field)
            default: try reader.skip(field)
            }
        }
        return node
    }

    private func valueInfo(_ reader: inout ProtobufReader) throws(ModelError) -> ONNXValueInfo {
        var info = ONNXValueInfo("")
        while let field = try reader.next() {
            switch field.number {
            case 1: info.name = try string(&reader, field)
            case 2:
                var inner = try message(&reader, field)
                info.type = try type(&inner)
            default: try reader.skip(field)
            }
        }
        return info
    }

    private func type(_ reader: inout ProtobufReader) throws(ModelError) -> ONNXType? {
        var type: ONNXType?
        while let field = try reader.next() {
            switch field.number {
            case 1:
                var inner = try message(&reader, field)
                type = try tensorType(&inner)
            case 4:
                type = .other("sequence")
                try reader.skip(field)
            case 5:
                type = .other("map")
                try reader.skip(field)
            case 8:
                type = .other("sparse tensor")
                try reader.skip(field)
            case 9:
                type = .other("optional")
                try reader.skip(field)
            default: try reader.skip(field)
            }
        }
        return type
    }

    private func tensorType(_ reader: inout ProtobufReader) throws(ModelError) -> ONNXType {
        var element = ONNXDataType.undefined
        var shape: [ONNXDimension]?
        while let field = try reader.next() {
            switch field.number {
            case 1: element = try dataType(&reader, field)
            case 2:
                var inner = try message(&reader, field)
                var dimensions: [ONNXDimension] = []
                while let field = try inner.next() {
                    guard field.number == 1 else {
                        try inner.skip(field)
                        continue
                    }
                    var innermost = try message(&inner, field)
                    dimensions.append(try dimension(&innermost))
                }
                shape = dimensions
            default: try reader.skip(field)
            }
        }
        return .tensor(element, shape: shape)
    }

    private func dimension(_ reader: inout ProtobufReader) throws(ModelError) -> ONNXDimension {
        var dimension = ONNXDimension.unknown
        while let field = try reader.next() {
            switch field.number {
            case 1:
                let size = try reader.int(field)
                // Exporters write 0 or -1 for what they do not know.
                dimension = size < 0 ? .unknown : .fixed(Int(size))
            case 2:
                let name = try string(&reader, field)
                dimension = name.isEmpty ? .unknown : .symbol(name)
            default: try reader.skip(field)
            }
        }
        return dimension
    }

    func dataType(_ reader: inout ProtobufReader, _ field: ProtobufReader.Field) throws(ModelError) -> ONNXDataType {
        let number = try reader.int(field)
        guard let small = Int32(exactly: number), let type = ONNXDataType(rawValue: small) else {
            throw reader.damaged("there is no element type \(number)")
        }
        return type
    }

    private func sparseTensorName(_ reader: inout ProtobufReader) throws(ModelError) -> String {
        var name = ""
        while let field = try reader.next() {
            guard field.number == 1 else {
                try reader.skip(field)
                continue
            }
            var values = try message(&reader, field)
            name = try tensor(&values).name
        }
        return name
    }
}
