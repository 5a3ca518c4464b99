extension ONNXDefinition {
    static let indexing: [String: ONNXDefinition] = [
        "Gather": ONNXDefinition(.any) { node in
            [try node.add(Gather(axis: node.int("axis", 0)), [node.input(0), node.input(1)])]
        },
        "GatherElements": ONNXDefinition(.any) { node in
            [try node.add(GatherElements(axis: node.int("axis", 0)), [node.input(0), node.input(1)])]
        },
        "GatherND": ONNXDefinition(.any) { node in
            [try node.add(GatherND(batchDimensions: node.int("batch_dims", 0)), [node.input(0), node.input(1)])]
        },
        "ScatterElements": ONNXDefinition(.numbers, lower: scatterElements),
        "Scatter": ONNXDefinition(.numbers, lower: scatterElements),
        "ScatterND": ONNXDefinition(.numbers) { node in
            let operation = ScatterND(reduction: try node.scatterReduction())
            return [try node.add(operation, [node.input(0), node.input(1), node.input(2)])]
        },
    ]

    @Sendable private static func scatterElements(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        let operation = ScatterElements(axis: node.int("axis", 0), reduction: try node.scatterReduction())
        return [try node.add(operation, [node.input(0), node.input(1), node.input(2)])]
    }
}

extension ONNXLowering {
    fileprivate func scatterReduction() throws -> ScatterReduction {
        switch string("reduction", "none") {
        case "none": return .none
        case "add": return .add
        case "mul": return .mul
        case "max": return .max
        case "min": return .min
        default: throw unsupported("the reduction \(string("reduction", ""))")
        }
    }
}
