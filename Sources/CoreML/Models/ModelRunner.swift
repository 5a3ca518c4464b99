import VisionInference
import VisionModels

/// What computes the outputs of a model.
enum ModelRunner: Sendable {
    case network(Session)
    /// A network that keeps values from one prediction to the next.
    case stateful(Session, [CoreMLNetwork.State])
    /// Layers on top of the features that something else computes of an image.
    case classifier(FeatureExtractor, Session)
    /// A model that is no network.
    case values(any ValueModel)
    case pipeline(ModelPipeline)
}

/// A model that maps features to features without a network.
protocol ValueModel: Sendable {
    /// - Throws: `MLModelError.featureType` when a feature is missing or invalid.
    func outputs(of features: [String: MLFeatureValue]) throws -> [String: MLFeatureValue]
}

/// Models that are run one after the other: each reads the outputs of those before it, and the inputs.
struct ModelPipeline: Sendable {
    let models: [MLModel]

    func outputs(
        of features: [String: MLFeatureValue], image: (input: ImageInput, pixels: Raster)?, threads: Int?
    ) throws -> [String: MLFeatureValue] {
        var known = features
        for model in models {
            // An image that was converted for the first model that reads it serves all that read it in the same way.
            let own = image.flatMap { image in
                model.interface.imageInputs.contains(image.input) ? image : nil
            }
            if let image, own == nil, model.interface.imageInputs.contains(where: { $0.name == image.input.name }) {
                throw MLModelError(
                    .generic, "Two models of the pipeline read the image “\(image.input.name)” in different ways.")
            }
            let outputs = try model.run(known, image: own, threads: threads)
            known.merge(outputs.features()) { $1 }
        }
        return known
    }
}
