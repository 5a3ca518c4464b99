import Foundation

extension ResizeImage: CPUOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        let image = try required(inputs, 0)
        if channelsFirst { return PlanarResizeStep(self, inputHeight: image.shape[2], inputWidth: image.shape[3]) }
        return ImageResizeStep(self, inputHeight: image.shape[1], inputWidth: image.shape[2])
    }

    /// For each output position the input positions (one or two) and their weights.
    func taps(_ output: Int, _ input: Int, scale: Double?) -> (positions: [Int32], weights: [Float]) {
        let scale = scale ?? Double(output) / Double(input)
        var positions: [Int32] = []
        var weights: [Float] = []
        for x in 0..<output {
            let position: Double =
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
                    case .preferFloor: ceil(position - 0.5)
                    case .preferCeiling: floor(position + 0.5)
                    case .floor: floor(position)
                    case .ceiling: ceil(position)
                    }
                positions.append(clamped(nearest))
            case .bilinear:
                let below = floor(position)
                let fraction = Float(position - below)
                positions.append(clamped(below))
                positions.append(clamped(below + 1))
                weights.append(1 - fraction)
                weights.append(fraction)
            }
        }
        return (positions, weights)
    }
}
