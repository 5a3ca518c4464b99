import VisionImage
import VisionModels

/// The features of one part of an image, seen in one way, by one network.
private struct SceneKey: ImageResultKey {
    let revision: Int
    let picture: Derivative
    let maps: Bool

    static func byteCount(of features: SceneFeatures) -> Int { features.byteCount }
}

extension PerformContext {
    /// The features of the image, which all requests about it share: the network runs once for each revision, region and fit.
    ///
    /// - Parameters:
    ///   - revision: The revision of the scene network; that of the request.
    ///   - region: The part of the image.
    ///   - fit: How the part is brought to the network's square.
    ///   - maps: Whether the maps are wanted. Features with maps are kept apart from those without.
    /// - Throws: `ModelStoreError` where the network is not installed, `ImageError` where the image cannot be read, and the
    ///   error of a cancelled request.
    func sceneFeatures(
        revision: Int, region: NormalizedRegion, fit: Derivative.Fit, maps: Bool = false
    ) throws -> SceneFeatures {
        let network = try SceneNetwork.shared(revision: revision)
        let picture = network.input(region: region.pixels(in: try image.uprightImageSize()), fit: fit)
        let key = SceneKey(revision: revision, picture: picture, maps: maps)
        let features = try image.results.result(for: key) {
            // Not to be cancelled from here on: others may be waiting for it.
            let pixels = try image.derivative(picture)
            networkRuns.count()
            return try network.features(of: pixels, maps: maps, threads: Settings.threadCount)
        }
        try cancellation.check()
        return features
    }
}
