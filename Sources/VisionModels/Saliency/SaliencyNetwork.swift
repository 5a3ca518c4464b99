import VisionInference

/// The networks that compute saliency maps from the maps of EfficientNet-Lite2. `Training/Saliency` trains them.
package final class SaliencyNetwork: Sendable {
    package enum Kind: CaseIterable, Sendable {
        /// Where people look first: trained on eye fixations.
        case attention
        /// What belongs to an object in the foreground: trained on masks of objects.
        case objectness

        fileprivate var network: BuiltInNetwork {
            self == .attention ? .saliencyAttention : .saliencyObjectness
        }
    }

    /// Rows and columns of a map, in every revision.
    package static let side = 68
    /// The backbone whose maps the networks read.
    package static let backbone = Backbone.Revision.efficientNetLite2

    private let head: BackboneHead

    /// - Throws: `ModelError`.
    private init(_ kind: Kind) throws {
        head = try BackboneHead(kind.network, outputs: [[1, Self.side, Self.side, 1]])
    }

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    package static func shared(_ kind: Kind) throws -> SaliencyNetwork {
        try ModelRegistry.shared.network(kind.network) { try SaliencyNetwork(kind) }
    }

    /// Returns the saliency map of an image: `side` rows of `side` values in 0…1 from the top left, over the whole
    /// region that the features describe.
    ///
    /// - Parameters:
    ///   - features: The features of the backbone `backbone`, with maps.
    ///   - threads: The maximum number of threads; nil for all. The result does not depend on it.
    /// - Throws: `ModelStoreError`.
    package func map(of features: BackboneFeatures, threads: Int? = nil) throws -> [Float] {
        try head.run(on: features, threads: threads) { outputs in
            // A value that is not a number, from an image with such values, is not salient.
            outputs[0].elements(Float.self).map { $0 > 0 ? min($0, 1) : 0 }
        }
    }
}
