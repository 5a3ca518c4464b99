import CoreML

/// A Core ML model for `VNCoreMLRequest`: it has at least one image input.
///
/// The model may be shared by any number of requests and threads; its properties must be set before it is shared.
public final class VNCoreMLModel: NSObject {
    let model: MLModel

    /// The input that receives the handler's image: the first image input by default. A name that the model has no
    /// image input for makes the perform fail with `invalidArgument`.
    public var inputImageFeatureName: String

    /// The values of all other inputs, including images. Called once a perform, on the performing thread.
    public var featureProvider: (any MLFeatureProvider)?

    /// Creates a model for requests.
    ///
    /// - Throws: `invalidModel` if the model has no image input.
    public init(for model: MLModel) throws {
        guard let image = model.interface.imageInputs.first else {
            throw visionError(
                .invalidModel,
                "The model does not have a valid input feature of type image. The model's metadata can declare inputs "
                    + "as images; its inputs are: "
                    + model.modelDescription.inputDescriptionsByName.values.map(\.description).sorted()
                    .joined(separator: "; ") + ".")
        }
        self.model = model
        inputImageFeatureName = image.name
        super.init()
    }

    /// Returns the image input, and the current values of the other inputs.
    func inputs() throws -> (image: ImageInput, features: [String: MLFeatureValue]) {
        let images = model.interface.imageInputs
        guard let image = images.first(where: { $0.name == inputImageFeatureName }) else {
            throw visionError(
                .invalidArgument,
                "The model has no image input named “\(inputImageFeatureName)”; it has: "
                    + images.map(\.name).joined(separator: ", ") + ".")
        }
        var features: [String: MLFeatureValue] = [:]
        for name in model.modelDescription.inputDescriptionsByName.keys where name != image.name {
            features[name] = featureProvider?.featureValue(for: name)
        }
        return (image, features)
    }
}
