package import VisionInference

extension EfficientNetLite {
    /// The network as an ONNX model: "image", an image of 1 × 3 × side × side – RGB, (x - 127) / 128 – to "logits",
    /// 1 × 1000.
    ///
    /// - Throws: `WeightFileError` when the tensors are not those of this network.
    package func onnx(_ checkpoint: TorchCheckpoint, name: String) throws -> ONNXModel {
        let weights = EfficientNetWeights(checkpoint)
        var builder = ONNXBuilder(opset: 13, name: name)
        let zero = try builder.initialiser("zero", [], [Float(0)])
        let six = try builder.initialiser("six", [], [Float(6)])
        var value = builder.input("image", [1, 3, .fixed(side), .fixed(side)])
        var (size, blockInput) = (side, value)

        for layer in layers {
            switch layer {
            case .blockStart: blockInput = value
            case .residual(let name): value = builder.node("Add", [value, blockInput], name: name, output: name)
            case .convolution(let layer):
                let name = layer.name
                let tensors = try weights.folded(layer)
                let kernel = try builder.initialiser(name + ".weight", layer.shape, tensors.weights)
                let bias = try builder.initialiser(name + ".bias", [layer.outputs], tensors.biases)
                let pad = Self.samePadding(size: size, kernel: layer.kernel, stride: layer.stride)
                size = (size + layer.stride - 1) / layer.stride
                value = builder.node(
                    "Conv", [value, kernel, bias],
                    [
                        "group": .int(layer.isDepthwise ? Int64(layer.inputs) : 1),
                        "kernel_shape": .ints([layer.kernel, layer.kernel]),
                        "pads": .ints([pad.before, pad.before, pad.after, pad.after]),
                        "strides": .ints([layer.stride, layer.stride]),
                    ], name: name, output: name)
                if layer.isActivated {
                    value = builder.node("Clip", [value, zero, six], name: name + ".relu6", output: name + ".relu6")
                }
            }
        }
        value = builder.node("GlobalAveragePool", [value], name: "pool", output: "pool")
        value = builder.node("Flatten", [value], ["axis": 1], name: "features", output: "features")
        let last = try weights.classifier()
        let rows = try builder.initialiser(
            "classifier.weight", [Self.classCount, Self.headChannels], last.weights)
        let bias = try builder.initialiser("classifier.bias", [Self.classCount], last.biases)
        builder.node("Gemm", [value, rows, bias], ["transB": 1], name: "classifier", output: "logits")
        builder.output("logits", [1, .fixed(Self.classCount)])
        return builder.model
    }

    /// The bytes of the ONNX file that the store keeps: with what the classes are called and how an image becomes the
    /// input, in the form of Documentation/ModelMetadata.md.
    func onnxFile(_ checkpoint: TorchCheckpoint, _ model: ModelDescription, _ classes: ImageNetClasses) throws
        -> [UInt8]
    {
        var file = try onnx(checkpoint, name: model.id)
        file.metadata["openvision"] = try ClassifierMetadata(
            description: model.summary, license: model.licence, version: model.version, labels: classes.identifiers,
            inputs: ["image": .init(colorOrder: "RGB", scale: 1 / 128, bias: -127 / 128)],
            classifier: .init(scores: "logits", activation: "softmax"),
            userDefined: ["classNames": classes.names.joined(separator: "\n"), "source": model.member]
        ).text()
        return [UInt8](file.serialised())
    }
}
