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

    /// Red, green, blue, 0…255, multiplied by alpha, and alpha, 0…1.
    var components: SIMD4<Float> {
        SIMD4(Float(red) * alpha, Float(green) * alpha, Float(blue) * alpha, alpha)
    }
}

extension CGContext {
    /// Draws an image into a rectangle in user coordinates, over the existing pixels.
    ///
    /// Colours of an image are premultiplied by alpha if its alpha information says so. Nothing is drawn if memory is
    /// short for the resampled image.
    public func draw(_ image: CGImage, in rect: CGRect) {
        withShadow { drawPixels(of: image, in: rect) }
    }

    private func drawPixels(of image: CGImage, in rect: CGRect) {
        let rect = rect.standardized
        if let document, rect.width > 0, rect.height > 0 {
            let unit = CGAffineTransform(a: rect.width, b: 0, c: 0, d: rect.height, tx: rect.minX, ty: rect.minY)
            return document.draw(image, unit.concatenating(ctm), opacity: state.alpha)
        }
        guard rect.width > 0, rect.height > 0, !isDocument, let visible = pixelBounds(of: rect) else { return }
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
        let clip = state.clip
        let isUnclipped =
            clip.mask == nil && clip.columns.lowerBound <= visible.minX && clip.columns.upperBound >= visible.maxX
            && clip.rows.lowerBound <= height - visible.maxY && clip.rows.upperBound >= height - visible.minY
        if state.transform.b == 0, state.transform.c == 0, layout.bytesPerPixel == 4, isUnclipped,
            state.blendMode == .normal, castMask == nil
        {
            // All visible pixels are drawn at once. Formats and bounds are valid here, so nothing is thrown.
            try? resampled.composite(
                over: memory, at: visible.minY * bytesPerRow + 4 * visible.minX, rowBytes: bytesPerRow, format: layout,
                alpha: !hasAlpha ? .none : multiplied ? .multiplied : .straight, opacity: Double(state.alpha))
            return
        }
        resampled.withUnsafePixels { pixels in
            forEachPixel(in: rect) { x, y in
                guard clip.columns.contains(x), clip.rows.contains(height - 1 - y) else { return }
                let offset = (y - visible.minY) * resampled.rowBytes + 4 * (x - visible.minX)
                let p = pixels.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                let alpha = hasAlpha ? Float(p.w) / 255 : 1
                var colour = SIMD3(Float(p.x), Float(p.y), Float(p.z))
                if !multiplied { colour *= alpha }
                let row = height - 1 - y
                blend(SIMD4(colour, alpha), coverage: clip.coverage(x, row), x: x, row: row)
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

    private func forEachPixel(in rect: CGRect, _ body: (Int, Int) -> Void) {
        guard let bounds = pixelBounds(of: rect) else { return }
        let transform = state.transform
        let straight = transform.b == 0 && transform.c == 0
        let inverse = transform.inverted()
        guard transform.a * transform.d - transform.b * transform.c != 0 else { return }
        for y in bounds.minY..<bounds.maxY {
            for x in bounds.minX..<bounds.maxX {
                if !straight {
                    let centre = CGPoint(x: CGFloat(x) + 0.5, y: CGFloat(height - y) - 0.5).applying(inverse)
                    guard centre.x >= rect.minX, centre.x < rect.maxX, centre.y > rect.minY, centre.y <= rect.maxY
                    else { continue }
                }
                body(x, y)
            }
        }
    }
}
