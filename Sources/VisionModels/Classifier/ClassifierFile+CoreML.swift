package import Foundation
package import VisionInference

/// Classifiers as Core ML files: a pipeline of a custom model that makes the features, and of the last layer.
/// `Documentation/CoreMLFiles.md` describes the custom models.
extension ClassifierFile {
    private enum ClassName {
        static let scene = "OpenVisionScenePrint"
        static let network = "OpenVisionNetworkFeatures"
    }

    private enum Key {
        static let revision = "revision"
        static let network = "network"
        static let form = "form"
        static let output = "output"
        static let metadata = "metadata"
    }

    // MARK: Reading

    /// - Returns: nil for a model without one of these custom models.
    /// - Throws: `ModelError` for a model that has one and is not as described.
    package static func coreML(_ model: CoreMLModel) throws -> (file: ClassifierFile, labels: [String])? {
        guard let pipeline = try CoreMLFeatureClassifier(model, classNames: [ClassName.scene, ClassName.network])
        else { return nil }
        guard (1...largestFeatureCount).contains(pipeline.featureCount) else {
            throw ModelError.invalid("the classifier takes \(pipeline.featureCount) features")
        }
        // The last layer becomes what it is in the other form of the file, so that both give the same bits.
        let data = try data(
            extractor: extractor(of: pipeline.extractor), featureCount: pipeline.featureCount,
            weights: pipeline.weights, offsets: pipeline.offsets, metadata: "", documentation: "")
        guard let file = try ClassifierFile(ONNXModel(data)) else {
            throw ModelError.invalid("the classifier has no features")
        }
        return (file, pipeline.labels)
    }

    private static func extractor(of model: CoreMLCustomModel) throws -> Extractor {
        switch model.className {
        case ClassName.scene:
            guard let revision = model.int(Key.revision), Int32(exactly: revision) != nil else {
                throw ModelError.invalid("\(model.className) does not say which revision of the scene network it means")
            }
            return .scene(revision: revision)
        default:
            guard let form = model.text(Key.form), ["onnx", "tflite"].contains(form),
                let output = model.text(Key.output), let bytes = model.bytes(Key.network)
            else { throw ModelError.invalid("\(model.className) does not hold a network") }
            return .network(
                EmbeddedNetwork(form: form, bytes: bytes, metadata: model.text(Key.metadata), output: output))
        }
    }

    // MARK: Writing

    /// Returns the Core ML file of a classifier's last layer.
    ///
    /// - Parameter weights: The bits of half-precision floats, `featureCount` for each class.
    /// - Throws: `ModelError` where the sizes do not fit each other.
    package static func coreMLData(
        extractor: Extractor, featureCount: Int, weights: [UInt16], offsets: [Float], labels: [String],
        metadata: CoreMLMetadata
    ) throws -> Data {
        try CoreMLFeatureClassifier(
            extractor: customModel(extractor), labels: labels, featureCount: featureCount, weights: weights,
            offsets: offsets
        ).serialised(names: .init(image: imageName, scores: scoresName), side: statedSide, metadata: metadata)
    }

    private static func customModel(_ extractor: Extractor) -> CoreMLCustomModel {
        switch extractor {
        case .scene(let revision):
            var parameters: [String: CoreMLCustomModel.Parameter] = [Key.revision: .int(revision)]
            if let backbone = Backbone.Revision(rawValue: revision) {
                parameters[Key.network] = .text(backbone.model)
            }
            return CoreMLCustomModel(
                className: ClassName.scene, parameters: parameters,
                summary: "The pooled features of OpenVision's scene network")
        case .network(let network):
            var parameters: [String: CoreMLCustomModel.Parameter] = [
                Key.form: .text(network.form), Key.output: .text(network.output), Key.network: .bytes(network.bytes),
            ]
            if let metadata = network.metadata { parameters[Key.metadata] = .text(metadata) }
            return CoreMLCustomModel(
                className: ClassName.network, parameters: parameters,
                summary: "An output of the network in its parameter “\(Key.network)”")
        }
    }
}
