package import VisionInference

/// The network for faces that is our own, as ONNX. Training/Faces trains it and writes its weights.
package enum FaceGraphs {
    /// Rows and columns of what the verifier sees, and an edge of it for the longer edge of the mesh.
    package static let verifierSide = 64
    package static let verifierMargin = 1.8
    /// "pixels", 1 × 64 × 64 × 3 from -1 to 1, to "score", 1 × 1: the logarithm of the odds that they show a face.
    package static func verifier(_ text: String) throws -> ONNXModel {
        let side = ONNXDimension.fixed(verifierSide)
        var builder = ONNXBuilder(opset: 13, name: "faces, verifier")
        var weights = try CompiledWeights(base64: text, damage: FaceWeights.damage)
        builder.input("pixels", [1, side, side, 3])
        var value = builder.node("Transpose", ["pixels"], ["perm": [0, 3, 1, 2]])
        var before = 3
        let layers = [(16, 5, 2), (24, 3, 2), (32, 3, 1), (48, 3, 2), (48, 3, 1), (64, 3, 2)]
        for (index, (width, kernel, stride)) in layers.enumerated() {
            value = try builder.convolution(
                value, "layer\(index)", &weights, outputs: width, inputs: before, kernel: kernel, stride: stride,
                isActivated: true)
            before = width
        }
        value = builder.node("Transpose", [value], ["perm": [0, 2, 3, 1]])
        value = builder.node("Reshape", [value, try builder.initialiser("row.shape", [2], [Int64(1), 1024])])
        value = try builder.linear(value, "full1", &weights, channels: 64, positions: 16, outputs: 48)
        value = builder.node("Relu", [value])
        value = try builder.linear(value, "full2", &weights, channels: 48, outputs: 1)
        builder.node("Identity", [value], output: "score")
        builder.output("score", [1, 1])
        try weights.finish()
        return builder.model
    }
}
