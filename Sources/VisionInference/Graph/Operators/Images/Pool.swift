/// The largest number or the mean of every window of an image (N, H, W, C), channel by channel.
package struct Pool: Operator {
    package enum Kind: Hashable, Sendable {
        case maximum
        /// - Parameter countsPadding: padding counts as zeros; else only what lies within the image counts.
        case average(countsPadding: Bool)
    }

    package var kind: Kind
    package var geometry: WindowGeometry

    package var name: String { kind == .maximum ? "MaxPool" : "AveragePool" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let image = try required(inputs, 0)
        guard image.shape.count == 4 else { throw ModelError.invalid("pooling of shape \(image.shape)") }
        guard image.type == .float32 else {
            throw ModelError.unsupported("only 32-bit floats are pooled")
        }
        let size = try geometry.resolved(height: image.shape[1], width: image.shape[2])
        let output = [image.shape[0], size.outputHeight, size.outputWidth, image.shape[3]]
        return .known([TensorDescription(.float32, output)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        let elements = outputs.first?.shape.elementCount ?? 0
        return Int.saturatingProduct([elements, geometry.kernelHeight, geometry.kernelWidth])
    }
}
