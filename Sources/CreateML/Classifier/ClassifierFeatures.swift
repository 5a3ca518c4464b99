import CoreML
import VisionModels
import VisionTraining
import VisionFiles

/// The source of a classifier's features, for training and for its file.
struct ClassifierFeatures: Sendable {
    let source: any FeatureSource
    let extractor: ClassifierFile.Extractor

    private init(source: any FeatureSource, extractor: ClassifierFile.Extractor) {
        self.source = source
        self.extractor = extractor
    }

    /// - Throws: `MLCreateError` if the network is not installed, or unsuitable.
    init(_ type: MLImageClassifier.FeatureExtractorType) throws {
        switch type {
        case .scenePrint(let revision):
            do {
                let backbone = try revision.map { try Backbone.Revision(number: $0) } ?? .efficientNetLite2
                source = try BackboneFeatureSource(backbone)
                extractor = .scene(revision: backbone.rawValue)
            } catch let error as ModelStoreError {
                throw MLCreateError.generic(reason: error.description)
            }
        case .custom(let custom):
            do {
                let (embedded, model) = try MLModel.embeddable(contentsOf: custom.modelPath, output: custom.outputName)
                source = try NetworkFeatureSource(model: model, embedded: embedded)
                extractor = .network(embedded)
            } catch let error as MLModelError {
                throw MLCreateError.generic(reason: error.localizedDescription)
            }
        }
    }

    /// The features of a classifier that was read from a file.
    init?(model: MLModel) throws {
        if let backbone = model.backbone {
            try self.init(.scenePrint(revision: backbone.rawValue))
        } else if let (inner, embedded) = model.embeddedNetwork {
            self.init(
                source: try NetworkFeatureSource(model: inner, embedded: embedded), extractor: .network(embedded))
        } else {
            return nil
        }
    }
}

/// An output of the user's own network.
struct NetworkFeatureSource: FeatureSource {
    let model: MLModel
    let output: String
    let identity: String
    let featureCount: Int
    let side: Int
    let isOfOneScale = false

    init(model: MLModel, embedded: ClassifierFile.EmbeddedNetwork) throws {
        self.model = model
        output = embedded.output
        guard let image = model.interface.imageInputs.first else {
            throw MLCreateError.type(reason: "The feature extractor has no input that is an image.")
        }
        side = max(image.width ?? 224, image.height ?? 224)
        let digest: (network: ContentDigest, metadata: ContentDigest)
        do {
            digest = (
                try embedded.bytes.withBytes { try ContentDigest(of: Data($0)) },
                try ContentDigest(of: Data((embedded.metadata ?? "").utf8))
            )
        } catch let error as DigestError {
            throw MLCreateError.generic(reason: "The feature extractor is not usable: \(error).")
        }
        identity =
            "network \(digest.network.hexadecimal), \(digest.metadata.hexadecimal), \(embedded.output), "
            + InstructionSet.name
        // The number of features is known after the first run.
        featureCount = try Self.features(of: try Self.blank(side: side), model: model, output: output, threads: nil)
            .count
        guard (1...ClassifierFile.largestFeatureCount).contains(featureCount) else {
            throw MLCreateError.type(reason: "The output “\(output)” has \(featureCount) numbers.")
        }
    }

    private static func blank(side: Int) throws -> ImageSource {
        let raster = try Raster(width: side, height: side, format: .rgb8) { pixels, rowBytes in
            for index in 0..<rowBytes * side { pixels.storeBytes(of: 127, toByteOffset: index, as: UInt8.self) }
        }
        return ImageSource(cgImage: CGImage(raster: raster))
    }

    private static func features(
        of image: ImageSource, model: MLModel, output: String, threads: Int?
    ) throws -> [Float] {
        guard let input = model.interface.imageInputs.first else { return [] }
        let size = try image.uprightSize()
        let whole = PixelRegion(width: size.width, height: size.height)
        let pixels = try image.derivative(input.derivative(region: whole, fit: .fill))
        return try model.run([:], image: (input, pixels), threads: threads).floats(of: output)
    }

    func features(of image: ImageSource, threads: Int?) throws -> [Float] {
        let features = try Self.features(of: image, model: model, output: output, threads: threads)
        guard features.count == featureCount else {
            throw MLCreateError.type(
                reason:
                    "The output “\(output)” must have the same number of elements for every photo, "
                    + "but has \(features.count) for one and \(featureCount) for another."
            )
        }
        return features
    }
}
