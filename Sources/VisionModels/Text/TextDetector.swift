package import VisionAlgorithms
package import VisionImage

/// Finds the text lines of an image.
///
/// The network processes the whole image once, as large as the settings allow, and marks the pixels of text; connected
/// pixels become a line. Text that is too tall for that scale is found in a second, smaller pass.
package struct TextDetector: Sendable {
    package struct Settings: Hashable, Sendable {
        /// The maximum number of pixels of the network's input.
        package var pixelLimit = 1_000_000.0
        /// The maximum number of columns or rows, for elongated images with few pixels.
        package var sideLimit = 6_000.0
        /// The maximum enlargement of small images.
        package var largestScale = 1.5
        package var finder = TextLineFinder()
        package var merging = TextLineMerging()

        package init() {}
    }

    package let settings: Settings
    private let network: TextNetwork

    /// The height to which the second pass scales the text, in pixels.
    private static let secondPassHeight = 40.0
    /// The lowest height of a line of the second pass, in pixels: the first pass finds smaller ones.
    private static let secondPassMinimumHeight = 12.0
    /// The lowest score of the second pass, and the lowest ratio of length to height: few large objects are text, and
    /// the network takes some square ones for it.
    private static let secondPassScore = 0.85
    private static let secondPassAspect = 1.5

    /// - Throws: `ModelStoreError`.
    package init(_ settings: Settings = Settings(), store: InstalledModels = InstalledModels()) throws {
        self.settings = settings
        network = try .shared(store: store)
    }

    /// Returns the text lines of a region of an image in its pixels, from top to bottom.
    ///
    /// - Parameters:
    ///   - region: The region, in pixels of the image.
    ///   - threads: The maximum number of threads of the network; nil for all. Results do not depend on it.
    ///   - beforeRun: Called before each run of the network; an error that it throws ends the search.
    ///   - pixels: Makes parts of the image.
    package func lines(
        in region: PixelRegion, threads: Int? = nil, beforeRun: () throws -> Void = {},
        pixels: (Derivative) throws -> Raster
    ) throws -> [FoundTextLine] {
        let scale = self.scale(for: region)
        func detect(_ scale: Double) throws -> (lines: [FoundTextLine], tooTall: [FoundTextLine]) {
            let (width, height) = (Self.size(region.width * scale), Self.size(region.height * scale))
            let image = try pixels(Derivative(region: region, width: width, height: height, format: .rgb8))
            try beforeRun()
            let (lines, tooTall) = settings.finder.lines(in: try network.map(of: image, threads: threads))
            let stretch = SIMD2(region.width / Double(width), region.height / Double(height))
            let origin = SIMD2(region.x, region.y)
            return (
                lines.map { $0.scaled(by: stretch, to: origin) }, tooTall.map { $0.scaled(by: stretch, to: origin) }
            )
        }
        var (lines, tooTall) = try detect(scale)
        if let least = tooTall.map({ min($0.box.height, $0.box.length) }).min() {
            let second = min(Self.secondPassHeight / least, scale / 2)
            let large = try detect(second).lines.filter { line in
                line.box.height * second >= Self.secondPassMinimumHeight && line.score >= Self.secondPassScore
                    && max(line.box.length, line.box.height)
                        >= Self.secondPassAspect * min(line.box.length, line.box.height)
                    && tooTall.contains { $0.box.contains(line.box.centre) }
                    && !lines.contains { line.box.contains($0.box.centre) || $0.box.contains(line.box.centre) }
            }
            lines += large
        }
        return TextOrder.sorted(settings.merging.merged(lines))
    }

    private func scale(for region: PixelRegion) -> Double {
        min(
            settings.largestScale, (settings.pixelLimit / (region.width * region.height)).squareRoot(),
            settings.sideLimit / max(region.width, region.height))
    }

    private static func size(_ length: Double) -> Int { max(1, Int(length.rounded())) }
}

extension FoundTextLine {
    /// Returns the line in the coordinates of an image of another size.
    fileprivate func scaled(by scale: SIMD2<Double>, to origin: SIMD2<Double>) -> FoundTextLine {
        let (axis, down) = (box.axis * scale, box.down * scale)
        let stretch = (axis * axis).sum().squareRoot()
        return FoundTextLine(
            box: RotatedBox(
                centre: box.centre * scale + origin, axis: axis / stretch, length: box.length * stretch,
                height: box.height * (down * down).sum().squareRoot()), score: score)
    }
}
