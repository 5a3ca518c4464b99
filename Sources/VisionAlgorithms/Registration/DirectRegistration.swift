import VisionImage

/// Registers images that are nearly aligned by minimising the differences of their pixels.
enum DirectRegistration {
    /// The largest longer side of the compared images.
    private static let longest = 1280
    private static let samples = 256
    /// The number of samples along the longer side for the last steps.
    private static let fine = 768
    /// The confidence from which an alignment is accepted.
    static let acceptedConfidence = 0.6
    /// The longer side of the images in which an initial shift is searched.
    private static let small = 160

    /// Returns nil for images that are too small or have no texture to align.
    ///
    /// - Parameter initial: A map from the floating image to the reference to start from, if known.
    static func register(
        reference: Raster, floating: Raster, from initial: Homography? = nil
    ) throws -> PlanarRegistration? {
        // One factor for both, so that content of the same size in both keeps the same size.
        let long = max(reference.width, reference.height, floating.width, floating.height)
        let factor = min(1, Double(longest) / Double(long))
        let short = min(reference.width, reference.height, floating.width, floating.height)
        // Too thin for alignment, or after the reduction of a long image.
        guard short >= 16, Double(short) * factor >= 8 else { return nil }
        let first = try ScaledImage(reference, factor), second = try ScaledImage(floating, factor)
        let whole = first.square
        let template = try PlanarTemplate(
            first.pyramid, map: whole, longest: samples, extent: 1, close: Int.max)
        let scale = Homography.scale(x: first.scaleX, y: first.scaleY)
        let floatingScale = Homography.scale(x: second.scaleX, y: second.scaleY)
        guard let back = whole.inverse, let down = scale.inverse, let floatingDown = floatingScale.inverse else {
            return nil
        }
        // The position of the reference's content in the floating image.
        var starts = [Homography.identity]
        if let initial {
            guard let start = (down * initial * floatingScale).inverse, (start * whole).isProper else { return nil }
            starts = [start]
        } else {
            let shift = try first.shift(to: second)
            if shift.confidence > 0.1 { starts.insert(shift.start, at: 0) }
        }
        var best: (map: Homography, confidence: Double)?
        for start in starts {
            guard
                let map = PlanarAligner().align(
                    template, borders: [], bordersOnly: false, to: second.pyramid, from: start * whole)
            else { continue }
            let confidence = Self.confidence(template, second.pyramid, map)
            if confidence > best?.confidence ?? 0 { best = (map, confidence) }
            if confidence >= acceptedConfidence { break }
        }
        guard var best else { return nil }
        if best.confidence >= acceptedConfidence {
            let tiles = try PlanarTiles(first.pyramid, square: whole, longest: fine)
            if let found = tiles.align(to: second.pyramid, from: best.map, steps: 4, precision: 0.01) {
                best.map = found.map
            }
        }
        guard let found = (best.map * back).inverse, found.isFinite else { return nil }
        return PlanarRegistration(map: scale * found * floatingDown, confidence: best.confidence)
    }

    /// Returns the share of the evidence that agrees, reduced if the overlap of the images is small.
    private static func confidence(_ template: PlanarTemplate, _ pyramid: PlanarPyramid, _ map: Homography) -> Double {
        guard let level = template.levels.last else { return 0 }
        level.sample(pyramid, at: map)
        let cells = PlanarCell.all(of: level)
        // A few textured cells may agree by chance.
        let evidence = cells.reduce(0) { $0 + $1.evidence }
        return cells.agreeingShare * min(1, cells.visibleShare / 0.4) * min(1, evidence / 3)
    }

    /// An image at the size used for registration.
    private struct ScaledImage {
        let pyramid: PlanarPyramid
        let scaleX: Double
        let scaleY: Double

        init(_ image: Raster, _ factor: Double) throws {
            let width = max(1, Int((Double(image.width) * factor).rounded()))
            let height = max(1, Int((Double(image.height) * factor).rounded()))
            pyramid = try PlanarPyramid(try image.resized(width: width, height: height, filter: .antialiasedBilinear))
            scaleX = Double(image.width) / Double(width)
            scaleY = Double(image.height) / Double(height)
        }

        /// The map of the square from -1 to 1 to the whole image.
        var square: Homography {
            let (w, h) = (Double(pyramid.width) / 2, Double(pyramid.height) / 2)
            return Homography([w, 0, w], [0, h, h], [0, 0, 1])
        }

        /// Returns the shift of this image's content in the other, with its confidence.
        ///
        /// Images of different sizes are padded with black at the right and at the bottom, which changes no coordinate.
        func shift(to other: ScaledImage) throws -> (start: Homography, confidence: Double) {
            let levels = min(pyramid.levels.count, other.pyramid.levels.count)
            let level =
                (0..<levels).first { level in
                    let (own, others) = (pyramid.levels[level], other.pyramid.levels[level])
                    return max(own.width, own.height, others.width, others.height) <= small
                } ?? levels - 1
            var (own, others) = (pyramid.levels[level], other.pyramid.levels[level])
            let (width, height) = (max(own.width, others.width), max(own.height, others.height))
            own = try own.extended(toWidth: width, height: height)
            others = try others.extended(toWidth: width, height: height)
            let correlator = try PhaseCorrelator(width: own.width, height: own.height)
            let found = try correlator.translation(
                reference: try correlator.spectrum(of: own), floating: try correlator.spectrum(of: others))
            let pixel = Double(1 << level)
            return (.translation(x: -found.dx * pixel, y: -found.dy * pixel), found.confidence)
        }
    }
}

extension Raster {
    /// Returns the image padded with black at the right and at the bottom; itself if it has that size.
    fileprivate func extended(toWidth newWidth: Int, height newHeight: Int) throws -> Raster {
        guard newWidth != width || newHeight != height else { return self }
        return try padded(toWidth: newWidth, height: newHeight, x: 0, y: 0)
    }
}
