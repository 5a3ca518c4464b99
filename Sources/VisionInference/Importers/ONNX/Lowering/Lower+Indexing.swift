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
        "OneHot": ONNXDefinition(.numbers) { node in
            [try node.add(OneHot(axis: node.int("axis", -1)), [node.input(0), node.input(1), node.input(2)])]
        },
        "TopK": ONNXDefinition(.numbers) { node in
            let count = try node.int("k").map { try node.constant([$0]) } ?? node.input(1)
            let operation = TopK(
                axis: node.int("axis", -1), largest: node.flag("largest", true), sorted: node.flag("sorted", true))
            return try node.add(operation, [node.input(0), count], outputs: 2)
        },
        "NonZero": ONNXDefinition(.any) { node in [try node.add(NonZero(), [node.input(0)])] },
        "Compress": ONNXDefinition(.any) { node in
            [try node.add(Compress(axis: node.int("axis")), [node.input(0), node.input(1)])]
        },
        "Unique": ONNXDefinition(.numbers) { node in
            let operation = Unique(axis: node.int("axis"), sorted: node.flag("sorted", true))
            return try node.add(operation, [node.input(0)], outputs: node.node.outputs.count)
        },
        "NonMaxSuppression": ONNXDefinition(.float32) { node in
            let operation = NonMaxSuppression(centerPointBox: node.flag("center_point_box"))
            return [try node.add(operation, [node.input(0), node.input(1)] + (2..<5).map { node.optional($0) })]
        },
        "Range": ONNXDefinition(.numbers) { node in
            [try node.add(NumberRange(), [node.input(0), node.input(1), node.input(2)])]
        },
        "EyeLike": ONNXDefinition(.numbers) { node in
            [try node.add(EyeLike(type: node.elementType("dtype"), k: node.int("k", 0)), [node.input(0)])]
        },
        "Trilu": ONNXDefinition(.any) { node in
            [try node.add(Trilu(upper: node.flag("upper", true)), [node.input(0), node.optional(1)])]
        },
        "CumSum": ONNXDefinition(.numbers) { node in
            let operation = CumSum(exclusive: node.flag("exclusive"), reverse: node.flag("reverse"))
            return [try node.add(operation, [node.input(0), node.input(1)])]
        },
        "Det": ONNXDefinition(.floats) { node in [try node.add(Det(), [node.input(0)])] },
        "ReverseSequence": ONNXDefinition(.any) { node in
            let operation = ReverseSequence(batchAxis: node.int("batch_axis", 1), timeAxis: node.int("time_axis", 0))
            return [try node.add(operation, [node.input(0), node.input(1)])]
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
