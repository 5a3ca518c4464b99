import VisionAlgorithms
import VisionImage
import VisionModels

/// The rectangles in a region of an image, found with one set of parameters.
private struct RectanglesKey: ImageResultKey {
    let region: PixelRegion
    let finder: RectangleFinder

    static func byteCount(of rectangles: [FoundRectangle]) -> Int { rectangles.count * 256 }
}

/// The page in a region of an image.
private struct DocumentKey: ImageResultKey {
    let region: PixelRegion

    static func byteCount(of page: FoundRectangle?) -> Int { 256 }
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
            let exact = try view(of: region, longest: Self.refinementSize)
            try cancellation.check()
            let detector = RectangleDetector(finder, networks: try .shared())
            let found = try detector.rectangles(
                in: exact, small: view(of: region, longest: Double(RectangleFinder.workingSize)),
                threads: Settings.threadCount
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

    /// Returns the page that a region of the image is a photograph of, in pixels of the region; nil without any.
    /// Requests share it.
    ///
    /// - Throws: `ImageError` when the image cannot be read, and the error of a cancelled request.
    func document(in region: PixelRegion) throws -> FoundRectangle? {
        let cancellation = cancellation
        let found = try image.results.result(for: DocumentKey(region: region)) {
            let exact = try view(of: region, longest: Self.refinementSize)
            try cancellation.check()
            let detector = RectangleDetector(RectangleDetector.pageFinder, networks: try .shared())
            var found = try detector.document(
                in: exact, small: view(of: region, longest: Double(RectangleFinder.workingSize)),
                threads: Settings.threadCount
            ) {
                try cancellation.check()
                networkRuns.count()
            }
            let (scaleX, scaleY) = (region.width / Double(exact.width), region.height / Double(exact.height))
            if let quad = found?.quad { found?.quad = quad.scaled(scaleX, scaleY) }
            return found
        }
        try cancellation.check()
        return found
    }

    /// Returns a region with its longer side at most as long, in the format that costs least.
    private func view(of region: PixelRegion, longest: Double) throws -> Raster {
        let scale = min(1, longest / max(region.width, region.height))
        func side(_ length: Double) -> Int { max(1, Int((length * scale).rounded())) }
        return try image.derivative(
            Derivative(
                region: region, width: side(region.width), height: side(region.height),
                format: image.cheapestByteFormat()))
    }
}
