package import VisionImage
import VisionInference

/// The network that several requests on whole images share: EfficientNet-Lite, from the model store.
///
/// It computes feature maps, their means and the logits of a thousand classes, of a square input or of one of another
/// permitted size (`InputSize`). The results computed from these, such as
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

    /// How the convolutions are computed.
    package enum Arithmetic: String, Sendable {
        /// In floats, as the network was trained.
        case floats
        /// In 8 bits: in a fraction of the time, with somewhat other numbers (`ByteRanges`). There are no maps.
        case bytes
    }

    package let revision: Revision
    package let arithmetic: Arithmetic
    /// Rows and columns of the square input, for which the network was trained.
    package let side: Int
    private let square: Session
    /// For all other sizes of the input.
    private let sized: Session

    /// Numbers in `BackboneFeatures.pooled`, in every revision.
    package static let featureCount = EfficientNetLite.headChannels

    /// The backbone of this process.
    ///
    /// - Throws: `ModelStoreError`: the model is not installed, or not as it should be. The next call tries again.
    package static func shared(
        _ revision: Revision, _ arithmetic: Arithmetic = .floats, store: InstalledModels = InstalledModels()
    ) throws -> Backbone {
        try ModelRegistry.shared.network(revision.model, as: arithmetic.rawValue, in: store) {
            try Backbone(revision, arithmetic, store: store)
        }
    }

    /// - Throws: `ModelStoreError`; there is no `efficientNetLite0` in bytes.
    package init(_ revision: Revision, _ arithmetic: Arithmetic = .floats, store: InstalledModels) throws {
        let graph = try BackboneGraph(revision, arithmetic, store: store)
        (self.revision, self.arithmetic) = (revision, arithmetic)
        side = graph.side
        (square, sized) = try ModelStoreError.reporting(revision.model, "cannot be loaded") {
            let square = try Session(graph: graph.square)
            let sized = try Session(
                graph: graph.sized, options: .init(preparedLimit: Self.preparedSizes), sharingWeightsOf: square)
            return (square, sized)
        }
    }

    /// Sizes that stay prepared: more than there are about a square (`InputSize.sizes`).
    private static let preparedSizes = 24

    // MARK: - Running

    /// Returns the derivative that is the network's square input for a region of an image.
    package func input(region: PixelRegion, fit: Derivative.Fit) -> Derivative {
        Derivative(region: region, width: side, height: side, format: .rgb8, fit: fit)
    }

    /// Returns the derivative that is the network's input of a permitted size for a region of an image: all of the
    /// region, scaled independently along both axes.
    package func input(region: PixelRegion, size: InputSize) -> Derivative {
        Derivative(region: region, width: size.columns, height: size.rows, format: .rgb8, fit: .fill)
    }

    /// Runs the network once.
    ///
    /// - Parameters:
    ///   - image: The pixels of `input(region:fit:)` or `input(region:size:)`.
    ///   - maps: Whether the maps are returned too; those of the square take half a megabyte. In bytes there are none.
    ///   - threads: The maximum number of threads; nil for all. The results do not depend on it.
    package func features(of image: Raster, maps: Bool = false, threads: Int? = nil) throws -> BackboneFeatures {
        let isSquare = image.width == side && image.height == side
        return try features(of: image, maps: maps, threads: threads, in: isSquare ? .square : .sized)
    }

    /// The graph that a run uses. Those of the square have the bits of the first version of a revision for ever.
    enum GraphKind {
        case square, sized
    }

    func features(of image: Raster, maps: Bool, threads: Int?, in kind: GraphKind) throws -> BackboneFeatures {
        let size = InputSize(rows: image.height, columns: image.width)
        precondition(permits(size))
        let pixels = [1, size.rows, size.columns, 3]
        return try ModelStoreError.reporting(revision.model, "cannot be run") {
            switch kind {
            case .square:
                return try square.run(shapes: [pixels], threads: threads) { _, input in
                    try Self.write(image, to: input)
                } read: { outputs in
                    features(outputs, maps: maps)
                }
            case .sized:
                let parts = try BackboneGraph.parts(for: size)
                return try sized.run(shapes: [pixels, parts.shape], threads: threads) { index, input in
                    if index == 0 {
                        try Self.write(image, to: input)
                    } else {
                        copyBytes(parts.byteCount, from: parts.storage.base, to: input.base)
                    }
                } read: { outputs in
                    features(outputs, maps: maps)
                }
            }
        }
    }

    private static func write(_ image: Raster, to input: TensorView) throws {
        try image.writeInterleaved(to: input.elements(), scale: 1 / 128, bias: -127 / 128)
    }

    private func features(_ outputs: [TensorView], maps: Bool) -> BackboneFeatures {
        let (means, scores) = (outputs[0].elements(Float.self), outputs[1].elements(Float.self))
        let (channels, classes) = (EfficientNetLite.headChannels, EfficientNetLite.classCount)
        return BackboneFeatures(
            revision: revision, pooled: Array(means.prefix(channels)), logits: Array(scores.prefix(classes)),
            halves: Array(scores.dropFirst(classes)),
            maps: maps ? zip(BackboneMap.Level.allCases, outputs.dropFirst(2)).map(Self.map) : [])
    }

    private static func map(_ level: BackboneMap.Level, _ view: TensorView) -> BackboneMap {
        BackboneMap(
            level: level, rows: view.shape[1], columns: view.shape[2], channels: view.shape[3],
            values: Array(view.elements(Float.self)))
    }
}
