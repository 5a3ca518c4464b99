import Foundation

/// The decoded pixels of an image that is no recipe.
struct SourcePixels {
    private enum Alpha { case opaque, straight, premultiplied }

    private let raster: Raster
    private let alpha: Alpha

    init(_ image: CIImage) throws {
        switch image.base {
        case .pixelBuffer(let buffer):
            let stored = StoredImage(pixelBuffer: buffer, orientation: nil)
            if case .raster(let raster) = stored.pixels {
                alpha = [.bgra8, .argb8, .rgba8].contains(raster.format) ? .premultiplied : .opaque
                self.raster = try raster.converted(to: .bgra8)
            } else {
                alpha = .opaque
                raster = try Raster(buffer, as: .bgra8)
            }
        case .image(let image):
            switch image.alphaInfo {
            case .first, .last: alpha = .straight
            case .premultipliedFirst, .premultipliedLast: alpha = .premultiplied
            case .none, .noneSkipFirst, .noneSkipLast, .alphaOnly: alpha = .opaque
            }
            raster = try image.raster.converted(to: .bgra8)
        case .encoded(let file):
            let hasAlpha = file.hasAlpha && !file.isGrey
            alpha = hasAlpha ? .straight : .opaque
            raster = try file.decode(to: hasAlpha ? .rgba8 : file.isGrey ? .grey8 : .rgb8).converted(to: .bgra8)
        case .recipe:
            throw ImageError.invalidArgument("a recipe has no pixels of its own")
        }
    }

    /// Returns the pixels of a rectangle under a transform of the plane: exact for shifts by whole pixels, bilinear
    /// otherwise.
    func render(_ bounds: PixelRect, _ transform: CGAffineTransform) throws -> FloatImage {
        let whole = PixelRect(x: 0, y: 0, width: raster.width, height: raster.height)
        if let shift = transform.wholeShift {
            let part = PixelRect(
                x: bounds.x - shift.x, y: bounds.y - shift.y, width: bounds.width, height: bounds.height)
            return try pixels(part.intersection(whole)).placed(in: part).moved(to: bounds)
        }
        let determinant = transform.a * transform.d - transform.b * transform.c
        guard determinant.isFinite, determinant != 0 else {
            throw ImageError.invalidArgument("the transform of the Core Image recipe has no inverse")
        }
        let inverse = transform.inverted()
        let part = whole.intersection(bounds.cgRect.applying(inverse).insetBy(dx: -1, dy: -1))
        guard !part.isEmpty else { return try FloatImage(bounds: bounds) }
        let source = try pixels(part)
        return try FloatImage(bounds: bounds) { x, y in
            let (x, y) = (Double(x) + 0.5, Double(y) + 0.5)
            return source.sample(
                Double(inverse.a) * x + Double(inverse.c) * y + Double(inverse.tx),
                Double(inverse.b) * x + Double(inverse.d) * y + Double(inverse.ty))
        }
    }

    private func pixels(_ part: PixelRect) throws -> FloatImage {
        try raster.withUnsafePixels { base in
            try FloatImage(bounds: part) { x, y in
                let bytes = base.advanced(by: (raster.height - 1 - y) * raster.rowBytes + 4 * x)
                    .assumingMemoryBound(to: UInt8.self)
                let pixel =
                    FloatImage.Pixel(Float(bytes[2]), Float(bytes[1]), Float(bytes[0]), Float(bytes[3])) / 255
                switch alpha {
                case .premultiplied: return pixel
                case .straight: return pixel.premultiplied
                case .opaque: return FloatImage.Pixel(pixel.x, pixel.y, pixel.z, 1)
                }
            }
        }
    }
}
