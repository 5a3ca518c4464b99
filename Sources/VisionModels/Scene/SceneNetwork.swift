package import VisionImage
import VisionInference
import VisionThreads

/// The network behind classification and prints: EfficientNet-Lite, from the model store.
///
/// A revision is one set of weights for ever: the same picture gives the same numbers in every version of this package, up
/// to the last bits, which depend on the processor's instruction set.
package final class SceneNetwork: Sendable {
    package let revision: Int
    /// Rows and columns of the input.
    package let side: Int
    private let model: String
    private let session: Session

    /// Numbers in `SceneFeatures.pooled`, in every revision.
    package static let featureCount = EfficientNetLite.headChannels

    /// The revisions and their models.
    private static let models = [1: "efficientnet-lite0", 2: "efficientnet-lite2"]

    package static let revisions = models.keys.sorted()

    /// The name of a revision's model in the store.
    ///
    /// - Throws: `ModelStoreError.unknownModel`.
    package static func modelName(revision: Int) throws -> String {
        guard let model = models[revision] else { throw unknown(revision) }
        return model
    }

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`: the model is not installed, or not as it should be. The next call tries again.
    package static func shared(revision: Int, store: ModelStore = ModelStore()) throws -> SceneNetwork {
        try ModelRegistry.shared.network(modelName(revision: revision), in: store) {
            try SceneNetwork(revision: revision, store: store)
        }
    }

    /// - Throws: `ModelStoreError`.
    package init(revision: Int, store: ModelStore) throws {
        let model = try Self.modelName(revision: revision)
        let description = try store.description(of: model)
        guard case .efficientNetLite(let network, _, _) = description.conversion else { throw Self.unknown(revision) }
        let installed = try store.installed(model)
        // Weights of another version would give other numbers under the same revision.
        guard installed.isCurrent else {
            throw ModelStoreError.damaged(
                model,
                reason: "\(installed.folder.path) holds version \(installed.manifest.version), made by recipe "
                    + "\(installed.manifest.recipe), not \(description.version) by recipe \(description.recipe)")
        }
        self.revision = revision
        self.model = model
        side = network.side
        session = try ModelStoreError.reporting(model, "cannot be loaded") {
            try Session(graph: SceneGraph.graph(contentsOf: installed.url, network))
        }
    }

    private static func unknown(_ revision: Int) -> ModelStoreError {
        .unknownModel("scene network, revision \(revision)", known: models.values.sorted())
    }

    // MARK: - Running

    /// The picture that the network wants to see, made of a part of an image.
    package func input(region: PixelRegion, fit: Derivative.Fit) -> Derivative {
        Derivative(
            region: region, width: side, height: side, format: .planarRGBFloat, fit: fit,
            scale: SIMD3(repeating: 1 / 128), bias: SIMD3(repeating: -127 / 128))
    }

    /// Runs the network once.
    ///
    /// - Parameters:
    ///   - picture: what `input(region:fit:)` stands for.
    ///   - maps: Whether the maps are wanted too; half a megabyte.
    ///   - threads: The most threads that the run uses; nil for all. The numbers do not depend on it.
    package func features(of picture: Raster, maps: Bool = false, threads: Int? = nil) throws -> SceneFeatures {
        precondition(picture.format == .planarRGBFloat && picture.width == side && picture.height == side)
        return try ModelStoreError.reporting(model, "cannot be run") {
            try session.run(shapes: [[1, 3, side, side]], threads: threads) { _, view in
                Self.write(picture, to: view)
            } read: { outputs in
                let (means, scores) = (outputs[0].elements(Float.self), outputs[1].elements(Float.self))
                let (channels, classes) = (EfficientNetLite.headChannels, EfficientNetLite.classCount)
                return SceneFeatures(
                    revision: revision, pooled: Array(means.prefix(channels)), logits: Array(scores.prefix(classes)),
                    parts: Array(scores.dropFirst(classes)),
                    maps: maps ? zip(SceneMap.Level.allCases, outputs.dropFirst(2)).map(Self.map) : [])
            }
        }
    }

    private static func map(_ level: SceneMap.Level, _ view: TensorView) -> SceneMap {
        SceneMap(
            level: level, rows: view.shape[1], columns: view.shape[2], channels: view.shape[3],
            values: Array(view.elements(Float.self)))
    }

    /// Plane by plane, without the padding of rows. Never inlined: where a function that throws ends in a copy, the
    /// optimiser of Swift 6.3.1 loses the register of the error.
    @inline(never)
    private static func write(_ picture: Raster, to view: TensorView) {
        let target = view.elements(Float.self)
        let (width, rows) = (picture.width, 3 * picture.height)
        picture.withUnsafePixels { pixels in
            for row in 0..<rows {
                let source = (pixels + row * picture.rowBytes).assumingMemoryBound(to: Float.self)
                for column in 0..<width { target[row * width + column] = source[column] }
            }
        }
    }
}
