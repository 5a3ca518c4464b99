import CoreML

/// A Core ML model for `VNCoreMLRequest`: it has at least one image input.
///
/// The model may be shared by any number of requests and threads; the properties are to be set before it is.
public final class VNCoreMLModel: NSObject {
    let model: MLModel

    /// The input that the handler's image goes to: the first image input unless set otherwise. A name that the model has no
    /// image input for makes the perform fail with `invalidArgument`.
    public var inputImageFeatureName: String

    /// Gives the values of all other inputs, images included. Asked once a perform, on the performing thread.
    public var featureProvider: (any MLFeatureProvider)?

    /// A model for requests.
    ///
    /// - Throws: `invalidModel` when the model has no image input.
    public init(for model: MLModel) throws {
        guard let image = model.interface.imageInputs.first else {
            throw visionError(
                .invalidModel,
                "The model does not have a valid input feature of type image. Which inputs are images can be said in the "
                    + "model's metadata; the model takes: "
                    + model.modelDescription.inputDescriptionsByName.values.map(\.description).sorted()
                    .joined(separator: "; ") + ".")
        }
        self.model = model
        inputImageFeatureName = image.name
        super.init()
    }

    /// The image input, and the values of the other inputs, as they are now.
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
