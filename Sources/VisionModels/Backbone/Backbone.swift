package import VisionImage
import VisionInference

/// The network that several requests on whole images share: EfficientNet-Lite, from the model store.
///
/// It computes feature maps, their means and the logits of a thousand classes. The results computed from these, such as
/// scene classes and feature prints, have revisions of their own, each with one backbone.
package final class Backbone: Sendable {
    /// One set of weights for ever: the same image gives the same numbers in every version of this package, up to the
    /// last bits, which depend on the processor's instruction set. The raw values are written into classifiers' files.
    package enum Revision: Int, CaseIterable, Sendable {
        case efficientNetLite0 = 1
        case efficientNetLite2 = 2

        /// The name of the model in the store.
        package var model: String {
            switch self {
            case .efficientNetLite0: "efficientnet-lite0"
            case .efficientNetLite2: "efficientnet-lite2"
            }
        }

        /// The revision of a number from outside.
        ///
        /// - Throws: `ModelStoreError.unknownModel`.
        package init(number: Int) throws(ModelStoreError) {
            guard let revision = Revision(rawValue: number) else {
                throw .unknownModel("scene network, revision \(number)", known: Revision.allCases.map(\.model))
            }
            self = revision
        }
    }

    package let revision: Revision
    /// Rows and columns of the input.
    package let side: Int
    private let session: Session

    /// Numbers in `BackboneFeatures.pooled`, in every revision.
    package static let featureCount = EfficientNetLite.headChannels

    /// The backbone of this process.
    ///
    /// - Throws: `ModelStoreError`: the model is not installed, or not as it should be. The next call tries again.
    package static func shared(_ revision: Revision, store: ModelStore = ModelStore()) throws -> Backbone {
        try ModelRegistry.shared.network(revision.model, in: store) { try Backbone(revision, store: store) }
    }

    /// - Throws: `ModelStoreError`.
    package init(_ revision: Revision, store: ModelStore) throws {
        let graph = try BackboneGraph(revision, store: store)
        self.revision = revision
        side = graph.side
        session = try ModelStoreError.reporting(revision.model, "cannot be loaded") { try Session(graph: graph.graph) }
    }

    // MARK: - Running

    /// Returns the derivative that is the network's input for a region of an image.
    package func input(region: PixelRegion, fit: Derivative.Fit) -> Derivative {
        Derivative(region: region, width: side, height: side, format: .rgb8, fit: fit)
    }

    /// Runs the network once.
    ///
    /// - Parameters:
    ///   - image: The pixels of `input(region:fit:)`.
    ///   - maps: Whether the maps are returned too; they take half a megabyte.
    ///   - threads: The maximum number of threads; nil for all. The results do not depend on it.
    package func features(of image: Raster, maps: Bool = false, threads: Int? = nil) throws -> BackboneFeatures {
        precondition(image.width == side && image.height == side)
        return try ModelStoreError.reporting(revision.model, "cannot be run") {
            try session.run(shapes: [[1, side, side, 3]], threads: threads) { _, input in
                try image.writeInterleaved(to: input.elements(), scale: 1 / 128, bias: -127 / 128)
            } read: { outputs in
                let (means, scores) = (outputs[0].elements(Float.self), outputs[1].elements(Float.self))
                let (channels, classes) = (EfficientNetLite.headChannels, EfficientNetLite.classCount)
                return BackboneFeatures(
                    revision: revision, pooled: Array(means.prefix(channels)), logits: Array(scores.prefix(classes)),
                    halves: Array(scores.dropFirst(classes)),
                    maps: maps ? zip(BackboneMap.Level.allCases, outputs.dropFirst(2)).map(Self.map) : [])
            }
        }
    }

    private static func map(_ level: BackboneMap.Level, _ view: TensorView) -> BackboneMap {
        BackboneMap(
            level: level, rows: view.shape[1], columns: view.shape[2], channels: view.shape[3],
            values: Array(view.elements(Float.self)))
    }
}
