import VisionImage

/// Registration of images that lie nearly on each other already, by the differences of their pixels.
enum DirectRegistration {
    /// The longer side of what is compared, at most.
    private static let longest = 1280
    private static let samples = 256
    /// Samples along the longer side for the last steps.
    private static let fine = 768
    /// From here on the alignment counts.
    static let sure = 0.6
    /// The longer side of what a first shift is looked for in.
    private static let small = 160

    /// Nil for images that are too small, and where nothing holds.
    ///
    /// - Parameter guess: A map from the floating image to the reference to start from, where one is known.
    static func register(
        reference: Raster, floating: Raster, from guess: Homography? = nil
    ) throws -> PlanarRegistration? {
        let factor = min(1, Double(longest) / Double(max(reference.width, reference.height)))
        let short = min(reference.width, reference.height)
        // Strips are too thin for it, and what is left of long ones too.
        guard short >= 16, Double(short) * factor >= 8 else { return nil }
        let first = try Pictures(reference, factor), second = try Pictures(floating, factor)
        let whole = first.square
        let template = try PlanarTemplate(
            first.pyramid, map: whole, longest: samples, extent: 1, close: Int.max)
        let scale = Homography.scale(x: first.scaleX, y: first.scaleY)
        guard let back = whole.inverse, let down = scale.inverse else { return nil }
        // Where the reference's content lies in the floating image.
        var starts = [Homography.identity]
        if let guess {
            guard let start = (down * guess * scale).inverse, (start * whole).isProper else { return nil }
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
            if confidence >= sure { break }
        }
        guard var best else { return nil }
        if best.confidence >= sure {
            let tiles = try PlanarTiles(first.pyramid, square: whole, longest: fine)
            if let found = tiles.align(to: second.pyramid, from: best.map, steps: 4, precision: 0.01) {
                best.map = found.map
            }
        }
        guard let found = (best.map * back).inverse, found.isFinite else { return nil }
        return PlanarRegistration(map: scale * found * down, confidence: best.confidence)
    }

    /// How much of what says something agrees, less where little of the images overlaps.
    private static func confidence(_ template: PlanarTemplate, _ pyramid: PlanarPyramid, _ map: Homography) -> Double {
        guard let level = template.levels.last else { return 0 }
        level.sample(pyramid, at: map)
        let cells = PlanarCell.all(of: level)
        // A few cells with texture may agree by chance.
        let evidence = cells.reduce(0) { $0 + $1.evidence }
        return cells.agreeingShare * min(1, cells.visibleShare / 0.4) * min(1, evidence / 3)
    }

    /// An image at the size that is worked on.
    private struct Pictures {
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

        /// The square from -1 to 1 on to the whole picture.
        var square: Homography {
            let (w, h) = (Double(pyramid.width) / 2, Double(pyramid.height) / 2)
            return Homography([w, 0, w], [0, h, h], [0, 0, 1])
        }

        /// The shift that takes this picture's content to where it lies in the other, and how sure it is.
        func shift(to other: Pictures) throws -> (start: Homography, confidence: Double) {
            let level = pyramid.levels.firstIndex { max($0.width, $0.height) <= small } ?? pyramid.levels.count - 1
            let (own, others) = (pyramid.levels[level], other.pyramid.levels[level])
            let correlator = try PhaseCorrelator(width: own.width, height: own.height)
            let found = try correlator.translation(
                reference: try correlator.spectrum(of: own), floating: try correlator.spectrum(of: others))
            let pixel = Double(1 << level)
            return (.translation(x: -found.dx * pixel, y: -found.dy * pixel), found.confidence)
        }
    }
}
