import Foundation

extension FloatMap {
    /// The values of a raster of one 32-bit float a pixel; values that are not finite become 0.
    ///
    /// - Precondition: The format is `greyFloat`.
    package init(_ raster: Raster) {
        precondition(raster.format == .greyFloat)
        let (width, height) = (raster.width, raster.height)
        let values = [Float](unsafeUninitializedCapacity: width * height) { target, count in
            raster.withUnsafePixels { pixels in
                for y in 0..<height {
                    let row = (pixels + y * raster.rowBytes).assumingMemoryBound(to: Float.self)
                    for x in 0..<width {
                        let value = row[x]
                        target[y * width + x] = value.isFinite ? value : 0
                    }
                }
            }
            count = width * height
        }
        self.init(width: width, height: height, values: values)
    }

    /// Returns the map as a raster of floats.
    ///
    /// - Throws: `ImageError.outOfMemory`.
    package func raster() throws -> Raster {
        try Raster(width: width, height: height, format: .greyFloat) { pixels, rowBytes in
            values.withUnsafeBytes { source in
                for y in 0..<height {
                    let row = source[(4 * y * width)..<(4 * (y + 1) * width)]
                    UnsafeMutableRawBufferPointer(start: pixels + y * rowBytes, count: 4 * width).copyBytes(from: row)
                }
            }
        }
    }

    /// Returns a region of the map scaled to a size.
    ///
    /// - Parameter region: In positions of the map, within it; nil for all of it.
    /// - Throws: `ImageError`.
    package func resized(
        width: Int, height: Int, filter: ResizeFilter = .antialiasedBilinear, region: PixelRegion? = nil
    ) throws -> FloatMap {
        if region == nil, width == self.width, height == self.height { return self }
        return FloatMap(try raster().resized(width: width, height: height, filter: filter, region: region))
    }
}

extension CVBuffer {
    /// Returns a buffer of one component a pixel with the values of a map.
    ///
    /// - Parameter format: 8 bits (0…1 becomes 0…255, rounded), 16-bit or 32-bit floats.
    /// - Throws: `ImageError.unsupportedFormat` for another format, `ImageError.outOfMemory`.
    package static func ofOneComponent(_ map: FloatMap, format: OSType) throws -> CVBuffer {
        let elementBytes: Int
        switch format {
        case kCVPixelFormatType_OneComponent8: elementBytes = 1
        case kCVPixelFormatType_OneComponent16Half: elementBytes = 2
        case kCVPixelFormatType_OneComponent32Float: elementBytes = 4
        default:
            throw ImageError.unsupportedFormat(
                "a mask has the format OneComponent8, OneComponent16Half or OneComponent32Float, not \(format)")
        }
        var created: CVPixelBuffer?
        guard CVPixelBufferCreate(nil, map.width, map.height, format, nil, &created) == kCVReturnSuccess,
            let buffer = created
        else { throw ImageError.outOfMemory(bytes: map.values.count * elementBytes) }
        let plane = buffer.planes[0]
        map.values.withUnsafeBufferPointer { values in
            for y in 0..<map.height {
                let row = plane.address + y * plane.rowBytes
                let from = y * map.width
                switch elementBytes {
                case 1:
                    let bytes = row.assumingMemoryBound(to: UInt8.self)
                    for x in 0..<map.width { bytes[x] = UInt8(min(max(values[from + x], 0), 1) * 255 + 0.5) }
                case 2:
                    let halves = row.assumingMemoryBound(to: UInt16.self)
                    for x in 0..<map.width { halves[x] = Float16(values[from + x]).bitPattern }
                default:
                    let floats = row.assumingMemoryBound(to: Float.self)
                    for x in 0..<map.width { floats[x] = values[from + x] }
                }
            }
        }
        return buffer
    }
}
