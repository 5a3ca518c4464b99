import Foundation

extension CIImage {
    /// The size in pixels of `rendered()`: the extent with its edges rounded outwards to whole pixels.
    package func renderedSize() throws -> (width: Int, height: Int) {
        let whole = extent.integral
        guard !extent.isInfinite else {
            throw ImageError.invalidImage("the Core Image recipe has an infinite extent: crop it")
        }
        guard !extent.isNull, whole.width.isFinite, whole.height.isFinite,
            whole.minX.magnitude < 1e9, whole.minY.magnitude < 1e9, whole.width >= 1, whole.height >= 1,
            whole.width < 1e9, whole.height < 1e9
        else {
            throw ImageError.invalidImage("the Core Image recipe has no pixels: its extent is \(extent.text)")
        }
        let size = (width: Int(whole.width), height: Int(whole.height))
        try ImageLimits.check(width: size.width, height: size.height)
        return size
    }

    /// Renders the extent as B, G, R, A. Quarter turns, mirrorings and shifts by whole pixels are exact; everything
    /// else is sampled bilinearly, black beyond the base.
    package func rendered() throws -> Raster {
        let size = try renderedSize()
        let whole = extent.integral
        if case .recipe = base, let pixels = PixelRect(whole) { return try renderedRecipe(in: pixels) }
        let source = try baseRaster().converted(to: .bgra8)
        if let exact = try exactlyRendered(source, whole, size) { return exact }

        // From a pixel of the result (y down) to the base's (y down): flip, undo the transform, flip back.
        let flipResult = CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: whole.minX, ty: whole.maxY)
        let flipBase = CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: CGFloat(base.height))
        guard transform.a * transform.d - transform.b * transform.c != 0 else {
            throw ImageError.invalidArgument("the transform of the Core Image recipe has no inverse")
        }
        let map = flipResult.concatenating(transform.inverted()).concatenating(flipBase)
        return try source.warped(by: map, width: size.width, height: size.height, border: .black)
    }

    private func exactlyRendered(_ source: Raster, _ whole: CGRect, _ size: (width: Int, height: Int)) throws -> Raster?
    {
        let untouched = CIImage.whole(base)
        let orientation = CGImagePropertyOrientation.allCases.first {
            let turn = untouched.orientationTransform(for: $0)
            return turn.a == transform.a && turn.b == transform.b && turn.c == transform.c && turn.d == transform.d
        }
        let transformed = untouched.extent.applying(transform)
        guard let orientation, let left = Int(exactly: whole.minX - transformed.minX),
            let top = Int(exactly: transformed.maxY - whole.maxY)
        else { return nil }
        let upright = try source.oriented(orientation)
        guard left >= 0, top >= 0, left + size.width <= upright.width, top + size.height <= upright.height else {
            return nil
        }
        return upright.cropped(x: left, y: top, width: size.width, height: size.height)
    }

    private func baseRaster() throws -> Raster {
        switch base {
        case .pixelBuffer(let buffer):
            let stored = StoredImage(pixelBuffer: buffer, orientation: nil)
            if case .raster(let raster) = stored.pixels { return raster }
            return try Raster(buffer, as: .bgra8)
        case .image(let image): return image.raster
        case .encoded(let file): return try file.decode(to: file.isGrey ? .grey8 : .rgb8)
        case .recipe: throw ImageError.invalidArgument("a recipe has no pixels of its own")
        }
    }
}
