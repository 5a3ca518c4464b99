import VisionInference

/// dlib's network for faces, `dlib_face_recognition_resnet_model_v1` (Davis King, 2017): a residual network with 29
/// layers that turns a face into 128 numbers.
struct DlibFaceNetwork {
    /// Rows and columns of the input.
    static let side = 150
    static let outputCount = 128
    /// What is taken from red, green and blue before the division by 256.
    static let means = SIMD3<Float>(122.782, 117.001, 104.298)

    /// The residual blocks from the input on: channels, and whether the block halves the image.
    private static let blocks: [(channels: Int, isHalving: Bool)] = [
        (32, false), (32, false), (32, false),
        (64, true), (64, false), (64, false), (64, false),
        (128, true), (128, false), (128, false),
        (256, true), (256, false), (256, false), (256, true),
    ]

    private struct Convolution {
        let weights: [Float]
        let biases: [Float]
        let kernel: Int
        let stride: Int
        let padding: Int
        var outputs: Int { biases.count }

        /// For blue, green and red in place of red, green and blue: what the engine's callers write.
        var withReversedInputs: Convolution {
            let area = kernel * kernel
            let inputs = weights.count / (outputs * area)
            let reversed = weights.indices.map { index in
                let (plane, offset) = (index / area, index % area)
                return weights[(plane / inputs * inputs + inputs - 1 - plane % inputs) * area + offset]
            }
            return Convolution(weights: reversed, biases: biases, kernel: kernel, stride: stride, padding: padding)
        }
    }

    private let convolutions: [Convolution]
    private let projection: [Float]

    /// - Throws: `WeightFileError` when the bytes are not this network.
    init(_ bytes: [UInt8]) throws {
        let wrong = WeightFileError(.mismatch, "this is not dlib's network for faces")
        var layers = try DlibNetworkFile(bytes).layers[...]
        guard case .fullyConnected(let projection, let inputs, Self.outputCount) = layers.popLast(),
            inputs == Self.blocks.last?.channels, projection.count == inputs * Self.outputCount,
            layers.count == 2 * (1 + 2 * Self.blocks.count)
        else { throw wrong }
        var convolutions: [Convolution] = []
        var channels = 3
        while case .convolution(let values, let outputs, let kernel, let stride, let padding) = layers.popFirst() {
            guard case .affine(let affine) = layers.popFirst(), outputs > 0, affine.count == 2 * outputs,
                [3, 7].contains(kernel), values.count == outputs * (channels * kernel * kernel + 1)
            else { throw wrong }
            convolutions.append(
                Self.folded(values, affine, outputs: outputs, kernel: kernel, stride: stride, padding: padding))
            channels = outputs
        }
        let expected =
            [(32, 7, 2)]
            + Self.blocks.flatMap { [($0.channels, 3, $0.isHalving ? 2 : 1), ($0.channels, 3, 1)] }
        guard layers.isEmpty, convolutions.count == expected.count,
            zip(convolutions, expected).allSatisfy({ ($0.outputs, $0.kernel, $0.stride) == $1 })
        else { throw wrong }
        convolutions[0] = convolutions[0].withReversedInputs
        (self.convolutions, self.projection) = (convolutions, projection)
    }

    /// The convolution with the affine layer behind it.
    private static func folded(
        _ values: [Float], _ affine: [Float], outputs: Int, kernel: Int, stride: Int, padding: Int
    ) -> Convolution {
        let size = values.count / outputs - 1
        return Convolution(
            weights: (0..<outputs * size).map { values[$0] * affine[$0 / size] },
            biases: (0..<outputs).map { values[outputs * size + $0] * affine[$0] + affine[outputs + $0] },
            kernel: kernel, stride: stride, padding: padding)
    }

    /// The network as an ONNX model: "image", 1 × 3 × 150 × 150 – BGR, (x - `means`) / 256 – to "print", 1 × 128.
    ///
    /// - Throws: `WeightFileError`.
    func onnx(name: String) throws -> ONNXModel {
        var builder = ONNXBuilder(opset: 13, name: name)
        var layers = convolutions[...]
        var value = builder.input("image", [1, 3, .fixed(Self.side), .fixed(Self.side)])
        var (size, channels) = (Self.side, 3)

        func convolve(_ input: String, _ name: String, size: Int, channels: Int) throws -> (String, Int, Int) {
            guard let layer = layers.popFirst() else {
                throw WeightFileError(.mismatch, "the network has too few convolutions")
            }
            let kernel = try builder.initialiser(
                name + ".weight", [layer.outputs, channels, layer.kernel, layer.kernel], layer.weights)
            let bias = try builder.initialiser(name + ".bias", [layer.outputs], layer.biases)
            let output = builder.node(
                "Conv", [input, kernel, bias],
                [
                    "kernel_shape": .ints([layer.kernel, layer.kernel]),
                    "pads": .ints([Int](repeating: layer.padding, count: 4)),
                    "strides": .ints([layer.stride, layer.stride]),
                ], name: name, output: name)
            return (output, (size + 2 * layer.padding - layer.kernel) / layer.stride + 1, layer.outputs)
        }

        (value, size, channels) = try convolve(value, "stem", size: size, channels: channels)
        value = builder.node("Relu", [value], name: "stem.relu")
        value = builder.node(
            "MaxPool", [value], ["kernel_shape": .ints([3, 3]), "strides": .ints([2, 2])], name: "stem.pool")
        size = (size - 3) / 2 + 1
        for (index, block) in Self.blocks.enumerated() {
            let name = "block\(index)"
            var branch = try convolve(value, name + ".first", size: size, channels: channels)
            branch.0 = builder.node("Relu", [branch.0], name: name + ".first.relu")
            branch = try convolve(branch.0, name + ".second", size: branch.1, channels: branch.2)
            if block.isHalving {
                value = builder.node(
                    "AveragePool", [value], ["kernel_shape": .ints([2, 2]), "strides": .ints([2, 2])],
                    name: name + ".pool")
                // dlib adds images of different sizes as if the smaller one had zeros to the right, below and in the
                // channels that it lacks.
                let pooled = (size - 2) / 2 + 1
                let common = max(pooled, branch.1)
                value = try Self.pad(
                    value, channels: block.channels - channels, side: common - pooled, name + ".shortcut", &builder)
                branch.0 = try Self.pad(branch.0, channels: 0, side: common - branch.1, name + ".branch", &builder)
                size = common
            }
            channels = block.channels
            value = builder.node("Add", [branch.0, value], name: name + ".sum")
            value = builder.node("Relu", [value], name: name + ".relu")
        }
        value = builder.node("GlobalAveragePool", [value], name: "pool")
        value = builder.node("Flatten", [value], ["axis": 1], name: "features")
        let matrix = try builder.initialiser("projection", [channels, Self.outputCount], projection)
        builder.node("MatMul", [value, matrix], outputs: ["print"], name: "print")
        builder.output("print", [1, .fixed(Self.outputCount)])
        return builder.model
    }

    private static func pad(
        _ value: String, channels: Int, side: Int, _ name: String, _ builder: inout ONNXBuilder
    ) throws -> String {
        guard channels > 0 || side > 0 else { return value }
        let pads = [0, 0, 0, 0, 0, channels, side, side].map { Int64($0) }
        return builder.node(
            "Pad", [value, try builder.initialiser(name + ".pads", [8], pads)], ["mode": "constant"],
            name: name + ".pad")
    }
}
