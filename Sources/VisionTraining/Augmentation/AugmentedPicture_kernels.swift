internal import CVisionKernels
import Foundation
import VisionImage

extension Augmentation.Recipe {
    /// How much larger than the result the picture is that copies are made of, so that parts of it are not blown up.
    static let enlargement = 1.25

    /// Carries the recipe out.
    ///
    /// - Parameters:
    ///   - picture: the whole photo as `.rgb8`.
    ///   - side: the rows and columns of the result.
    /// - Throws: `ImageError`.
    func picture(of picture: Raster, side: Int) throws -> Raster {
        var result = try placed(picture, side: side)
        if let blur {
            let small = max(1, Int((Double(side) / blur).rounded()))
            result = try result.resized(width: small, height: small, filter: .area)
                .resized(width: side, height: side, filter: .bilinear)
        }
        if let stops { result = try result.exposed(by: stops) }
        if let noise { result = try result.noisy(noise) }
        switch flip {
        case .leftRight: return try result.oriented(.upMirrored)
        case .upDown: return try result.oriented(.downMirrored)
        case .both: return try result.oriented(.down)
        case nil: return result
        }
    }

    /// The part of the picture, turned: one resampling for both.
    private func placed(_ picture: Raster, side: Int) throws -> Raster {
        let (width, height) = (Double(picture.width), Double(picture.height))
        let part = crop ?? Part(x: 0, y: 0, width: 1, height: 1)
        let region = PixelRegion(
            x: part.x * width, y: part.y * height, width: min(part.width * width, width - part.x * width),
            height: min(part.height * height, height - part.y * height))
        guard let angle else {
            return try picture.resized(width: side, height: side, filter: .antialiasedBilinear, region: region)
        }
        // From the result's pixels to the picture's: turned about the middle, then scaled to the part.
        let (cosine, sine) = (cos(angle), sin(angle))
        let (scaleX, scaleY) = (region.width / Double(side), region.height / Double(side))
        let middle = Double(side) / 2
        let map = CGAffineTransform(
            a: cosine * scaleX, b: sine * scaleY, c: -sine * scaleX, d: cosine * scaleY,
            tx: region.x + region.width / 2 - (cosine - sine) * middle * scaleX,
            ty: region.y + region.height / 2 - (sine + cosine) * middle * scaleY)
        return try picture.warped(by: map, width: side, height: side, border: .replicate)
    }
}

extension Raster {
    /// Brighter by so many stops, darker by negative ones: light is added up in linear numbers, which those of a
    /// picture are about the root of by 2.2.
    fileprivate func exposed(by stops: Double) throws -> Raster {
        let factor = pow(2, stops / 2.2)
        let table = (0...255).map { UInt8(min(255, (Double($0) * factor).rounded())) }
        return try Raster(width: width, height: height, format: format) { target, rowBytes in
            withUnsafePixels { source in
                for row in 0..<height {
                    cvk_u8_lookup(
                        (target + row * rowBytes).assumingMemoryBound(to: UInt8.self),
                        (source + row * self.rowBytes).assumingMemoryBound(to: UInt8.self),
                        width * format.bytesPerPixel, table)
                }
            }
        }
    }

    /// With a random number added to every byte.
    fileprivate func noisy(_ noise: Augmentation.Recipe.Noise) throws -> Raster {
        var random = RandomSource(seed: noise.seed)
        let table = NoiseTable.values
        let factor = Int32((noise.strength * 65536 / NoiseTable.deviation).rounded())
        let rowCount = width * format.bytesPerPixel
        return try Raster(width: width, height: height, format: format) { target, rowBytes in
            withUnsafePixels { source in
                table.withUnsafeBufferPointer { table in
                    for row in 0..<height {
                        let from = (source + row * self.rowBytes).assumingMemoryBound(to: UInt8.self)
                        let to = (target + row * rowBytes).assumingMemoryBound(to: UInt8.self)
                        // Every row begins elsewhere in the table, and goes round in it.
                        let start = random.index(below: NoiseTable.count)
                        for column in 0..<rowCount {
                            let deviation = Int32(table[(start + column) & (NoiseTable.count - 1)])
                            let value = Int32(from[column]) + (deviation * factor + 1 << 15) >> 16
                            to[column] = UInt8(truncatingIfNeeded: min(255, max(0, value)))
                        }
                    }
                }
            }
        }
    }
}

/// Numbers of a normal distribution, for noise.
private enum NoiseTable {
    static let count = 1 << 16
    /// Their standard deviation.
    static let deviation = 4096.0

    /// Rounded to whole numbers.
    static let values: [Int16] = {
        var random = RandomSource(seed: 77)
        return (0..<count).map { _ in
            // The sum of twelve even ones has the deviation 1.
            let sum = (0..<12).reduce(-6.0) { sum, _ in sum + random.number(in: 0...1) }
            return Int16((sum * 4096).rounded())
        }
    }()
}
