import Foundation
package import VisionAlgorithms
package import VisionImage

/// Finds the lines of text of an image.
///
/// The whole is looked at once, as large as the settings allow: a network says which pixels are text, and what hangs
/// together becomes a line. What is too tall for that look is looked at again, smaller.
package struct TextDetector: Sendable {
    package struct Settings: Hashable, Sendable {
        /// The most pixels that the network looks at.
        package var pixelLimit = 1_000_000.0
        /// The most columns or rows: of ribbons, which have few pixels.
        package var sideLimit = 6_000.0
        /// By how much small images are enlarged at most.
        package var largestScale = 1.5
        package var finder = TextLineFinder()
        package var merging = TextLineMerging()

        package init() {}
    }

    package let settings: Settings
    private let network: TextNetwork

    /// How tall text is that the second look is made for, in its pixels.
    private static let secondHeight = 40.0
    /// The least height of a line there, in its pixels: what is smaller was seen by the first look.
    private static let secondLeast = 12.0
    /// The least score there, and the least length in heights: of large things few are text, and the network takes some
    /// that are as wide as high for it.
    private static let secondScore = 0.85
    private static let secondLength = 1.5

    /// - Throws: `ModelStoreError`.
    package init(_ settings: Settings = Settings(), store: ModelStore = ModelStore()) throws {
        self.settings = settings
        network = try .shared(store: store)
    }

    /// The lines of a part of an image in its pixels, from top to bottom.
    ///
    /// - Parameters:
    ///   - region: the part, in pixels of the image.
    ///   - threads: the most threads that the network uses; nil for all. Results do not depend on it.
    ///   - beforeRun: called before each run of the network; what it throws ends the search.
    ///   - pixels: makes parts of the image.
    package func lines(
        in region: PixelRegion, threads: Int? = nil, beforeRun: () throws -> Void = {},
        pixels: (Derivative) throws -> Raster
    ) throws -> [FoundTextLine] {
        let scale = self.scale(for: region)
        func look(_ scale: Double) throws -> (lines: [FoundTextLine], tooTall: [FoundTextLine]) {
            let (width, height) = (Self.size(region.width * scale), Self.size(region.height * scale))
            let picture = try pixels(Derivative(region: region, width: width, height: height, format: .rgb8))
            try beforeRun()
            let (lines, tooTall) = settings.finder.lines(in: try network.map(of: picture, threads: threads))
            let stretch = SIMD2(region.width / Double(width), region.height / Double(height))
            let origin = SIMD2(region.x, region.y)
            return (
                lines.map { $0.scaled(by: stretch, to: origin) }, tooTall.map { $0.scaled(by: stretch, to: origin) }
            )
        }
        var (lines, tooTall) = try look(scale)
        if let least = tooTall.map({ min($0.box.height, $0.box.length) }).min() {
            let second = min(Self.secondHeight / least, scale / 2)
            let large = try look(second).lines.filter { line in
                line.box.height * second >= Self.secondLeast && line.score >= Self.secondScore
                    && max(line.box.length, line.box.height)
                        >= Self.secondLength * min(line.box.length, line.box.height)
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
    /// The line in a picture of another size.
    fileprivate func scaled(by scale: SIMD2<Double>, to origin: SIMD2<Double>) -> FoundTextLine {
        let (axis, down) = (box.axis * scale, box.down * scale)
        let stretch = (axis * axis).sum().squareRoot()
        return FoundTextLine(
            box: RotatedBox(
                centre: box.centre * scale + origin, axis: axis / stretch, length: box.length * stretch,
                height: box.height * (down * down).sum().squareRoot()), score: score)
    }
}
