import VisionImage

/// Pixel buffers as a camera or a decoder would hand them over.
enum PixelBuffers {
    struct CannotCreate: Error, CustomStringConvertible {
        let description: String
    }

    static func grey(_ bytes: [UInt8], width: Int, height: Int) throws -> CVPixelBuffer {
        try make(kCVPixelFormatType_OneComponent8, bytes, bytesPerPixel: 1, width: width, height: height)
    }

    static func bgra(_ bytes: [UInt8], width: Int, height: Int) throws -> CVPixelBuffer {
        try make(kCVPixelFormatType_32BGRA, bytes, bytesPerPixel: 4, width: width, height: height)
    }

    static func bgra(_ image: RGBImage) throws -> CVPixelBuffer {
        try bgra(image.bgra, width: image.width, height: image.height)
    }

    static func make(_ frame: [UInt8], of file: RawFile) throws -> CVPixelBuffer {
        let formats: [String: (OSType, Int)] = [
            "grey8": (kCVPixelFormatType_OneComponent8, 1), "rgb8": (kCVPixelFormatType_24RGB, 3),
            "bgr8": (kCVPixelFormatType_24BGR, 3), "bgra8": (kCVPixelFormatType_32BGRA, 4),
        ]
        guard let (format, bytes) = formats[file.format] else {
            throw CannotCreate(description: "no pixel buffer of format \(file.format)")
        }
        return try make(format, frame, bytesPerPixel: bytes, width: file.width, height: file.height)
    }

    /// A buffer of video in two planes (video range), its chroma that of every second pixel.
    static func biplanar(_ image: RGBImage) throws -> CVPixelBuffer {
        let buffer = try create(
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: image.width, height: image.height)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        guard let luma = CVPixelBufferGetBaseAddressOfPlane(buffer, 0),
            let chroma = CVPixelBufferGetBaseAddressOfPlane(buffer, 1)
        else { throw CannotCreate(description: "a locked buffer has no address") }
        let lumaStride = CVPixelBufferGetBytesPerRowOfPlane(buffer, 0)
        let chromaStride = CVPixelBufferGetBytesPerRowOfPlane(buffer, 1)
        for y in 0..<image.height {
            for x in 0..<image.width {
                let (red, green, blue) = image.rgb(x, y)
                let value = 16 + (0.299 * red + 0.587 * green + 0.114 * blue) * 219 / 255
                luma.storeBytes(of: byte(value), toByteOffset: y * lumaStride + x, as: UInt8.self)
                guard x % 2 == 0, y % 2 == 0 else { continue }
                let cb = 128 + (-0.168736 * red - 0.331264 * green + 0.5 * blue) * 224 / 255
                let cr = 128 + (0.5 * red - 0.418688 * green - 0.081312 * blue) * 224 / 255
                let offset = y / 2 * chromaStride + x
                chroma.storeBytes(of: byte(cb), toByteOffset: offset, as: UInt8.self)
                chroma.storeBytes(of: byte(cr), toByteOffset: offset + 1, as: UInt8.self)
            }
        }
        return buffer
    }

    private static func make(
        _ format: OSType, _ bytes: [UInt8], bytesPerPixel: Int, width: Int, height: Int
    ) throws -> CVPixelBuffer {
        precondition(bytes.count == width * height * bytesPerPixel)
        let buffer = try create(format, width: width, height: height)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        guard let address = CVPixelBufferGetBaseAddress(buffer) else {
            throw CannotCreate(description: "a locked buffer has no address")
        }
        let stride = CVPixelBufferGetBytesPerRow(buffer)
        let row = width * bytesPerPixel
        bytes.withUnsafeBytes { bytes in
            for y in 0..<height {
                let source = UnsafeRawBufferPointer(rebasing: bytes[(y * row)..<((y + 1) * row)])
                UnsafeMutableRawBufferPointer(start: address + y * stride, count: row).copyMemory(from: source)
            }
        }
        return buffer
    }

    private static func create(_ format: OSType, width: Int, height: Int) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        let status = CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, nil, &buffer)
        guard status == kCVReturnSuccess, let buffer else {
            throw CannotCreate(description: "no pixel buffer of \(width) x \(height): status \(status)")
        }
        return buffer
    }
}

extension RGBImage {
    fileprivate func rgb(_ x: Int, _ y: Int) -> (Float, Float, Float) {
        let index = (y * width + x) * 3
        return (Float(pixels[index]), Float(pixels[index + 1]), Float(pixels[index + 2]))
    }
}
