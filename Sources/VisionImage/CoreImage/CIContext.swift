public import Foundation

/// Renders Core Image recipes. Contexts have no state: one may be used by several threads. Each equals itself only.
public final class CIContext: NSObject, Sendable {
    /// Creates a context. There is one kind.
    public override init() { super.init() }

    /// Creates a context; the options are accepted and have no effect.
    public init(options: [CIContextOption: Any]?) { super.init() }

    /// Renders the image inside the rectangle (lower-left origin, edges rounded outwards to whole pixels). Where the
    /// image has no pixels the result is black, and transparent if it was made by filters. Nil if the image cannot be
    /// read or the rectangle is empty or too large.
    public func createCGImage(_ image: CIImage, from fromRect: CGRect) -> CGImage? {
        guard let raster = try? raster(of: image, in: fromRect) else { return nil }
        return CGImage(raster: raster, alpha: alphaInfo(of: image, raster.format))
    }

    /// Images of filters keep their alpha; others are opaque.
    func alphaInfo(of image: CIImage, _ format: Raster.Format) -> CGImageAlphaInfo? {
        guard case .recipe = image.base else { return nil }
        switch format {
        case .bgra8, .argb8: return .premultipliedFirst
        case .rgba8: return .premultipliedLast
        default: return nil
        }
    }

    /// Renders the part of the image from (0, 0) upwards into the buffer, which it fills; black where the image has no
    /// pixels. The buffer's lower left pixel is the image's (0, 0).
    ///
    /// A buffer of floats takes grey values 0…1. If the image cannot be read, or the buffer holds 16-bit floats, the
    /// buffer is not changed, as on Apple's systems.
    public func render(_ image: CIImage, to buffer: CVPixelBuffer) {
        render(image, to: buffer, bounds: CGRect(x: 0, y: 0, width: buffer.width, height: buffer.height))
    }

    /// Renders the part of the image inside `bounds` into the buffer, with the lower left corner of `bounds` at the
    /// buffer's. The rest of the buffer becomes black. Colours are not converted.
    public func render(_ image: CIImage, to buffer: CVPixelBuffer, bounds: CGRect, colorSpace: CGColorSpace?) {
        render(image, to: buffer, bounds: bounds)
    }

    private func render(_ image: CIImage, to buffer: CVPixelBuffer, bounds: CGRect) {
        guard bounds.minX.isFinite, bounds.minY.isFinite else { return }
        let rect = CGRect(
            x: bounds.minX.rounded(.down), y: bounds.minY.rounded(.down), width: CGFloat(buffer.width),
            height: CGFloat(buffer.height))
        let image = image.cropped(to: bounds)
        guard let raster = try? raster(of: image, in: rect) else { return }
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        try? buffer.write(raster)
    }

    func raster(of image: CIImage, in rect: CGRect) throws -> Raster {
        let whole = rect.standardized.integral
        guard whole.width >= 1, whole.height >= 1, whole.width < 1e9, whole.height < 1e9, whole.minX.isFinite,
            whole.minY.isFinite
        else {
            throw ImageError.invalidArgument("the rectangle is empty or infinite")
        }
        let (width, height) = (Int(whole.width), Int(whole.height))
        try ImageLimits.check(width: width, height: height)
        let part = image.cropped(to: whole)
        guard !part.extent.isNull, part.extent.width > 0, part.extent.height > 0 else {
            return try Raster(width: width, height: height, format: .bgra8) { memset($0, 0, $1 * height) }
        }
        let visible = part.extent.integral
        let rendered = try part.rendered()
        // Sums such as left + width are rounded: a fractional extent can come out a pixel beyond the rectangle.
        let left = max(0, Int(visible.minX - whole.minX))
        let above = Int(whole.maxY - visible.maxY)
        let top = max(0, above)
        let inside = rendered.cropped(
            x: 0, y: top - above, width: min(rendered.width, width - left),
            height: min(rendered.height - (top - above), height - top))
        return try inside.padded(toWidth: width, height: height, x: left, y: top)
    }
}
