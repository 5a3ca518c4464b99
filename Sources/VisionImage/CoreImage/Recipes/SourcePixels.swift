import Foundation

/// The decoded pixels of an image that is no recipe.
struct SourcePixels {
    private enum Alpha { case opaque, straight, premultiplied }

    private let raster: Raster
    private let alpha: Alpha
    /// Whether the fourth bytes of opaque pixels are 255.
    private let isAlphaStored: Bool

    init(_ image: CIImage) throws {
        switch image.base {
        case .pixelBuffer(let buffer):
            isAlphaStored = true
            let stored = StoredImage(pixelBuffer: buffer, orientation: nil)
            if case .raster(let raster) = stored.pixels {
                alpha = raster.format.hasFourBytes ? .premultiplied : .opaque
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
            isAlphaStored = alpha != .opaque || !image.raster.format.hasFourBytes
        case .encoded(let file):
            isAlphaStored = true
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

    /// The pixels as bytes, where they are stored as an image of whole pixels shows them.
    func bytes(of image: CIImage) -> ByteSource? {
        guard alpha != .straight, isAlphaStored, let shift = image.transform.wholeShift else { return nil }
        let area = PixelRect(x: shift.x, y: shift.y, width: raster.width, height: raster.height)
        return ByteSource(raster: raster, area: area, visible: area.intersection(image.extent))
    }

    private func pixels(_ part: PixelRect) throws -> FloatImage {
        guard !part.isEmpty else { return try FloatImage(bounds: part) }
        let image = try raster.withUnsafePixels { base in
            try FloatImage(
                bounds: part, bytes: base + (raster.height - part.maxY) * raster.rowBytes + 4 * part.x,
                rowBytes: raster.rowBytes)
        }
        switch alpha {
        case .premultiplied: return image
        case .straight: return image.map { $0.premultiplied }
        case .opaque: return isAlphaStored ? image : image.map { FloatImage.Pixel($0.x, $0.y, $0.z, 1) }
        }
    }
}

extension Raster.Format {
    /// Whether pixels have a byte beside those of three colours.
    fileprivate var hasFourBytes: Bool { [.bgra8, .argb8, .rgba8].contains(self) }
}
