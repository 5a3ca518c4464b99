extension ONNXDefinition {
    static let indexing: [String: ONNXDefinition] = [
        "Gather": .direct(.any, inputs: 2) { node in Gather(axis: node.int("axis", 0)) },
        "GatherElements": .direct(.any, inputs: 2) { node in GatherElements(axis: node.int("axis", 0)) },
        "GatherND": .direct(.any, inputs: 2) { node in GatherND(batchDimensions: node.int("batch_dims", 0)) },
        "ScatterElements": scatterElements, "Scatter": scatterElements,
        "ScatterND": .direct(.numbers, inputs: 3) { node in try ScatterND(reduction: node.scatterReduction()) },
        "OneHot": .direct(.numbers, inputs: 3) { node in OneHot(axis: node.int("axis", -1)) },
        "TopK": ONNXDefinition(.numbers) { node in
            let count = try node.int("k").map { try node.constant([$0]) } ?? node.input(1)
            let operation = TopK(
                axis: node.int("axis", -1), largest: node.flag("largest", true), sorted: node.flag("sorted", true))
            return try node.add(operation, [node.input(0), count], outputs: 2)
        },
        "NonZero": .direct(.any) { _ in NonZero() },
        "Compress": .direct(.any, inputs: 2) { node in Compress(axis: node.int("axis")) },
        "Unique": ONNXDefinition(.numbers) { node in
            let operation = Unique(axis: node.int("axis"), sorted: node.flag("sorted", true))
            return try node.add(operation, [node.input(0)], outputs: node.node.outputs.count)
        },
        "NonMaxSuppression": ONNXDefinition(.float32) { node in
            let operation = NonMaxSuppression(centerPointBox: node.flag("center_point_box"))
            return [try node.add(operation, [node.input(0), node.input(1)] + (2..<5).map { node.optional($0) })]
        },
        "Range": .direct(.numbers, inputs: 3) { _ in NumberRange() },
        "EyeLike": .direct(.numbers) { node in try EyeLike(type: node.elementType("dtype"), k: node.int("k", 0)) },
        "Trilu": .direct(.any, optional: 1) { node in Trilu(upper: node.flag("upper", true)) },
        "CumSum": .direct(.numbers, inputs: 2) { node in
            CumSum(exclusive: node.flag("exclusive"), reverse: node.flag("reverse"))
        },
        "Det": .direct(.floats) { _ in Det() },
        "ReverseSequence": .direct(.any, inputs: 2) { node in
            ReverseSequence(batchAxis: node.int("batch_axis", 1), timeAxis: node.int("time_axis", 0))
        },
    ]

    private static let scatterElements = direct(.numbers, inputs: 3) { node in
        try ScatterElements(axis: node.int("axis", 0), reduction: node.scatterReduction())
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
