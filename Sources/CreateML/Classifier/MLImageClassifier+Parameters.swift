import VisionTraining

/// How photos are split into training and validation sets.
public enum MLSplitStrategy: Sendable, Hashable {
    /// A tenth of the photos of every class, from 50 photos on, is held out to choose the strength of the
    /// regularisation; then the classifier is trained on all photos with that.
    case automatic
    /// This share of the photos of every class, always the same ones for the same seed, is held out from training.
    case fixed(ratio: Double, seed: Int? = nil)
}

extension MLImageClassifier {
    /// The features that the last layer of the classifier takes.
    public enum FeatureExtractorType: Sendable {
        /// The features of the scene network that also computes classifications and feature prints: revision 1, 2, or
        /// nil for the latest. A classifier keeps its revision.
        case scenePrint(revision: Int?)
        /// An output of another network.
        case custom(CustomFeatureExtractor)
    }

    /// A network whose output is the input of the classifier. It becomes part of the classifier's file.
    public struct CustomFeatureExtractor: Sendable {
        /// A `.onnx` or `.tflite` file or a `.mlmodelc` folder, with one input, an image.
        public var modelPath: URL
        /// The output; nil for the only one.
        public var outputName: String?

        /// Creates a description of a feature network.
        ///
        /// - Parameters:
        ///   - modelPath: A file that `MLModel` loads, with one input, an image.
        ///   - outputName: The output that the classifier takes; nil for the only one.
        public init(modelPath: URL, outputName: String? = nil) {
            self.modelPath = modelPath
            self.outputName = outputName
        }
    }

    /// The augmentation of the training photos.
    ///
    /// Options are applied in the order crop, rotation, blur, exposure, noise, flip, and multiply each other; a photo
    /// gives at most 100 images, including itself. An option that would exceed that changes each copy once instead.
    public struct ImageAugmentationOptions: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public let rawValue: Int

        /// Creates options from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Crops of the photo.
        public static let crop = ImageAugmentationOptions(rawValue: 1)
        /// Four copies, rotated by random angles.
        public static let rotation = ImageAugmentationOptions(rawValue: 2)
        /// Blurred copies.
        public static let blur = ImageAugmentationOptions(rawValue: 4)
        /// Brighter or darker.
        public static let exposure = ImageAugmentationOptions(rawValue: 8)
        /// With the noise of a camera in low light.
        public static let noise = ImageAugmentationOptions(rawValue: 16)
        /// Three copies: flipped horizontally, vertically, and both.
        public static let flip = ImageAugmentationOptions(rawValue: 32)

