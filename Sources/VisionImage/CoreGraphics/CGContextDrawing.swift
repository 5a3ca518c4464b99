public import Foundation

/// A colour for drawing: bytes, and alpha from 0 to 1.
struct Colour {
    static let black = Colour(0, 0, 0, 1)

    let red, green, blue: UInt8
    let alpha: Float

    init(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat, _ alpha: CGFloat) {
        func unit(_ value: CGFloat) -> CGFloat { value.isFinite ? min(max(value, 0), 1) : 0 }
        func byte(_ value: CGFloat) -> UInt8 { UInt8((unit(value) * 255).rounded()) }
        (self.red, self.green, self.blue) = (byte(red), byte(green), byte(blue))
        self.alpha = Float(unit(alpha))
    }

}

extension CGContext {
    /// Fills a rectangle in user coordinates with the fill colour.
    public func fill(_ rect: CGRect) { paint(rect.standardized, with: state.fill) }

    /// Fills rectangles in user coordinates with the fill colour.
    public func fill(_ rects: [CGRect]) { rects.forEach(fill) }

    /// Sets all components in a rectangle in user coordinates to zero.
    public func clear(_ rect: CGRect) {
        forEachPixel(in: rect.standardized) { pixel in
            for byte in 0..<layout.bytesPerPixel { pixel.storeBytes(of: 0, toByteOffset: byte, as: UInt8.self) }
        }
    }

    /// Draws the outline of a rectangle with the stroke colour; the line is centred on its edges.
    public func stroke(_ rect: CGRect) { stroke(rect, width: state.lineWidth) }

    /// Draws the outline of a rectangle with lines of the given width, centred on its edges.
    public func stroke(_ rect: CGRect, width: CGFloat) {
        let rect = rect.standardized
        guard width > 0, width.isFinite, !rect.isNull, !rect.isInfinite else { return }
        let outer = rect.insetBy(dx: -width / 2, dy: -width / 2)
        guard rect.width > width, rect.height > width else { return paint(outer, with: state.stroke) }
        // Four bars that do not overlap, so that a translucent line is uniform.
        for bar in [
            CGRect(x: outer.minX, y: outer.maxY - width, width: outer.width, height: width),
            CGRect(x: outer.minX, y: outer.minY, width: outer.width, height: width),
            CGRect(x: outer.minX, y: outer.minY + width, width: width, height: outer.height - 2 * width),
            CGRect(x: outer.maxX - width, y: outer.minY + width, width: width, height: outer.height - 2 * width),
        ] { paint(bar, with: state.stroke) }
    }

