import VisionAlgorithms
import VisionImage
import VisionModels

extension PerformContext {
    /// The largest size, in pixels, of the image from which text is read.
    private static let readingPixels = 16_000_000.0
    /// The same for images that are so large that lines are searched in tiles: these lines are small in them.
    private static let readingPixelsOfTiled = 120_000_000.0

    /// Reads the text in a region of the image. Requests that only find lines share those of the small network.
    ///
    /// - Parameters:
    ///   - leastHeight: The lowest height of a line, in pixels of the image.
    ///   - progress: Called with the completed fraction.
    /// - Throws: `ModelStoreError` when a network is not installed, `ImageError` when the image cannot be read, and the
    ///   error of a cancelled request.
    func readText(
        in region: PixelRegion, settings: TextReader.Settings, leastHeight: Double, progress: (Double) -> Void
    ) throws -> [ReadTextLine] {
        let reader = try TextReader(settings)
        progress(0)
        let lines = try text(in: region, network: settings.size, prefersBytes: true, wantsCharacters: false)
            .map(\.line.box).filter { $0.height >= leastHeight }
        // Finding the lines takes about a quarter of the time.
        progress(0.25)
        guard !lines.isEmpty else { return [] }
        let limit = TextDetector.Settings().isTiled(region) ? Self.readingPixelsOfTiled : Self.readingPixels
        let scale = min(1, (limit / (region.width * region.height)).squareRoot())
        let pixels = try image.derivative(
            Derivative(
                region: region, width: max(1, Int((region.width * scale).rounded())),
                height: max(1, Int((region.height * scale).rounded())), format: .rgb8))
        let read = try reader.read(
            lines, in: TextPyramid(pixels, region: region), threads: Settings.threadCount
        ) { share in
            try cancellation.check()
            networkRuns.count()
            progress(0.25 + 0.75 * share)
        }
        progress(1)
        return read
    }
}
