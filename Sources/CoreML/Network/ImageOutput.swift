import VisionInference

/// The conversion of a network's output tensor to an image.
struct ImageOutput: Hashable, Sendable {
    let name: String
    let format: OSType
    /// nil: channels come first unless only the last axis can be that of channels.
    let channelsLast: Bool?
    let isBlueFirst: Bool
    /// A byte (or a float, for float formats) is element × scale + bias; for red, green and blue.
    let scale: SIMD3<Float>
    let bias: SIMD3<Float>

    /// Returns a pixel buffer with the elements of the tensor as its pixels.
    ///
    /// - Throws: `MLModelError.featureType` if the shape is not that of an image.
    func pixelBuffer(of view: TensorView) throws -> CVPixelBuffer {
        let (channels, height, width, last) = try imageAxes(in: view.shape)
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

    /// Returns the image axes of a shape; the axes before them must have length 1.
    private func imageAxes(in shape: [Int]) throws -> (channels: Int, height: Int, width: Int, channelsLast: Bool) {
        var axes = shape[...]
        while axes.count > 3, axes.first == 1 { axes.removeFirst() }
        let lengths = Array(axes)
        let found: (channels: Int, height: Int, width: Int, channelsLast: Bool)
        switch lengths.count {
        case 2: found = (1, lengths[0], lengths[1], false)
        case 3:
            let last = channelsLast ?? (![1, 3, 4].contains(lengths[0]) && [1, 3, 4].contains(lengths[2]))
            found = last ? (lengths[2], lengths[0], lengths[1], true) : (lengths[0], lengths[1], lengths[2], false)
        default: throw unexpected(shape)
        }
        guard [1, 3, 4].contains(found.channels), format == kCVPixelFormatType_32BGRA || found.channels == 1 else {
            throw unexpected(shape)
        }
        return found
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
            .featureType, "The output \(name) of shape \(shape) is not an image in the format given by its metadata.")
    }
}
