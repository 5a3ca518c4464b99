/// Resizing of images (N, H, W, C), or (N, C, H, W), by the nearest pixel or bilinearly, with the positions worked out
/// beforehand.
package struct ResizeImage: Operator {
    package enum Filter: Hashable, Sendable {
        case nearest(Rounding)
        case bilinear
    }

    /// Which pixel is nearest to a position between two.
    package enum Rounding: Hashable, Sendable {
        case preferFloor, preferCeiling, floor, ceiling
    }

    /// Where an output pixel's centre lies in the input.
    package enum Coordinates: Hashable, Sendable {
        /// (x + 1/2) / scale − 1/2.
        case halfPixel
        /// The same, but 0 when the output is one pixel.
        case halfPixelOrOne
        /// x / scale.
        case asymmetric
        /// The corner pixels lie on each other.
        case alignedCorners
    }

    package var filter: Filter
    package var coordinates: Coordinates
    package var height: Int
    package var width: Int
    /// Output size over input size as the model states it; nil: the sizes decide.
    package var scaleY: Double?
    package var scaleX: Double?
    /// N, C, H, W instead of N, H, W, C: bilinear only.
    package var channelsFirst = false

    package var name: String { "Resize" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let image = try required(inputs, 0)
        guard image.shape.count == 4, image.type == .float32 else {
            throw ModelError.unsupported("only images of 32-bit floats are resized")
        }
        let axes = ImageAxes(channelsFirst: channelsFirst)
        let sides = [image.shape[axes.row], image.shape[axes.column]]
        guard (1...1 << 20).contains(height), (1...1 << 20).contains(width),
            sides.allSatisfy({ (1..<1 << 24).contains($0) }), !channelsFirst || filter == .bilinear
        else { throw ModelError.invalid("resizing \(image.shape) to \(width) × \(height)") }
        var shape = image.shape
        (shape[axes.row], shape[axes.column]) = (height, width)
        return .known([TensorDescription(.float32, shape)])
    }
}
