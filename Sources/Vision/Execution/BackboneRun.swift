import VisionImage
import VisionModels

/// The features of an image region that one backbone computes of one input.
private struct BackboneKey: ImageResultKey {
    let revision: Backbone.Revision
    let arithmetic: Backbone.Arithmetic
    /// The region, how it is fitted, and the size of the network's input.
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
    ///   - arithmetic: How it computes. Runs in bytes are not shared with those in floats.
    ///   - region: The region of the image.
    ///   - fit: How the region is fitted to the square input of the network.
    ///   - maps: Whether the feature maps are needed. A run with maps serves later requests without them, also in later
    ///     performs; and all requests of a perform in which one needs the maps.
    /// - Throws: `ModelStoreError` when the network is not installed, `ImageError` when the image cannot be read, and
    ///   the error of a cancelled request.
    func backboneFeatures(
        _ revision: Backbone.Revision, _ arithmetic: Backbone.Arithmetic = .floats, region: NormalizedRegion,
        fit: Derivative.Fit, maps: Bool = false
    ) throws -> BackboneFeatures {
        let backbone = try Backbone.shared(revision, arithmetic)
        let pixels = region.pixels(in: try image.uprightImageSize())
        return try backboneFeatures(backbone, of: backbone.input(region: pixels, fit: fit), maps: maps)
    }

    /// Returns the features of an image region at nearly its own aspect ratio.
    ///
    /// This is a run of its own beside that of the square, unless the region is nearly square, and is shared by all
    /// requests that ask for the same.
    ///
    /// - Parameters:
    ///   - revision: The revision of the backbone.
    ///   - region: The region of the image.
    /// - Throws: The errors of the other overload.
    func backboneFeatures(
        _ revision: Backbone.Revision, atOwnAspectOf region: NormalizedRegion
    ) throws -> BackboneFeatures {
        let backbone = try Backbone.shared(revision)
        let pixels = region.pixels(in: try image.uprightImageSize())
        let size = backbone.inputSize(nearestTo: pixels)
        return try backboneFeatures(backbone, of: backbone.input(region: pixels, size: size), maps: false)
    }

    private func backboneFeatures(
        _ backbone: Backbone, of input: Derivative, maps: Bool
    ) throws -> BackboneFeatures {
        func key(maps: Bool) -> BackboneKey {
            BackboneKey(revision: backbone.revision, arithmetic: backbone.arithmetic, input: input, maps: maps)
        }
        let hasMaps = backbone.arithmetic == .floats
        let needsMaps = hasMaps && (maps || wantsBackboneMaps || image.results.contains(key(maps: true)))
        let key = key(maps: needsMaps)
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
    ///   - arithmetic: How the backbone computes.
    ///   - maps: Whether the feature maps are needed.
    /// - Throws: The errors of the other overload, and an internal error for a revision without a backbone.
    func backboneFeatures(
        for revision: Int, among backbones: [Int: Backbone.Revision], _ arithmetic: Backbone.Arithmetic = .floats,
        region: NormalizedRegion, fit: Derivative.Fit, maps: Bool = false
    ) throws -> BackboneFeatures {
        let backbone = try backbone(of: revision, among: backbones)
        return try backboneFeatures(backbone, arithmetic, region: region, fit: fit, maps: maps)
    }

    /// Returns the features that a revision of a request uses, at nearly the region's own aspect ratio.
    ///
    /// - Parameters:
    ///   - revision: The revision of the request.
    ///   - backbones: The backbone of each revision of the request.
    /// - Throws: The errors of the other overload, and an internal error for a revision without a backbone.
    func backboneFeatures(
        for revision: Int, among backbones: [Int: Backbone.Revision], atOwnAspectOf region: NormalizedRegion
    ) throws -> BackboneFeatures {
        try backboneFeatures(try backbone(of: revision, among: backbones), atOwnAspectOf: region)
    }

    private func backbone(
        of revision: Int, among backbones: [Int: Backbone.Revision]
    ) throws -> Backbone.Revision {
        guard let backbone = backbones[revision] else {
            throw visionError(.internalError, "Internal error: revision \(revision) has no backbone.")
        }
        return backbone
    }
}
