import Foundation

extension CVBuffer {
    /// Returns a buffer of one byte a pixel.
    ///
    /// - Parameter values: Row by row from the top.
    /// - Throws: `ImageError.invalidArgument` for a wrong number of values, `ImageError.outOfMemory`.
    package static func ofBytes(_ values: [UInt8], width: Int, height: Int) throws -> CVBuffer {
        guard width > 0, height > 0, values.count == width * height else {
            throw ImageError.invalidArgument("\(values.count) values are no image of \(width) × \(height) pixels")
        }
        var created: CVPixelBuffer?
        let status = CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_OneComponent8, nil, &created)
        guard status == kCVReturnSuccess, let buffer = created else {
            throw ImageError.outOfMemory(bytes: values.count)
        }
        let plane = buffer.planes[0]
        values.withUnsafeBytes { source in
            for y in 0..<height {
                UnsafeMutableRawBufferPointer(start: plane.address + y * plane.rowBytes, count: width)
                    .copyBytes(from: source[(y * width)..<((y + 1) * width)])
            }
        }
        return buffer
    }

    /// The values of a buffer of one byte a pixel, row by row; nil for another format.
    package var oneByteValues: [UInt8]? {
        guard format == kCVPixelFormatType_OneComponent8 else { return nil }
        let plane = planes[0]
        var values: [UInt8] = []
        values.reserveCapacity(width * height)
        for y in 0..<height {
            values += UnsafeRawBufferPointer(start: plane.address + y * plane.rowBytes, count: width)
        }
        return values
    }
}
