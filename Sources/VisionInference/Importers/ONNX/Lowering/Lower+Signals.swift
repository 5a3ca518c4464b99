extension ONNXDefinition {
    static let signals: [String: ONNXDefinition] = [
        "DFT": ONNXDefinition(.floats, since: 17) { node in
            let axis = node.opset < 20 ? node.int("axis", 1) : -2
            let operation = DFT(axis: axis, isInverse: node.flag("inverse"), isOneSided: node.flag("onesided"))
            return [try node.add(operation, [node.input(0), node.optional(1), node.optional(2)])]
        },
        "STFT": .direct(.floats, since: 17, inputs: 2, optional: 2) { node in
            STFT(isOneSided: node.flag("onesided", true))
        },
        "HannWindow": window(.hann), "HammingWindow": window(.hamming), "BlackmanWindow": window(.blackman),
        "MelWeightMatrix": ONNXDefinition(.floats, since: 17) { node in
            let operation = MelWeightMatrix(type: try node.elementType("output_datatype") ?? .float32)
            return [try node.add(operation, (0..<5).map { try node.input($0) })]
        },
        "TensorScatter": ONNXDefinition(.any, since: 24) { node in
            let mode = node.string("mode", "linear")
            try node.require(mode == "linear" || mode == "circular", "the mode \(mode)")
            let operation = TensorScatter(axis: node.int("axis", -2), isCircular: mode == "circular")
            return [try node.add(operation, [node.input(0), node.input(1), node.optional(2)])]
        },
        "DeformConv": ONNXDefinition(.floats, since: 19) { node in
            let weights = try node.shape(node.input(1))
            try node.require(weights.count == 4, "weights of shape \(weights): only images are convolved")
            let kernel = Array(weights[2...])
            try node.require(node.ints("kernel_shape") ?? kernel == kernel, "the kernel's shape is not the weights'")
            let operation = DeformableConvolution(
                groups: node.int("group", 1), offsetGroups: node.int("offset_group", 1),
                strides: node.ints("strides") ?? [1, 1], dilations: node.ints("dilations") ?? [1, 1],
                pads: node.ints("pads") ?? [0, 0, 0, 0])
            let inputs = try (0..<3).map { try node.input($0) } + [node.optional(3), node.optional(4)]
            return [try node.add(operation, inputs)]
        },
    ]

    private static func window(_ kind: SignalWindow.Kind) -> ONNXDefinition {
        ONNXDefinition(.floats, since: 17) { node in
            let operation = SignalWindow(
                kind: kind, isPeriodic: node.flag("periodic", true),
                type: try node.elementType("output_datatype") ?? .float32)
            return [try node.add(operation, [node.input(0)])]
        }
    }
}
