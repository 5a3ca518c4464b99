import VisionImage
import VisionModels

/// The hands in a region of an image.
private struct HandsKey: ImageResultKey {
    let region: PixelRegion
    let maximumCount: Int

    static func byteCount(of hands: [HandPose]) -> Int {
        hands.count * (HandPose.jointCount + 8) * MemoryLayout<SIMD2<Double>>.stride
    }
}

extension PerformContext {
    /// Returns the hands in a region of the image, the most certain palm first. Requests for as many hands share them.
    ///
    /// - Throws: `ModelStoreError` when a network is not installed, `ImageError` when the image cannot be read, and the
    ///   error of a cancelled request.
    func hands(in region: PixelRegion, maximumCount: Int) throws -> [HandPose] {
        let hands = try image.results.result(for: HandsKey(region: region, maximumCount: maximumCount)) {
            let finder = try HandFinder()
            return try finder.hands(in: region, maximumCount: maximumCount, threads: Settings.threadCount) {
                // Requests that wait for this result restart the search if it is cancelled.
                try cancellation.check()
                networkRuns.count()
            } pixels: {
                try image.derivative($0)
            }
        }
        try cancellation.check()
        return hands
    }
}
