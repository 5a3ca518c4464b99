import CoreML

/// A Core ML model for `CoreMLRequest`: it has at least one image input.
public struct CoreMLModelContainer: Hashable, Sendable {
    /// A model of its own, so that changes of the classic API's objects have no effect.
    let model: VNCoreMLModel

    /// The input that receives the handler's image: the first image input by default. A name that the model has no
    /// image input for makes the perform fail with `invalidArgument`.
    public var inputImageFeatureName: String

    /// Creates a container.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - featureProvider: The values of all other inputs. Called once a perform, on any thread.
    /// - Throws: `VisionError.invalidModel` if the model has no image input.
    public init(model: MLModel, featureProvider: (any MLFeatureProvider)? = nil) throws {
        do {
            self.model = try VNCoreMLModel(for: model)
        } catch {
            throw VisionError(error)
        }
        self.model.featureProvider = featureProvider
        inputImageFeatureName = self.model.inputImageFeatureName
    }

    /// Containers are equal if one is a copy of the other and they have the same input.
    public static func == (lhs: CoreMLModelContainer, rhs: CoreMLModelContainer) -> Bool {
        lhs.model === rhs.model && lhs.inputImageFeatureName == rhs.inputImageFeatureName
    }

    /// Combines what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(model))
        hasher.combine(inputImageFeatureName)
    }

    /// Returns the model of the classic API with the input of this container.
    fileprivate func classicModel() throws -> VNCoreMLModel {
        guard inputImageFeatureName != model.inputImageFeatureName else { return model }
        let copy = try VNCoreMLModel(for: model.model)
        copy.featureProvider = model.featureProvider
        copy.inputImageFeatureName = inputImageFeatureName
        return copy
    }
}

/// Runs a Core ML model on an image. See `VNCoreMLRequest`.
///
/// The type of the results depends on the model: `ClassificationObservation` for a classifier,
/// `RecognizedObjectObservation` for a detector, `PixelBufferObservation` for one with image outputs, and
/// `CoreMLFeatureValueObservation` for all others.
public struct CoreMLRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = [any VisionObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The first revision.
        case revision1

        /// The revision of the classic request.
        var classic: Int { VNCoreMLRequestRevision1 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision1]

    /// The revision of the request.
    public let revision: Revision

    /// The model.
    public let modelContainer: CoreMLModelContainer

    /// The region of the upright image that the model sees: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// How the region of interest is fitted to the model's input: `centerCrop` by default, `scaleToFill` for
    /// classifiers that Create ML made.
    public var cropAndScaleAction: ImageCropAndScaleAction

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .coreMLRequest(revision) }

    /// The labels of a classifier; nil for other models.
    public var supportedIdentifiers: [String]? {
        modelContainer.model.model.modelDescription.classLabels?.map { "\($0)" }
    }

    /// Creates a request of a revision; the newest one if nil.
    public init(model: CoreMLModelContainer, _ revision: Revision? = nil) {
        modelContainer = model
        self.revision = revision ?? .revision1
        cropAndScaleAction = ImageCropAndScaleAction(VNCoreMLRequest(model: model.model).imageCropAndScaleOption)
    }
}

extension CoreMLRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNCoreMLRequest(model: try modelContainer.classicModel())
            .with(regionOfInterest, revision: revision.classic)
        request.imageCropAndScaleOption = cropAndScaleAction.classic
        return request
    }

    func result(from observations: [VNObservation]) throws -> [any VisionObservation] {
        try observations.map { observation in
            switch observation {
            case let observation as VNClassificationObservation:
                ClassificationObservation(observation, descriptor: descriptor)
            case let observation as VNRecognizedObjectObservation:
                RecognizedObjectObservation(observation, descriptor: descriptor)
            case let observation as VNPixelBufferObservation:
                PixelBufferObservation(observation, descriptor: descriptor)
            case let observation as VNCoreMLFeatureValueObservation:
                CoreMLFeatureValueObservation(observation, descriptor: descriptor)
            default:
                throw VisionError.internalError("An observation of the class \(type(of: observation)) is unexpected.")
            }
        }
    }

    func visionResult(_ result: [any VisionObservation]) -> VisionResult { .coreML(self, result) }
}
