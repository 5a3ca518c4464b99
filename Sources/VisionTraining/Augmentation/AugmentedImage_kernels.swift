internal import CVisionKernels
import Foundation
import VisionImage

extension Augmentation.Recipe {
    /// The size of the source image relative to the result, so that crops are not enlarged.
    static let enlargement = 1.25

    /// Applies the recipe.
    ///
    /// - Parameters:
    ///   - image: The whole photo as `.rgb8`.
    ///   - side: The width and height of the result.
    /// - Throws: `ImageError`.
    func image(of image: Raster, side: Int) throws -> Raster {
        var result = try cropped(image, side: side)
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

    /// Crops and rotates in one resampling.
    private func cropped(_ image: Raster, side: Int) throws -> Raster {
        let (width, height) = (Double(image.width), Double(image.height))
        let part = crop ?? Part(x: 0, y: 0, width: 1, height: 1)
        let region = PixelRegion(
            x: part.x * width, y: part.y * height, width: min(part.width * width, width - part.x * width),
            height: min(part.height * height, height - part.y * height))
        guard let angle else {
            return try image.resized(width: side, height: side, filter: .antialiasedBilinear, region: region)
        }
        // Maps pixels of the result to pixels of the image: rotates about the centre, then scales to the crop.
        let (cosine, sine) = (cos(angle), sin(angle))
        let (scaleX, scaleY) = (region.width / Double(side), region.height / Double(side))
        let middle = Double(side) / 2
        let map = CGAffineTransform(
            a: cosine * scaleX, b: sine * scaleY, c: -sine * scaleX, d: cosine * scaleY,
            tx: region.x + region.width / 2 - (cosine - sine) * middle * scaleX,
            ty: region.y + region.height / 2 - (sine + cosine) * middle * scaleY)
        return try image.warped(by: map, width: side, height: side, border: .replicate)
    }
}

extension Raster {
    /// Changes the exposure by a number of stops, assuming a gamma of 2.2.
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

    /// Adds a random number to every byte.
    fileprivate func noisy(_ noise: Augmentation.Recipe.Noise) throws -> Raster {
        var random = SplitMix64(seed: noise.seed)
        let table = NoiseTable.values
        let factor = Int32((noise.strength * 65536 / NoiseTable.deviation).rounded())
        let rowCount = width * format.bytesPerPixel
        return try Raster(width: width, height: height, format: format) { target, rowBytes in
            withUnsafePixels { source in
                table.withUnsafeBufferPointer { table in
                    for row in 0..<height {
                        let from = (source + row * self.rowBytes).assumingMemoryBound(to: UInt8.self)
                        let to = (target + row * rowBytes).assumingMemoryBound(to: UInt8.self)
                        // Every row starts at a random position of the table and wraps around.
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

/// Normally distributed numbers, for noise.
private enum NoiseTable {
    static let count = 1 << 16
    /// The standard deviation.
    static let deviation = 4096.0

    /// The numbers, rounded to integers.
    static let values: [Int16] = {
        var random = SplitMix64(seed: 77)
        return (0..<count).map { _ in
            // The sum of twelve uniform numbers has a standard deviation of 1.
            let sum = (0..<12).reduce(-6.0) { sum, _ in sum + random.number(in: 0...1) }
            return Int16((sum * 4096).rounded())
        }
    }()
}