    /// Draws an image into a rectangle in user coordinates, over the existing pixels.
    ///
    /// Colours of an image are premultiplied by alpha if its alpha information says so. Nothing is drawn if memory is
    /// short for the resampled image.
    public func draw(_ image: CGImage, in rect: CGRect) {
        let rect = rect.standardized
        guard rect.width > 0, rect.height > 0, let visible = pixelBounds(of: rect) else { return }
        // From the unit square, y up, to pixels with y down.
        let toPixels = CGAffineTransform(scaleX: rect.width, y: rect.height)
            .concatenating(CGAffineTransform(translationX: rect.minX, y: rect.minY))
            .concatenating(state.transform)
            .concatenating(CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: CGFloat(height)))
        let toUnit = toPixels.inverted()
        guard let source = try? image.raster.converted(to: .rgba8) else { return }
        let resampled = try? self.resampled(source, toPixels, toUnit, visible)
        guard let resampled else { return }
        let hasAlpha = image.alphaInfo != .none && image.alphaInfo != .noneSkipFirst && image.alphaInfo != .noneSkipLast
        let multiplied = image.alphaInfo == .premultipliedFirst || image.alphaInfo == .premultipliedLast
        if state.transform.b == 0, state.transform.c == 0, layout.bytesPerPixel == 4 {
            // All visible pixels are drawn at once. Formats and bounds are valid here, so nothing is thrown.
            try? resampled.composite(
                over: memory, at: visible.minY * bytesPerRow + 4 * visible.minX, rowBytes: bytesPerRow, format: layout,
                alpha: !hasAlpha ? .none : multiplied ? .multiplied : .straight, opacity: Double(state.alpha))
            return
        }
        resampled.withUnsafePixels { pixels in
            forEachPixel(in: rect) { target, x, y in
                let offset = (y - visible.minY) * resampled.rowBytes + 4 * (x - visible.minX)
                let p = pixels.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                let alpha = hasAlpha ? Float(p.w) / 255 : 1
                var colour = SIMD3(Float(p.x), Float(p.y), Float(p.z))
                if !multiplied { colour *= alpha }
                blend(colour, alpha: alpha, opacity: Float(state.alpha), into: target)
            }
        }
    }

    /// Returns the image as it appears in the visible pixels.
    private func resampled(
        _ source: Raster, _ toPixels: CGAffineTransform, _ toUnit: CGAffineTransform, _ visible: PixelBounds
    ) throws -> Raster {
        let (width, height) = (visible.maxX - visible.minX, visible.maxY - visible.minY)
        let imageSize = CGSize(width: source.width, height: source.height)
        // From the unit square, y up, to the image's pixels, y down.
        let toImage = toUnit.concatenating(
            CGAffineTransform(a: imageSize.width, b: 0, c: 0, d: -imageSize.height, tx: 0, ty: imageSize.height))
        let upright = toPixels.b == 0 && toPixels.c == 0 && toPixels.a > 0 && toPixels.d < 0
        let part = CGRect(x: visible.minX, y: visible.minY, width: width, height: height).applying(toImage)
        let whole = CGRect(origin: .zero, size: imageSize)
        let quality = state.interpolation
        if upright, quality != .low, quality != .none, whole.insetBy(dx: -1e-6, dy: -1e-6).contains(part) {
            let inside = part.overlap(with: whole)
            let region = PixelRegion(
                x: Double(inside.minX), y: Double(inside.minY), width: Double(inside.width),
                height: Double(inside.height))
            return try source.resized(width: width, height: height, filter: .antialiasedBilinear, region: region)
        }
        let map = CGAffineTransform(translationX: CGFloat(visible.minX), y: CGFloat(visible.minY))
            .concatenating(toImage)
        return try source.warped(by: map, width: width, height: height, border: .replicate)
    }

    // MARK: Pixels

    /// A rectangle of whole pixels, y down; `max` is exclusive.
    private struct PixelBounds {
        let minX, minY, maxX, maxY: Int
    }

    /// Returns the pixels that a rectangle in user coordinates can touch.
    private func pixelBounds(of rect: CGRect) -> PixelBounds? {
        let touched = rect.applying(state.transform).overlap(with: CGRect(x: 0, y: 0, width: width, height: height))
        guard !touched.isNull, touched.width > 0, touched.height > 0, touched.minX.isFinite, touched.minY.isFinite
        else { return nil }
        // A pixel is drawn if its centre lies inside.
        let left = Int((touched.minX - 0.5).rounded(.up))
        let right = Int((touched.maxX - 0.5).rounded(.up))
        let top = Int((CGFloat(height) - touched.maxY - 0.5).rounded(.up))
        let bottom = Int((CGFloat(height) - touched.minY - 0.5).rounded(.up))
        guard left < right, top < bottom else { return nil }
        return PixelBounds(minX: max(0, left), minY: max(0, top), maxX: min(width, right), maxY: min(height, bottom))
    }

    private func forEachPixel(in rect: CGRect, _ body: (UnsafeMutableRawPointer) -> Void) {
        forEachPixel(in: rect) { pixel, _, _ in body(pixel) }
    }

    private func forEachPixel(in rect: CGRect, _ body: (UnsafeMutableRawPointer, Int, Int) -> Void) {
        guard let bounds = pixelBounds(of: rect) else { return }
        let transform = state.transform
        let straight = transform.b == 0 && transform.c == 0
        let inverse = transform.inverted()
        guard transform.a * transform.d - transform.b * transform.c != 0 else { return }
        for y in bounds.minY..<bounds.maxY {
            let row = memory.address + y * bytesPerRow
            for x in bounds.minX..<bounds.maxX {
                if !straight {
                    let centre = CGPoint(x: CGFloat(x) + 0.5, y: CGFloat(height - y) - 0.5).applying(inverse)
                    guard centre.x >= rect.minX, centre.x < rect.maxX, centre.y > rect.minY, centre.y <= rect.maxY
                    else { continue }
                }
                body(row + x * layout.bytesPerPixel, x, y)
            }
        }
    }

    func paint(_ rect: CGRect, with colour: Colour) {
        guard !rect.isNull, !rect.isInfinite else { return }
        let components = SIMD3(Float(colour.red), Float(colour.green), Float(colour.blue))
        forEachPixel(in: rect) {
            blend(components * colour.alpha, alpha: colour.alpha, opacity: Float(state.alpha), into: $0)
        }
    }

    /// Source over destination; `colour` is premultiplied by `alpha`.
    func blend(_ colour: SIMD3<Float>, alpha: Float, opacity: Float, into pixel: UnsafeMutableRawPointer) {
        func mixed(_ source: Float, _ offset: Int) -> UInt8 {
            let old = Float(pixel.load(fromByteOffset: offset, as: UInt8.self))
            return UInt8(min(max((source * opacity + old * (1 - alpha * opacity)).rounded(), 0), 255))
        }
        func store(_ value: Float, _ offset: Int) {
            pixel.storeBytes(of: mixed(value, offset), toByteOffset: offset, as: UInt8.self)
        }
        let (red, green, blue, alphaOffset): (Int, Int, Int, Int) =
            switch layout {
            case .rgba8: (0, 1, 2, 3)
            case .argb8: (1, 2, 3, 0)
            default: (2, 1, 0, 3)
            }
        guard layout != .grey8 else {
            return store(0.299 * colour.x + 0.587 * colour.y + 0.114 * colour.z, 0)
        }
        store(colour.x, red)
        store(colour.y, green)
        store(colour.z, blue)
        store(255 * alpha, alphaOffset)
    }
}