        var augmentation: Augmentation {
            let pairs: [(Self, Augmentation.Option)] = [
                (.crop, .crop), (.rotation, .rotation), (.blur, .blur), (.exposure, .exposure), (.noise, .noise),
                (.flip, .flip),
            ]
            return Augmentation(Set(pairs.filter { contains($0.0) }.map(\.1)))
        }
    }

    /// The kind of layer that is trained.
    public enum ClassifierType: Sendable, Hashable {
        /// Multinomial logistic regression.
        case logisticRegressor
    }

    /// The training method.
    public enum ModelAlgorithmType: Sendable {
        /// A layer is trained on the features of a fixed network.
        case transferLearning(featureExtractor: FeatureExtractorType, classifier: ClassifierType = .logisticRegressor)
    }

    /// The parameters of training a classifier.
    public struct ModelParameters: Sendable {
        /// The features that the last layer takes.
        public var featureExtractor: FeatureExtractorType
        /// The validation data.
        public var validation: ValidationData
        /// The number of solver iterations for each strength of regularisation that is tried.
        public var maxIterations: Int
        /// The augmentation of the training photos.
        public var augmentationOptions: ImageAugmentationOptions

        /// The training method.
        public var algorithm: ModelAlgorithmType {
            get { .transferLearning(featureExtractor: featureExtractor, classifier: .logisticRegressor) }
            set {
                switch newValue {
                case .transferLearning(let extractor, _): featureExtractor = extractor
                }
            }
        }

        /// The augmentation of the training photos: another name of `augmentationOptions`.
        public var augmentation: ImageAugmentationOptions {
            get { augmentationOptions }
            set { augmentationOptions = newValue }
        }

        /// The validation photos; nil if they are taken from the training photos.
        public var validationData: DataSource? {
            get {
                switch validation {
                case .dataSource(let source): source
                case .dictionary(let files): .filesByLabel(files)
                case .none, .split: nil
                }
            }
            set { validation = newValue.map { .dataSource($0) } ?? .split(strategy: .automatic) }
        }

        /// Creates parameters in the form of macOS 10.14.
        ///
        /// - Parameter validationData: nil to hold out some of the training photos as described at
        ///   `MLSplitStrategy.automatic`.
        public init(
            featureExtractor: FeatureExtractorType = .scenePrint(revision: 1), validationData: DataSource?,
            maxIterations: Int = 25, augmentationOptions: ImageAugmentationOptions = []
        ) {
            self.init(
                featureExtractor: featureExtractor,
                validation: validationData.map { .dataSource($0) } ?? .split(strategy: .automatic),
                maxIterations: maxIterations, augmentationOptions: augmentationOptions)
        }

        /// Creates parameters in the form of macOS 10.14, validated with photos by label.
        public init(
            featureExtractor: FeatureExtractorType = .scenePrint(revision: 1), validationData: [String: [URL]],
            maxIterations: Int = 25, augmentationOptions: ImageAugmentationOptions = []
        ) {
            self.init(
                featureExtractor: featureExtractor, validation: .dictionary(validationData),
                maxIterations: maxIterations, augmentationOptions: augmentationOptions)
        }

        /// Creates parameters in the form of macOS 10.15.
        public init(
            featureExtractor: FeatureExtractorType = .scenePrint(revision: 1),
            validation: ValidationData = .split(strategy: .automatic), maxIterations: Int = 25,
            augmentationOptions: ImageAugmentationOptions = []
        ) {
            self.featureExtractor = featureExtractor
            self.validation = validation
            self.maxIterations = maxIterations
            self.augmentationOptions = augmentationOptions
        }

        /// Creates parameters in the form of macOS 11.
        @_disfavoredOverload
        public init(
            validation: ValidationData = .split(strategy: .automatic), maxIterations: Int = 25,
            augmentation: ImageAugmentationOptions = [],
            algorithm: ModelAlgorithmType = .transferLearning(featureExtractor: .scenePrint(revision: 1))
        ) {
            self.init(validation: validation, maxIterations: maxIterations, augmentationOptions: augmentation)
            self.algorithm = algorithm
        }
    }
}

extension MLImageClassifier.ModelParameters {
    /// The validation data.
    public enum ValidationData: Sendable {
        /// Nothing: the validation metrics are not valid.
        case none
        /// Some of the training photos.
        case split(strategy: MLSplitStrategy)
        /// Other photos.
        case dataSource(MLImageClassifier.DataSource)
        /// Other photos, by label.
        case dictionary([String: [URL]])
    }
}

extension MLImageClassifier.ModelParameters: CustomStringConvertible {
    /// The parameters in words.
    public var description: String {
        let extractor =
            switch featureExtractor {
            case .scenePrint(let revision): "scene print, revision \(revision.map(String.init) ?? "latest")"
            case .custom(let custom): custom.modelPath.path
            }
        let validation =
            switch validation {
            case .none: "none"
            case .split(.automatic): "split of the training photos"
            case .split(.fixed(let ratio, let seed)):
                "split of the training photos, ratio \(ratio)" + (seed.map { ", seed \($0)" } ?? "")
            case .dataSource, .dictionary: "separate photos"
            }
        return """
            Feature extractor: \(extractor)
            Validation: \(validation)
            Iterations: \(maxIterations)
            Images for each photo: \(augmentationOptions.augmentation.count)
            """
    }
}
