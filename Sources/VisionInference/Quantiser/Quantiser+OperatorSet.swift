extension Quantiser {
    /// Returns a model as of operator set 13, with which scales by channel came. Older ones are read as of that set
    /// where it changed nothing, or what it changed can be written in the new way.
    static func upgraded(_ model: ONNXModel) throws -> ONNXModel {
        guard let version = model.opsets[""] else {
            throw ModelError.invalid("it does not name the operator set that it uses")
        }
        guard version < 13 else { return model }
        guard version >= 11 else {
            throw ModelError.invalid("networks of operator set \(version) cannot be quantised, those from 11 on can")
        }
        var model = model
        for index in model.graph.nodes.indices where model.graph.nodes[index].domain.isEmpty {
            let node = model.graph.nodes[index]
            let isReadable: Bool
            switch node.operatorType {
            case "Squeeze", "Unsqueeze": isReadable = try moveAxes(index, &model)
            case "Softmax", "LogSoftmax", "Hardmax":
                // Once they were over all axes from this one on.
                if case .int(-1)? = node.attribute("axis") { isReadable = true } else { isReadable = false }
            case "ReduceSum", "Split": isReadable = false
            default: isReadable = true
            }
            guard isReadable else {
                throw ModelError.unsupported(
                    "networks of operator set \(version) cannot be quantised, those from 13 on can",
                    operation: node.operatorType, node: node.name)
            }
        }
        model.opsets[""] = 13
        return model
    }

    /// Makes the axes of Squeeze or Unsqueeze an input, as they are from set 13 on.
    private static func moveAxes(_ index: Int, _ model: inout ONNXModel) throws -> Bool {
        guard let position = model.graph.nodes[index].attributes.firstIndex(where: { $0.name == "axes" }) else {
            return model.graph.nodes[index].operatorType == "Squeeze"
        }
        guard case .ints(let axes) = model.graph.nodes[index].attributes[position].value,
            model.graph.nodes[index].inputs.count == 1, let output = model.graph.nodes[index].outputs.first
        else { return false }
        let name = "\(output)_axes"
        model.graph.initialisers.append(try ONNXTensor(name, .int64, [axes.count], axes))
        model.graph.nodes[index].attributes.remove(at: position)
        model.graph.nodes[index].inputs.append(name)
        return true
    }
}
