import VisionTraining

/// How photos are kept apart from training to validate with.
public enum MLSplitStrategy: Sendable, Hashable {
    /// A tenth of the photos of every class, from 50 photos on, chooses how strongly the classifier is regularised; then it is
    /// trained on all photos with that.
    case automatic
    /// This share of the photos of every class, always the same ones for the same seed, is not trained with at all.
    case fixed(ratio: Double, seed: Int? = nil)
}

extension MLImageClassifier {
    /// What the last layer of the classifier works on.
    public enum FeatureExtractorType: Sendable {
        /// The features of the scene network that also makes classifications and feature prints: revision 1, 2, or nil for the
        /// latest. A classifier keeps its revision for ever.
        case scenePrint(revision: Int?)
        /// An output of another network.
        case custom(CustomFeatureExtractor)
    }

    /// A network whose output is what the classifier works on. It becomes part of the classifier's file.
    public struct CustomFeatureExtractor: Sendable {
        /// A `.onnx` or `.tflite` file or a `.mlmodelc` folder, with one input, an image.
        public var modelPath: URL
        /// The output; nil for the only one.
        public var outputName: String?

        /// A network that makes features.
        ///
        /// - Parameters:
        ///   - modelPath: A file that `MLModel` loads, with one input, an image.
        ///   - outputName: The output that the classifier works on; nil for the only one.
        public init(modelPath: URL, outputName: String? = nil) {
            self.modelPath = modelPath
            self.outputName = outputName
        }
    }

    /// Which changed copies of the photos the classifier is trained with as well.
    ///
    /// Options are applied in the order crop, rotation, blur, exposure, noise, flip, and multiply each other; 100 pictures are made
    /// of one photo at most, itself among them. An option that would go beyond that changes each copy once instead.
    public struct ImageAugmentationOptions: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public let rawValue: Int

        /// Options from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Parts of the photo.
        public static let crop = ImageAugmentationOptions(rawValue: 1)
        /// Four copies, turned by random angles.
        public static let rotation = ImageAugmentationOptions(rawValue: 2)
        /// Out of focus.
        public static let blur = ImageAugmentationOptions(rawValue: 4)
        /// Brighter or darker.
        public static let exposure = ImageAugmentationOptions(rawValue: 8)
        /// With the noise of a camera in little light.
        public static let noise = ImageAugmentationOptions(rawValue: 16)
        /// Three copies: left to right, upside down, both.
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

    /// How the classifier is made.
    public enum ModelAlgorithmType: Sendable {
        /// A layer is trained on top of the features of a network that stays as it is.
        case transferLearning(featureExtractor: FeatureExtractorType, classifier: ClassifierType = .logisticRegressor)
    }

    /// How a classifier is trained.
    public struct ModelParameters: Sendable {
        /// What the last layer works on.
        public var featureExtractor: FeatureExtractorType
        /// What the classifier is validated with.
        public var validation: ValidationData
        /// Iterations of the solver for each strength of regularisation that is tried.
        public var maxIterations: Int
        /// Which changed copies of the photos are trained with as well.
        public var augmentationOptions: ImageAugmentationOptions

        /// How the classifier is made.
        public var algorithm: ModelAlgorithmType {
            get { .transferLearning(featureExtractor: featureExtractor, classifier: .logisticRegressor) }
            set {
                switch newValue {
                case .transferLearning(let extractor, _): featureExtractor = extractor
                }
            }
        }

        /// Which changed copies of the photos are trained with as well: another name of `augmentationOptions`.
        public var augmentation: ImageAugmentationOptions {
            get { augmentationOptions }
            set { augmentationOptions = newValue }
        }

        /// The photos that the classifier is validated with; nil where they are taken from the training photos.
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

        /// Parameters in the form of macOS 10.14.
        ///
        /// - Parameter validationData: nil to take some of the training photos, as `MLSplitStrategy.automatic` says.
        public init(
            featureExtractor: FeatureExtractorType = .scenePrint(revision: 1), validationData: DataSource?,
            maxIterations: Int = 25, augmentationOptions: ImageAugmentationOptions = []
        ) {
            self.init(
                featureExtractor: featureExtractor,
                validation: validationData.map { .dataSource($0) } ?? .split(strategy: .automatic),
                maxIterations: maxIterations, augmentationOptions: augmentationOptions)
        }

        /// Parameters in the form of macOS 10.14, validated with photos by label.
        public init(
            featureExtractor: FeatureExtractorType = .scenePrint(revision: 1), validationData: [String: [URL]],
            maxIterations: Int = 25, augmentationOptions: ImageAugmentationOptions = []
        ) {
            self.init(
                featureExtractor: featureExtractor, validation: .dictionary(validationData),
                maxIterations: maxIterations, augmentationOptions: augmentationOptions)
        }

        /// Parameters in the form of macOS 10.15.
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

        /// Parameters in the form of macOS 11.
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
    /// What the classifier is validated with.
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
            case .dataSource, .dictionary: "photos of their own"
            }
        return """
            Feature extractor: \(extractor)
            Validation: \(validation)
            Iterations: \(maxIterations)
            Pictures of each photo: \(augmentationOptions.augmentation.count)
            """
    }
}
