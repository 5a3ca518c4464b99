import VisionImage
import VisionModels

/// The animals in a region of an image.
private struct AnimalsKey: ImageResultKey {
    let region: NormalizedRegion

    static func byteCount(of animals: [FoundAnimal]) -> Int { animals.count * MemoryLayout<FoundAnimal>.stride }
}

extension PerformContext {
    /// Returns the cats and dogs in a region of the image, the highest score first. Requests share them.
    ///
    /// - Throws: `ModelStoreError` when the backbone is not installed, `ImageError` when the image cannot be read, and
    ///   the error of a cancelled request.
    func animals(in region: NormalizedRegion) throws -> [FoundAnimal] {
        let animals = try image.results.result(for: AnimalsKey(region: region)) {
            let detector = try AnimalDetector.shared()
            let features = try backboneFeatures(
                AnimalDetector.backbone, atOwnAspectOf: region, squareSide: AnimalDetector.squareSide, maps: true)
            networkRuns.count()
            return try detector.animals(in: features, threads: Settings.threadCount)
        }
        try cancellation.check()
        return animals
    }
}
