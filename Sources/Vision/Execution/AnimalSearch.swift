import VisionImage
import VisionModels

/// The animals in a region of an image.
private struct AnimalsKey: ImageResultKey {
    let region: PixelRegion

    static func byteCount(of animals: [FoundAnimal]) -> Int { animals.count * MemoryLayout<FoundAnimal>.stride }
}

extension PerformContext {
    /// Returns the cats and dogs in a region of the image, the highest score first. Requests share them.
    ///
    /// - Throws: `ImageError` when the image cannot be read, and the error of a cancelled request.
    func animals(in region: PixelRegion) throws -> [FoundAnimal] {
        let animals = try image.results.result(for: AnimalsKey(region: region)) {
            try AnimalDetector.shared().animals(in: region, threads: Settings.threadCount) {
                // Requests that wait for this result restart the search if it is cancelled.
                try cancellation.check()
                networkRuns.count()
            } pixels: {
                try image.derivative($0)
            }
        }
        try cancellation.check()
        return animals
    }
}
