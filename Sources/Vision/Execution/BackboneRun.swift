import VisionImage
import VisionModels

/// The features of an image region that one backbone computes with one fit.
private struct BackboneKey: ImageResultKey {
    let revision: Backbone.Revision
    let input: Derivative
    let maps: Bool

    static func byteCount(of features: BackboneFeatures) -> Int { features.byteCount }
}

extension PerformContext {
    /// Returns the features of an image region. All requests of the image share them: a backbone runs once for each
    /// region and fit.
    ///
    /// - Parameters:
    ///   - revision: The revision of the backbone.
    ///   - region: The region of the image.
    ///   - fit: How the region is fitted to the square input of the network.
    ///   - maps: Whether the feature maps are needed. A run with maps serves later requests without them, also in later
    ///     performs; and all requests of a perform in which one needs the maps.
    /// - Throws: `ModelStoreError` when the network is not installed, `ImageError` when the image cannot be read, and
    ///   the error of a cancelled request.
    func backboneFeatures(
        _ revision: Backbone.Revision, region: NormalizedRegion, fit: Derivative.Fit, maps: Bool = false
    ) throws -> BackboneFeatures {
        let backbone = try Backbone.shared(revision)
        let input = backbone.input(region: region.pixels(in: try image.uprightImageSize()), fit: fit)
        let withMaps = BackboneKey(revision: revision, input: input, maps: true)
        let needsMaps = maps || wantsBackboneMaps || image.results.contains(withMaps)
        let key = needsMaps ? withMaps : BackboneKey(revision: revision, input: input, maps: false)
        let features = try image.results.result(for: key) {
            // Not cancellable from here on: other requests may be waiting for the result.
            let pixels = try image.derivative(input)
            networkRuns.count()
            return try backbone.features(of: pixels, maps: needsMaps, threads: Settings.threadCount)
        }
        try cancellation.check()
        return features
    }

    /// Returns the features that a revision of a request uses.
    ///
    /// - Parameters:
    ///   - revision: The revision of the request.
    ///   - backbones: The backbone of each revision of the request.
    ///   - maps: Whether the feature maps are needed.
    /// - Throws: The errors of the other overload, and an internal error for a revision without a backbone.
    func backboneFeatures(
        for revision: Int, among backbones: [Int: Backbone.Revision], region: NormalizedRegion, fit: Derivative.Fit,
        maps: Bool = false
    ) throws -> BackboneFeatures {
        guard let backbone = backbones[revision] else {
            throw visionError(.internalError, "Internal error: revision \(revision) has no backbone.")
        }
        return try backboneFeatures(backbone, region: region, fit: fit, maps: maps)
    }
}
