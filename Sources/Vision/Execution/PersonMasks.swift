import VisionAlgorithms
import VisionImage
import VisionModels

/// The mask of the people in a region of an image.
private struct PersonMaskKey: ImageResultKey {
    let region: PixelRegion
    let level: PersonSegmenter.Level

    static func byteCount(of mask: FloatMap) -> Int { mask.values.count * MemoryLayout<Float>.size }
}

/// The masks of single people, on one grid.
private struct PeopleMasksKey: ImageResultKey {
    let region: PixelRegion
    let level: PersonSegmenter.Level

    static func byteCount(of masks: [PersonMask]) -> Int { masks.reduce(0) { $0 + $1.byteCount } }
}

extension PersonSegmenter.Level {
    /// The longer side of the mask, in pixels.
    var longestSide: Int {
        switch self {
        case .fast: 256
        case .balanced: 512
        case .accurate: 2016
        }
    }

    /// The longer side of the grid on which masks of crops are joined.
    var gridSide: Int { self == .fast ? 256 : 512 }
}

extension PerformContext {
    /// How the edges of masks follow those of the image.
    static let maskFilter = GuidedFilter(radius: 3, epsilon: 1e-4)

    /// Returns the mask of the people in a region of the image. Requests share it.
    ///
    /// - Throws: `ModelStoreError` when a network is not installed, `ImageError` when the image cannot be read, and the
    ///   error of a cancelled request.
    func personMask(in region: PixelRegion, _ level: PersonSegmenter.Level) throws -> FloatMap {
        let mask = try image.results.result(for: PersonMaskKey(region: region, level: level)) {
            let grid = MaskGrid(of: region, longest: level.gridSide)
            let people = level == .fast ? [] : try personMasks(in: region, level)
            try cancellation.check()
            networkRuns.count()
            let joined = try PersonSegmenter(level).mask(of: people, on: grid, threads: Settings.threadCount) {
                try image.derivative($0)
            }
            guard level != .fast else { return joined }
            let output = MaskGrid(of: region, longest: level.longestSide)
            return try Self.maskFilter.refined(joined, by: pixels(of: region, output.width, output.height))
        }
        try cancellation.check()
        return mask
    }

    /// Returns the masks of the people in a region of the image, the largest box first, on the grid of the level.
    ///
    /// - Throws: The errors of `personMask(in:_:)`.
    func personMasks(in region: PixelRegion, _ level: PersonSegmenter.Level) throws -> [PersonMask] {
        try image.results.result(for: PeopleMasksKey(region: region, level: level)) {
            let people = try people(in: region, .wholeBody, leastScore: PersonSegmenter.leastScore)
            let grid = MaskGrid(of: region, longest: level.gridSide)
            return try PersonSegmenter(level).masks(
                of: people, on: grid, threads: Settings.threadCount,
                willRun: {
                    try cancellation.check()
                    networkRuns.count()
                }, pixels: { try image.derivative($0) })
        }
    }

    /// Returns a region of the image at a size, four bytes a pixel.
    func pixels(of region: PixelRegion, _ width: Int, _ height: Int) throws -> Raster {
        try image.derivative(Derivative(region: region, width: width, height: height, format: .rgba8))
    }
}
