import VisionImage
import VisionModels

/// The features of one part of an image, seen in one way, by one backbone.
private struct BackboneKey: ImageResultKey {
    let revision: Backbone.Revision
    let input: Derivative
    let maps: Bool

    static func byteCount(of features: BackboneFeatures) -> Int { features.byteCount }
}

extension PerformContext {
    /// The features of the image, which all requests about it share: a backbone runs once for each region and fit.
    ///
    /// - Parameters:
    ///   - revision: The revision of the backbone.
    ///   - region: The part of the image.
    ///   - fit: How the part is brought to the network's square.
    ///   - maps: Whether the maps are wanted. Features with maps are kept apart from those without.
    /// - Throws: `ModelStoreError` where the network is not installed, `ImageError` where the image cannot be read, and
    ///   the error of a cancelled request.
    func backboneFeatures(
        _ revision: Backbone.Revision, region: NormalizedRegion, fit: Derivative.Fit, maps: Bool = false
    ) throws -> BackboneFeatures {
        let backbone = try Backbone.shared(revision)
        let input = backbone.input(region: region.pixels(in: try image.uprightImageSize()), fit: fit)
        let key = BackboneKey(revision: revision, input: input, maps: maps)
        let features = try image.results.result(for: key) {
            // Not to be cancelled from here on: others may be waiting for it.
            let pixels = try image.derivative(input)
            networkRuns.count()
            return try backbone.features(of: pixels, maps: maps, threads: Settings.threadCount)
        }
        try cancellation.check()
        return features
    }

    /// The features that a request's revision reads.
    ///
    /// - Parameters:
    ///   - revision: The revision of the request.
    ///   - backbones: Which backbone each revision of the request reads.
    /// - Throws: as the other one, and an internal error for a revision without a backbone.
    func backboneFeatures(
        for revision: Int, among backbones: [Int: Backbone.Revision], region: NormalizedRegion, fit: Derivative.Fit
    ) throws -> BackboneFeatures {
        guard let backbone = backbones[revision] else {
            throw visionError(.internalError, "Internal error: revision \(revision) reads no backbone.")
        }
        return try backboneFeatures(backbone, region: region, fit: fit)
    }
}
