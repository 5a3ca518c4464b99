import Foundation

/// Resizing of pictures (N, H, W, C) by the nearest pixel or bilinearly, with the positions worked out beforehand.
package struct ResizePicture: Operator {
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

    package init(
        _ filter: Filter, _ coordinates: Coordinates, height: Int, width: Int, scaleY: Double? = nil,
        scaleX: Double? = nil
    ) {
        self.filter = filter
        self.coordinates = coordinates
        self.height = height
        self.width = width
        self.scaleY = scaleY
        self.scaleX = scaleX
    }

    package var name: String { "Resize" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let picture = try required(inputs, 0)
        guard picture.shape.count == 4, picture.type == .float32 else {
            throw ModelError.unsupported(operator: name, node: "", reason: "only pictures of 32-bit floats are resized")
        }
        guard (1...1 << 20).contains(height), (1...1 << 20).contains(width), picture.shape[1] > 0, picture.shape[2] > 0,
            picture.shape[1] < 1 << 24, picture.shape[2] < 1 << 24
        else { throw ModelError.invalid("resizing \(picture.shape) to \(width) × \(height)") }
        return .known([TensorDescription(.float32, [picture.shape[0], height, width, picture.shape[3]])])
    }

    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let picture = try required(inputs, 0)
        let step = PictureResizeStep(self, inputHeight: picture.shape[1], inputWidth: picture.shape[2])
        try step.run(
            StepBuffers(inputs: inputs, outputs: outputs, scratch: outputs[0].base), .single)
    }

    package func prepare(
        _ inputs: [TensorDescription?], _ outputs: [TensorDescription], _ preparation: Preparation
    ) throws -> any Step {
        let picture = try required(inputs, 0)
        return PictureResizeStep(self, inputHeight: picture.shape[1], inputWidth: picture.shape[2])
    }

    /// For each output position the input positions (one or two) and their weights.
    func taps(_ output: Int, _ input: Int, scale: Double?) -> (positions: [Int32], weights: [Float]) {
        let scale = scale ?? Double(output) / Double(input)
        var positions: [Int32] = []
        var weights: [Float] = []
        for x in 0..<output {
            let place: Double =
                switch coordinates {
                case .halfPixel: (Double(x) + 0.5) / scale - 0.5
                case .halfPixelOrOne: output > 1 ? (Double(x) + 0.5) / scale - 0.5 : 0
                case .asymmetric: Double(x) / scale
                case .alignedCorners: output > 1 ? Double(x) * Double(input - 1) / Double(output - 1) : 0
                }
            func clamped(_ value: Double) -> Int32 { Int32(min(max(value, 0), Double(input - 1))) }
            switch filter {
            case .nearest(let rounding):
                let nearest =
                    switch rounding {
                    case .preferFloor: ceil(place - 0.5)
                    case .preferCeiling: floor(place + 0.5)
                    case .floor: floor(place)
                    case .ceiling: ceil(place)
                    }
                positions.append(clamped(nearest))
            case .bilinear:
                let below = floor(place)
                let fraction = Float(place - below)
                positions.append(clamped(below))
                positions.append(clamped(below + 1))
                weights.append(1 - fraction)
                weights.append(fraction)
            }
        }
        return (positions, weights)
    }
}
