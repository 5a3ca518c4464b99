import VisionInference

/// MoveNet MultiPose Lightning (Google, 2021) as a TensorFlow Lite file: a MobileNetV2 with a feature pyramid and one
/// head for each kind of map. The file goes on to search people in the maps; that part is left out.
struct MoveNetFile {
    /// The heads in the order of the file, with their channels: where bodies have their centres and joints lie, as
    /// logits; the place of a joint in its cell; the joints of a body from its centre.
    static let heads: [(name: String, channels: Int)] = [
        ("center", 1), ("kpt_heatmap", KeypointPose.count), ("kpt_offset", 2 * KeypointPose.count),
        ("kpt_regress", 2 * KeypointPose.count),
    ]
    /// Pixels of the input for a cell of the maps.
    static let step = 4
    private static let wrong = WeightFileError(.mismatch, "this is not MoveNet")

    private let bytes: [UInt8]
    private let model: TFLiteModel
    private let graph: TFLiteSubgraph

    /// - Throws: `WeightFileError` when the bytes are no such file.
    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        do {
            model = try bytes.withUnsafeBytes { try TFLiteModel($0) }
        } catch {
            throw WeightFileError(.mismatch, "\(error)")
        }
        graph = model.subgraphs[0]
    }

    /// The network as an ONNX model: "image", 1 × side × side × 3 – RGB, x / 127.5 - 1 – to the maps of `heads`,
    /// channels first.
    ///
    /// - Parameter side: Rows and columns of the input, a multiple of 32.
    /// - Throws: `WeightFileError`.
    func onnx(name: String, side: Int) throws -> ONNXModel {
        precondition(side > 0 && side % 32 == 0)
        var builder = ONNXBuilder(opset: 13, name: name)
        let zero = try builder.initialiser("zero", [], [Float(0)])
        let six = try builder.initialiser("six", [], [Float(6)])
        let scales = try builder.initialiser("scales", [4], [Float(1), 1, 2, 2])
        let image = builder.node(
            "Transpose", [builder.input("image", [1, .fixed(side), .fixed(side), 3])], ["perm": .ints([0, 3, 1, 2])])
        // The tensors that are computed from the image, and the halved constants that a DEQUANTIZE widens.
        var (values, halves): ([Int: String], [Int: Int]) = ([:], [:])
        var heads = Self.heads[...]
        for operation in graph.operators {
            guard let output = operation.outputs.first else { throw Self.wrong }
            func input(_ index: Int) throws -> Int { try Self.input(index, of: operation) }
            let label = "t\(output)"
            switch model.operatorCodes[operation.code].builtin {
            case .dequantize:
                halves[output] = try input(0)
            case .conv2D, .depthwiseConv2D:
                guard let source = try values.isEmpty ? image : values[input(0)] else { throw Self.wrong }
                let layer = try convolution(operation, halves)
                // SAME: sides are even, so that a stride of 2 pads at the end alone.
                let after = layer.size / 2
                let before = layer.stride == 1 ? after : 0
                var value = builder.node(
                    "Conv",
                    [
                        source,
                        try Self.widened(label + ".weight", layer.shape, layer.weights, &builder),
                        try Self.widened(label + ".bias", [layer.biases.count], layer.biases, &builder),
                    ],
                    [
                        "group": .int(layer.isDepthwise ? Int64(layer.biases.count) : 1),
                        "kernel_shape": .ints([layer.size, layer.size]),
                        "pads": .ints([before, before, after, after]), "strides": .ints([layer.stride, layer.stride]),
                    ], name: label, output: label)
                switch layer.activation {
                case .none: break
                case .relu: value = builder.node("Relu", [value], output: label + ".relu")
                case .relu6: value = builder.node("Clip", [value, zero, six], output: label + ".relu6")
                default: throw Self.wrong
                }
                values[output] = value
                if let head = heads.first, graph.tensors[output].name.hasPrefix(head.name + "_0/"),
                    layer.biases.count == head.channels
                {
                    heads.removeFirst()
                    builder.node("Identity", [value], output: head.name)
                    builder.output(
                        head.name, [1, .fixed(head.channels), .fixed(side / Self.step), .fixed(side / Self.step)])
                }
            case .add:
                guard let left = try values[input(0)], let right = try values[input(1)] else { continue }
                values[output] = builder.node("Add", [left, right], output: label)
            case .resizeBilinear:
                guard let small = try values[input(0)],
                    operation.options == .resize(alignCorners: false, halfPixelCentres: true)
                else { throw Self.wrong }
                values[output] = builder.node(
                    "Resize", [small, "", scales],
                    ["mode": .string("linear"), "coordinate_transformation_mode": .string("half_pixel")], output: label)
            default: continue
            }
        }
        guard heads.isEmpty else { throw Self.wrong }
        return builder.model
    }

    /// Adds a constant of 16-bit floats, which the network reads as 32-bit ones; returns the name of these.
    private static func widened(
        _ name: String, _ shape: [Int], _ halves: [UInt16], _ builder: inout ONNXBuilder
    ) throws -> String {
        let constant = try builder.initialiser(name + ".half", .float16, shape, elements: halves)
        return builder.node("Cast", [constant], ["to": .int(Int64(ONNXDataType.float.rawValue))], output: name)
    }

    private static func input(_ index: Int, of operation: TFLiteOperator) throws -> Int {
        guard index < operation.inputs.count, let input = operation.inputs[index] else { throw wrong }
        return input
    }

    private struct Convolution {
        /// 16-bit floats, outputs × inputs of each × rows × columns.
        let weights: [UInt16]
        let shape: [Int]
        /// 16-bit floats.
        let biases: [UInt16]
        let stride: Int
        let isDepthwise: Bool
        let activation: TFLiteActivation
        /// Rows and columns of the kernel.
        var size: Int { shape[2] }
    }

    /// - Parameter halves: The constants of 16-bit floats by the tensors that they are widened to.
    private func convolution(_ operation: TFLiteOperator, _ halves: [Int: Int]) throws -> Convolution {
        let isDepthwise = model.operatorCodes[operation.code].builtin == .depthwiseConv2D
        let kernel = try tensor(Self.input(1, of: operation), halves)
        let biases = try tensor(Self.input(2, of: operation), halves)
        let (weights, shape) = try Self.channelsFirst(kernel.values, kernel.shape, isDepthwise: isDepthwise)
        guard case .convolution(let window) = operation.options, biases.shape == [shape[0]],
            window.padding == .same || shape[2] == 1, window.strideX == window.strideY,
            [1, 2].contains(window.strideX), window.dilationX == 1, window.dilationY == 1
        else { throw Self.wrong }
        return Convolution(
            weights: weights, shape: shape, biases: biases.values, stride: window.strideX, isDepthwise: isDepthwise,
            activation: window.activation)
    }

    /// Returns a constant of 16-bit floats.
    private func tensor(_ index: Int, _ halves: [Int: Int]) throws -> (values: [UInt16], shape: [Int]) {
        let tensor = graph.tensors[halves[index] ?? index]
        guard tensor.type == .float16, let count = try? tensor.shape.checkedElementCount(.float16), count > 0,
            let range = model.buffers[tensor.buffer], range.upperBound <= bytes.count, range.count == 2 * count
        else { throw Self.wrong }
        let values = (0..<count).map { index in
            let start = range.lowerBound + 2 * index
            return UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8
        }
        return (values, tensor.shape)
    }

    /// Returns a kernel with its inputs in front of its rows: of outputs × rows × columns × inputs, or for a depthwise
    /// one of 1 × rows × columns × channels.
    private static func channelsFirst(
        _ values: [UInt16], _ shape: [Int], isDepthwise: Bool
    ) throws -> (values: [UInt16], shape: [Int]) {
        guard shape.count == 4, shape[1] == shape[2], [1, 3].contains(shape[1]), !isDepthwise || shape[0] == 1 else {
            throw wrong
        }
        let (outputs, area, inputs) = (shape[0], shape[1] * shape[2], shape[3])
        let turned = (0..<outputs).flatMap { output in
            (0..<inputs).flatMap { input in (0..<area).map { values[(output * area + $0) * inputs + input] } }
        }
        return (turned, isDepthwise ? [inputs, 1, shape[1], shape[2]] : [outputs, inputs, shape[1], shape[2]])
    }
}
