import CoreML
import VisionThreads

/// A Core ML model for `VNCoreMLRequest`: it has at least one image input.
///
/// The model may be shared by any number of requests and threads. A perform uses the properties as they are when it
/// reads them, so set them before the model is shared.
open class VNCoreMLModel: NSObject, @unchecked Sendable {
    // Unchecked because of NSObject and the feature provider: the properties are behind a lock, and the provider is
    // only asked for features, by every thread that performs.

    private struct Inputs {
        var imageName: String
        var provider: (any MLFeatureProvider)?
    }

    let model: MLModel
    private let settings: Locked<Inputs>

    /// The input that receives the handler's image: the first image input by default. A name that the model has no
    /// image input for makes the perform fail with `invalidArgument`.
    open var inputImageFeatureName: String {
        get { settings.withLock { $0.imageName } }
        set { settings.withLock { $0.imageName = newValue } }
    }

    /// The values of all other inputs, including images. Called once a perform, on the performing thread.
    open var featureProvider: (any MLFeatureProvider)? {
        get { settings.withLock { $0.provider } }
        set { settings.withLock { $0.provider = newValue } }
    }

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
        settings = Locked(Inputs(imageName: image.name))
        super.init()
    }

    /// Returns the image input, and the current values of the other inputs.
    func inputs() throws -> (image: ImageInput, features: [String: MLFeatureValue]) {
        let images = model.interface.imageInputs
        let settings = settings.current
        guard let image = images.first(where: { $0.name == settings.imageName }) else {
            throw visionError(
                .invalidArgument,
                "The model has no image input named “\(settings.imageName)”; it has: "
                    + images.map(\.name).joined(separator: ", ") + ".")
        }
        var features: [String: MLFeatureValue] = [:]
        for name in model.modelDescription.inputDescriptionsByName.keys where name != image.name {
            features[name] = settings.provider?.featureValue(for: name)
        }
        return (image, features)
    }
}
