import VisionInference

/// How an image comes out of a network.
struct ImageOutput: Hashable, Sendable {
    let name: String
    let format: OSType
    /// nil: channels come first unless only the last axis can count them.
    let channelsLast: Bool?
    let isBlueFirst: Bool
    /// A byte (or a float, of float formats) is number × scale + bias; for red, green and blue.
    let scale: SIMD3<Float>
    let bias: SIMD3<Float>

    /// A pixel buffer with the numbers of the network as its pixels.
    ///
    /// - Throws: `MLModelError.featureType` when the shape is not that of an image.
    func pixelBuffer(of view: TensorView) throws -> CVPixelBuffer {
        var shape = view.shape
        while shape.count > 3
            || shape.count == 3 && format != kCVPixelFormatType_32BGRA && shape.first == 1 && shape.last != 1
        {
            guard shape.first == 1 else { throw unexpected(view.shape) }
            shape.removeFirst()
        }
        if shape.count == 2 { shape = [1] + shape }
        guard shape.count == 3 else { throw unexpected(view.shape) }
        let last = channelsLast ?? (![1, 3, 4].contains(shape[0]) && [1, 3, 4].contains(shape[2]))
        let (channels, height, width) = last ? (shape[2], shape[0], shape[1]) : (shape[0], shape[1], shape[2])
        guard [1, 3, 4].contains(channels), format == kCVPixelFormatType_32BGRA || channels == 1 else {
            throw unexpected(view.shape)
        }
        var made: CVPixelBuffer?
        guard CVPixelBufferCreate(nil, width, height, format, nil, &made) == kCVReturnSuccess, let made else {
            throw unexpected(view.shape)
        }
        let numbers = view.floats
        let (channelStep, pixelStep) = last ? (1, channels) : (width * height, 1)
        for row in 0..<height {
            let target = made.planes[0].address + row * made.planes[0].rowBytes
            for column in 0..<width {
                let start = (row * width + column) * pixelStep
                func value(_ channel: Int, _ colour: Int) -> Float {
                    numbers[start + channel * channelStep] * scale[colour] + bias[colour]
                }
                write(channels: channels, column: column, to: target, value)
            }
        }
        return made
    }

    private func write(
        channels: Int, column: Int, to row: UnsafeMutableRawPointer, _ value: (_ channel: Int, _ colour: Int) -> Float
    ) {
        func byte(_ value: Float) -> UInt8 { value.isNaN ? 0 : UInt8(max(0, min(255, value.rounded()))) }
        switch format {
        case kCVPixelFormatType_OneComponent32Float:
            row.storeBytes(of: value(0, 0), toByteOffset: 4 * column, as: Float.self)
        case kCVPixelFormatType_OneComponent8:
            row.storeBytes(of: byte(value(0, 0)), toByteOffset: column, as: UInt8.self)
        default:
            for colour in 0..<3 {
                let channel = channels == 1 ? 0 : isBlueFirst ? 2 - colour : colour
                row.storeBytes(of: byte(value(channel, colour)), toByteOffset: 4 * column + 2 - colour, as: UInt8.self)
            }
            row.storeBytes(of: channels == 4 ? byte(value(3, 0)) : 255, toByteOffset: 4 * column + 3, as: UInt8.self)
        }
    }

    private func unexpected(_ shape: [Int]) -> MLModelError {
        MLModelError(
            .featureType, "The output \(name) of shape \(shape) is no image of the format that its metadata says.")
    }
}
