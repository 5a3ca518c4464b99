package import VisionAlgorithms
package import VisionImage
import VisionInference

/// Finds the text lines of an image.
///
/// The network processes the whole image once, as large as the settings allow, and marks the pixels of text; connected
/// pixels become a line. Text that is too tall for that scale is found in a second, smaller pass. Very large images are
/// processed in tiles, so that small print stays legible: of the marks only those of one row of tiles are in memory.
package struct TextDetector: Sendable {
    package struct Settings: Hashable, Sendable {
        package var size = TextNetworkSize.small
        /// Whether the network runs in 8 bits where products of bytes are fast.
        package var prefersBytes = false
        /// The maximum number of pixels of the network's input.
        package var pixelLimit = 1_000_000.0
        /// The maximum number of columns or rows, for elongated images with few pixels.
        package var sideLimit = 6_000.0
        /// The maximum enlargement of small images.
        package var largestScale = 1.5
        /// Regions with more pixels are processed in tiles (`isTiled`).
        package var wholeLimit = 25_000_000.0
        /// The scale of tiles.
        package var tileScale = 0.25
        package var finder = TextLineFinder()
        package var merging = TextLineMerging()

        package init() {}

        /// Whether a region is processed in tiles. Those of a narrower strip would mostly be padding.
        package func isTiled(_ region: PixelRegion) -> Bool {
            region.width * region.height > wholeLimit
                && min(region.width, region.height) * tileScale >= Double(TextNetwork.step)
        }
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
    /// The side of a tile, and the width of the surroundings in it that other tiles show as well, in pixels of the
    /// network's input: multiples of the network's step, so that its grid lies as in the whole.
    private static let tileSide = 32 * TextNetwork.step
    private static let tileMargin = 4 * TextNetwork.step

    /// - Throws: `ModelStoreError`.
    package init(_ settings: Settings = Settings(), store: InstalledModels = InstalledModels()) throws {
        self.settings = settings
        network = try .shared(settings.size, inBytes: settings.prefersBytes && ByteProducts.areFast, store: store)
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
        let isTiled = settings.isTiled(region)
        let wholeScale = self.scale(for: region)
        let scale = isTiled ? settings.tileScale : wholeScale
        let share = isTiled ? max(1, Int(scale * scale * region.width * region.height / settings.pixelLimit)) : 1
        func detect(
            _ scale: Double, tiled: Bool = false
        ) throws -> (lines: [FoundTextLine], tooTall: [FoundTextLine]) {
            let (width, height) = (Self.size(region.width * scale), Self.size(region.height * scale))
            func map(_ part: PixelRegion, _ width: Int, _ height: Int) throws -> TextMap {
                let image = try pixels(Derivative(region: part, width: width, height: height, format: .rgb8))
                try beforeRun()
                return try network.map(of: image, threads: threads)
            }
            var scan = TextRegionScan(threshold: settings.finder.threshold)
            if tiled {
                try Self.forEachBand(of: region, width: width, height: height, map: map) { scan.append($0) }
            } else {
                scan.append(try map(region, width, height))
            }
            let (lines, tooTall) = settings.finder.lines(in: &scan, share: tiled ? share : 1)
            let stretch = SIMD2(region.width / Double(width), region.height / Double(height))
            let origin = SIMD2(region.x, region.y)
            return (
                lines.map { $0.scaled(by: stretch, to: origin) }, tooTall.map { $0.scaled(by: stretch, to: origin) }
            )
        }
        var (lines, tooTall) = try detect(scale, tiled: isTiled)
        if let least = tooTall.map({ min($0.box.height, $0.box.length) }).min() {
            let second = min(Self.secondPassHeight / least, scale / 2, wholeScale)
            let large = try detect(second).lines.filter { line in
                line.box.height * second >= Self.secondPassMinimumHeight && line.score >= Self.secondPassScore
                    && max(line.box.length, line.box.height)
                        >= Self.secondPassAspect * min(line.box.length, line.box.height)
                    && tooTall.contains { $0.box.contains(line.box.centre) }
                    && !lines.contains { line.box.contains($0.box.centre) || $0.box.contains(line.box.centre) }
            }
            lines += large
        }
        return TextOrder.sorted(settings.merging.merged(lines, share: share))
    }

    /// Makes the map of a region in tiles, and hands it out in bands of whole rows from top to bottom.
    ///
    /// - Parameters:
    ///   - width: The columns of the whole map.
    ///   - height: Its rows.
    ///   - map: Makes the map of a part of the region.
    private static func forEachBand(
        of region: PixelRegion, width: Int, height: Int,
        map: (_ part: PixelRegion, _ width: Int, _ height: Int) throws -> TextMap, body: (TextMap) -> Void
    ) throws {
        let stretch = SIMD2(region.width / Double(width), region.height / Double(height))
        for rows in tiles(height) {
            var values = [Float](repeating: 0, count: width * rows.core.count)
            for columns in tiles(width) {
                let part = PixelRegion(
                    x: region.x + Double(columns.all.lowerBound) * stretch.x,
                    y: region.y + Double(rows.all.lowerBound) * stretch.y,
                    width: Double(columns.all.count) * stretch.x, height: Double(rows.all.count) * stretch.y)
                let tile = try map(part, columns.all.count, rows.all.count)
                for row in rows.core {
                    let source = (row - rows.all.lowerBound) * tile.width - columns.all.lowerBound
                    let target = (row - rows.core.lowerBound) * width
                    for column in columns.core { values[target + column] = tile.values[source + column] }
                }
            }
            body(TextMap(width: width, height: rows.core.count, values: values))
        }
    }

    /// Cuts a side of a map into tiles of one size, as far as the grid allows, and says which part of it each makes.
    private static func tiles(_ size: Int) -> [(all: Range<Int>, core: Range<Int>)] {
        let advance = tileSide - 2 * tileMargin
        let count = max(1, (size - 2 * tileMargin + advance - 1) / advance)
        let last = max(0, (size - tileSide + TextNetwork.step - 1) / TextNetwork.step * TextNetwork.step)
        return (0..<count).map { index in
            let start = min(index * advance, last)
            let coreStart = index == 0 ? 0 : index * advance + tileMargin
            let coreEnd = index == count - 1 ? size : (index + 1) * advance + tileMargin
            return (start..<min(start + tileSide, size), coreStart..<coreEnd)
        }
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
