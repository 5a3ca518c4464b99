import VisionAlgorithms
import VisionImage
import VisionModels

/// The rectangles in a region of an image, found with one set of parameters.
private struct RectanglesKey: ImageResultKey {
    let region: PixelRegion
    let finder: RectangleFinder

    static func byteCount(of rectangles: [FoundRectangle]) -> Int { rectangles.count * 256 }
}

extension PerformContext {
    /// The longest side of the image in which corners are refined; larger images are scaled down to it.
    private static let refinementSize = 2560.0

    /// Returns the rectangles in a region of the image, in pixels of the region, by descending confidence. Requests
    /// with the same parameters share them.
    ///
    /// - Throws: `ImageError` when the image cannot be read, and the error of a cancelled request.
    func rectangles(in region: PixelRegion, finder: RectangleFinder) throws -> [FoundRectangle] {
        let cancellation = cancellation
        let found = try image.results.result(for: RectanglesKey(region: region, finder: finder)) {
            let format = try image.cheapestByteFormat()
            func view(_ longest: Double) throws -> Raster {
                let scale = min(1, longest / max(region.width, region.height))
                func side(_ length: Double) -> Int { max(1, Int((length * scale).rounded())) }
                return try image.derivative(
                    Derivative(
                        region: region, width: side(region.width), height: side(region.height), format: format))
            }
            let exact = try view(Self.refinementSize)
            try cancellation.check()
            let detector = RectangleDetector(finder, networks: try .shared())
            let found = try detector.rectangles(
                in: exact, small: view(Double(RectangleFinder.workingSize)), threads: Settings.threadCount
            ) {
                // Requests that wait for this result restart the search if it is cancelled.
                try cancellation.check()
                networkRuns.count()
            }
            let (scaleX, scaleY) = (region.width / Double(exact.width), region.height / Double(exact.height))
            return found.map { rectangle in
                var rectangle = rectangle
                rectangle.quad = rectangle.quad.scaled(scaleX, scaleY)
                return rectangle
            }
        }
        try cancellation.check()
        return found
    }
}
