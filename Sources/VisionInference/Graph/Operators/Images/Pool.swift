import VisionThreads

/// The largest number or the mean of every window of a picture (N, H, W, C), channel by channel.
package struct Pool: Operator {
    package enum Kind: Hashable, Sendable {
        case maximum
        /// - Parameter countsPadding: padding counts as zeros; else only what lies within the picture counts.
        case average(countsPadding: Bool)
    }

    package var kind: Kind
    package var geometry: WindowGeometry

    package init(_ kind: Kind, _ geometry: WindowGeometry) {
        self.kind = kind
        self.geometry = geometry
    }

    package var name: String { kind == .maximum ? "MaxPool" : "AveragePool" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let picture = try required(inputs, 0)
        guard picture.shape.count == 4 else { throw ModelError.invalid("pooling of shape \(picture.shape)") }
        guard picture.type == .float32 else {
            throw ModelError.unsupported(operator: name, node: "", reason: "only 32-bit floats are pooled")
        }
        let size = try geometry.resolved(height: picture.shape[1], width: picture.shape[2])
        let output = [picture.shape[0], size.outputHeight, size.outputWidth, picture.shape[3]]
        return .known([TensorDescription(.float32, output)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        let elements = outputs.first?.shape.elementCount ?? 0
        return Int.saturatingProduct([elements, geometry.kernelHeight, geometry.kernelWidth])
    }
}
