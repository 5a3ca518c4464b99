package import VisionImage
package import VisionModels

/// Computes the features of photos that a classifier is trained on.
package protocol FeatureSource: Sendable {
    /// Identifies everything that the features depend on except the photo.
    var identity: String { get }
    var featureCount: Int { get }
    /// Whether all features are of one kind and scale.
    var isOfOneScale: Bool { get }
    /// The width and height of the input image.
    var side: Int { get }

    /// Computes the features of the whole image.
    ///
    /// - Parameter threads: The maximum number of threads; nil for all. The features do not depend on it.
    /// - Throws: `ImageError` when the image cannot be read; other errors when the source fails.
    func features(of image: ImageSource, threads: Int?) throws -> [Float]
}

/// The pooled features of a backbone.
package struct BackboneFeatureSource: FeatureSource {
    package let backbone: Backbone
    package let identity: String

    /// - Throws: `ModelStoreError` when the network is not installed.
    package init(_ revision: Backbone.Revision) throws {
        backbone = try .shared(revision)
        let model = try InstalledModels().description(of: revision.model)
        // The caches of earlier versions have this name.
        identity =
            "scene \(revision.rawValue), \(model.id) \(model.version), recipe \(model.recipe), pooled 1, "
            + "\(InstructionSet.name)"
    }

    package var featureCount: Int { Backbone.featureCount }
    package var side: Int { backbone.side }
    package var isOfOneScale: Bool { true }

    package func features(of image: ImageSource, threads: Int?) throws -> [Float] {
        let size = try image.uprightSize()
        let whole = PixelRegion(width: size.width, height: size.height)
        let pixels = try image.derivative(backbone.input(region: whole, fit: .fill))
        return try backbone.features(of: pixels, threads: threads).pooled
    }
}
