import VisionAlgorithms
import VisionImage
import VisionModels

/// The text lines in a region of an image.
private struct TextLinesKey: ImageResultKey {
    let region: PixelRegion
    let settings: TextDetector.Settings

    static func byteCount(of lines: [FoundTextLine]) -> Int { lines.count * MemoryLayout<FoundTextLine>.stride }
}

/// The characters of the text lines in a region of an image, by text line.
private struct TextCharactersKey: ImageResultKey {
    let lines: TextLinesKey

    static func byteCount(of characters: [[RotatedBox]]) -> Int {
        characters.reduce(0) { $0 + 32 + $1.count * MemoryLayout<RotatedBox>.stride }
    }
}

extension PerformContext {
    /// The largest size, in pixels, of the grey image in which characters are segmented.
    private static let characterPixels = 8_000_000.0

    /// Returns the text lines in a region of the image, in pixels of the image, and with `wantsCharacters` the
    /// characters of each. Requests share both.
    ///
    /// - Parameter prefersBytes: Whether lines are found in 8 bits where products of bytes are fast.
    /// - Throws: `ModelStoreError` when the network is not installed, `ImageError` when the image cannot be read, and
    ///   the error of a cancelled request.
    func text(
        in region: PixelRegion, network: TextNetworkSize = .small, prefersBytes: Bool = false, wantsCharacters: Bool
    ) throws -> [(line: FoundTextLine, characters: [RotatedBox]?)] {
        var settings = TextDetector.Settings()
        settings.size = network
        settings.prefersBytes = prefersBytes
        let key = TextLinesKey(region: region, settings: settings)
        let lines = try image.results.result(for: key) {
            let detector = try TextDetector(key.settings)
            return try detector.lines(in: region, threads: Settings.threadCount) {
                // Requests that wait for this result restart the search if it is cancelled.
                try cancellation.check()
                networkRuns.count()
            } pixels: {
                try image.derivative($0)
            }
        }
        try cancellation.check()
        guard wantsCharacters else { return lines.map { ($0, nil) } }
        let characters = try image.results.result(for: TextCharactersKey(lines: key)) {
            guard !lines.isEmpty else { return [] }
            let scale = min(1, (Self.characterPixels / (region.width * region.height)).squareRoot())
            let grey = try image.derivative(
                Derivative(
                    region: region, width: max(1, Int((region.width * scale).rounded())),
                    height: max(1, Int((region.height * scale).rounded())), format: .grey8))
            let finder = TextCharacterFinder(TextPyramid(grey, region: region))
            return try lines.map { line in
                try cancellation.check()
                return try finder.characters(of: line.box)
            }
        }
        try cancellation.check()
        return zip(lines, characters).map { ($0, $1) }
    }
}
