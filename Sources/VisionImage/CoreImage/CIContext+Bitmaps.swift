public import Foundation

extension CIContext {
    /// Renders the image inside the rectangle as `createCGImage(_:from:)` does. Colours are not converted.
    ///
    /// - Parameter format: One of the formats of 8 bits; the image is nil for others.
    public func createCGImage(
        _ image: CIImage, from fromRect: CGRect, format: CIFormat, colorSpace: CGColorSpace?
    ) -> CGImage? {
        let target: Raster.Format
        switch format {
        case .RGBA8: target = .rgba8
        case .BGRA8: target = .bgra8
        case .ARGB8: target = .argb8
        case .R8: target = .grey8
        default: return nil
        }
        guard let rendered = try? raster(of: image, in: fromRect), let raster = try? rendered.converted(to: target)
        else {
            return nil
        }
        return CGImage(raster: raster, alpha: alphaInfo(of: image, target))
    }

    /// Renders the image inside the rectangle to memory, the top row first. Pixels outside of the image are transparent
    /// black. Does nothing if the image cannot be read, the rectangle is empty or too large, rows are shorter than
    /// their pixels, or the format is not known.
    ///
    /// - Parameters:
    ///   - data: As many rows as the rectangle has.
    ///   - rowBytes: The distance of rows in bytes.
    ///   - bounds: The rectangle, lower-left origin; its edges are rounded outwards to whole pixels.
    ///   - colorSpace: Has no effect: colours are not converted.
    public func render(
        _ image: CIImage, toBitmap data: UnsafeMutableRawPointer, rowBytes: Int, bounds: CGRect, format: CIFormat,
        colorSpace: CGColorSpace?
    ) {
        guard let size = format.bytesPerPixel, let area = PixelRect(bounds.standardized), area.width <= 1 << 24,
            rowBytes >= area.width * size, (try? ImageLimits.check(width: area.width, height: area.height)) != nil
        else { return }
        if case .recipe = image.base, let order = format.orderOfBlueFirst {
            do { try image.renderRecipe(in: area, to: data, rowBytes: rowBytes) } catch { return }
            ByteTarget(data, rowBytes: rowBytes, area: area).reorder(order)
            return
        }
        try? image.forEachBand(of: area) { band, row in
            for index in band.pixels.indices {
                let (line, column) = index.quotientAndRemainder(dividingBy: area.width)
                let from = (band.bounds.height - 1 - line) * area.width + column
                format.store(band.pixels[from], at: data + (row + line) * rowBytes + column * size)
            }
        }
    }

    /// Renders the extent of the image as the bytes of a JPEG file; nil if it cannot be read or is empty or too large.
    ///
    /// - Parameter options: The key `kCGImageDestinationLossyCompressionQuality`, 0…1.
    public func jpegRepresentation(
        of image: CIImage, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
    ) -> Data? {
        let quality = options[CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality)]
        return encoded(image, "public.jpeg", quality.map { [kCGImageDestinationLossyCompressionQuality: $0] })
    }

    /// Renders the extent of the image as the bytes of a PNG file; nil if it cannot be read or is empty or too large.
    public func pngRepresentation(
        of image: CIImage, format: CIFormat, colorSpace: CGColorSpace,
        options: [CIImageRepresentationOption: Any] = [:]
    ) -> Data? {
        encoded(image, "public.png", nil)
    }

    /// Renders the extent of the image to a JPEG file. See `jpegRepresentation(of:colorSpace:options:)`.
    public func writeJPEGRepresentation(
        of image: CIImage, to url: URL, colorSpace: CGColorSpace, options: [CIImageRepresentationOption: Any] = [:]
    ) throws {
        try write(jpegRepresentation(of: image, colorSpace: colorSpace, options: options), url)
    }

    /// Renders the extent of the image to a PNG file. See `pngRepresentation(of:format:colorSpace:options:)`.
    public func writePNGRepresentation(
        of image: CIImage, to url: URL, format: CIFormat, colorSpace: CGColorSpace,
        options: [CIImageRepresentationOption: Any] = [:]
    ) throws {
        try write(pngRepresentation(of: image, format: format, colorSpace: colorSpace, options: options), url)
    }

    private func write(_ data: Data?, _ url: URL) throws {
        guard let data else { throw ImageError.invalidImage("the image cannot be rendered") }
        try data.write(to: url)
    }

    private func encoded(_ image: CIImage, _ type: String, _ properties: CFDictionary?) -> Data? {
        let data = NSMutableData()
        guard let rendered = createCGImage(image, from: image.extent),
            let destination = CGImageDestinationCreateWithData(data, type, 1, nil)
        else { return nil }
        CGImageDestinationAddImage(destination, rendered, properties)
        return CGImageDestinationFinalize(destination) ? Data(referencing: data) : nil
    }
}

/// An option of the files that a `CIContext` writes.
public struct CIImageRepresentationOption: RawRepresentable, Hashable, Sendable {
    /// The option's name.
    public let rawValue: String
    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension CIFormat {
    /// The indices of the channels in pixels of blue, green, red and alpha; nil for formats other than four bytes.
    fileprivate var orderOfBlueFirst: [UInt8]? {
        switch self {
        case .BGRA8: [0, 1, 2, 3]
        case .RGBA8: [2, 1, 0, 3]
        case .ARGB8: [3, 2, 1, 0]
        default: nil
        }
    }

    /// Writes a pixel; bytes are rounded and limited to 0…255.
    fileprivate func store(_ pixel: FloatImage.Pixel, at target: UnsafeMutableRawPointer) {
        func bytes(_ parts: Float...) {
            for (index, part) in parts.enumerated() {
                let limited = part > 0 ? min(part, 1) : 0
                target.storeBytes(of: UInt8((limited * 255).rounded()), toByteOffset: index, as: UInt8.self)
            }
        }
        switch self {
        case .RGBA8: bytes(pixel.x, pixel.y, pixel.z, pixel.w)
        case .BGRA8: bytes(pixel.z, pixel.y, pixel.x, pixel.w)
        case .ARGB8: bytes(pixel.w, pixel.x, pixel.y, pixel.z)
        case .R8: bytes(pixel.x)
        case .Rf: target.storeBytes(of: pixel.x, as: Float.self)
        default:
            for index in 0..<4 { target.storeBytes(of: pixel[index], toByteOffset: 4 * index, as: Float.self) }
        }
    }
}
