import NetworkMetadata
import VisionInference
import VisionModels

extension ModelInterface {
    /// The interface of a network as its Core ML file describes it.
    ///
    /// - Parameter metadata: Labels and settings of a detector, which the file's description does not have.
    /// - Throws: `MLModelError.generic` if the description does not match the network.
    init(
        _ network: CoreMLNetwork, session: Session, _ description: CoreMLDescription, metadata: ModelMetadata
    ) throws {
        let inputs = try description.inputs.map { feature in
            guard let port = session.inputs.first(where: { $0.name == feature.name }) else {
                throw MLModelError(.generic, "The model has no input “\(feature.name)”, which its file describes.")
            }
            return try Input(port, feature, preprocessing: network.preprocessing[feature.name])
        }
        // In the order of the network.
        let ordered = session.inputs.compactMap { port in inputs.first { $0.port.name == port.name } }
        let outputs = try session.outputs.dropLast(network.states.count).map { port in
            try Output(port, description.outputs.first { $0.name == port.name })
        }
        var classifier: Classifier?
        if let labels = network.classifier, let scores = network.probabilities {
            let label = description.predictedFeatureName
            classifier = Classifier(
                scores: scores, function: .none, labelName: label.isEmpty ? "classLabel" : label,
                probabilitiesName: description.predictedProbabilitiesName, labels: labels.texts,
                areIntegers: labels.areIntegers,
                givesScores: scores != description.predictedProbabilitiesName
                    && description.outputs.contains { $0.name == scores })
        }
        self.init(
            inputs: ordered, outputs: outputs, classifier: classifier, labels: classifier?.labels ?? metadata.labels,
            detector: metadata.detector)
    }

    /// The interface of a model that is no network, as its file describes it.
    init(
        _ description: CoreMLDescription, labels: CoreMLClassLabels?, images: [ImageInput] = [],
        metadata: ModelMetadata
    ) throws {
        let inputs = try description.inputs.map { feature -> Input in
            let port = Graph.Port(value: 0, name: feature.name, type: .float64, shape: nil)
            let stated = MLFeatureDescription(feature)
            if case .image = feature.kind {
                guard let image = images.first(where: { $0.name == feature.name }) else {
                    throw MLModelError(.generic, "No part of the model reads its image “\(feature.name)”.")
                }
                return Input(port: port, kind: .image(image), defaultValue: nil, shape: [], stated: stated)
            }
            return Input(port: port, kind: .value(stated), defaultValue: nil, shape: [], stated: stated)
        }
        var classifier: Classifier?
        let label = description.predictedFeatureName
        if let labels, !label.isEmpty {
            classifier = Classifier(
                scores: "", function: .none, labelName: label,
                probabilitiesName: description.predictedProbabilitiesName, labels: labels.texts,
                areIntegers: labels.areIntegers)
        }
        let classified = classifier.map { [$0.labelName, $0.probabilitiesName] } ?? []
        let outputs = try description.outputs.filter { !classified.contains($0.name) }.map { feature in
            try Output(Graph.Port(value: 0, name: feature.name, type: .float64, shape: nil), feature)
        }
        self.init(
            inputs: inputs, outputs: outputs, classifier: classifier, labels: labels?.texts ?? metadata.labels,
            detector: metadata.detector)
    }
}

extension ModelInterface.Input {
    init(
        _ port: Graph.Port, _ feature: CoreMLFeature, preprocessing: (scale: Float, bias: SIMD3<Float>)?
    ) throws {
        let stated = MLFeatureDescription(feature)
        switch feature.kind {
        case .image(let image):
            guard image.allSizes.allSatisfy({ $0.width > 0 && $0.height > 0 }) else {
                throw MLModelError(.generic, "The image “\(feature.name)” of the model has no size.")
            }
            let input = ImageInput(
                name: feature.name, width: image.hasOpenWidth ? nil : image.width,
                height: image.hasOpenHeight ? nil : image.height, channels: image.channels,
                isBlueFirst: image.colours == .bgr, channelsLast: false, hasBatchAxis: port.shape?.count == 4,
                elementType: port.type, scale: SIMD3(repeating: preprocessing?.scale ?? 1),
                bias: preprocessing?.bias ?? .zero, sizes: image.rule)
            self.init(port: port, kind: .image(input), defaultValue: nil, shape: input.shape, stated: stated)
        case .array(let array):
            self.init(
                port: port, kind: .array, defaultValue: feature.isOptional ? array.defaultValue ?? 0 : nil,
                shape: array.openShape, rule: array.rule, stated: stated)
            usualShape = array.shape
        default:
            throw MLModelError(
                .generic, "The network's input “\(feature.name)” is neither an image nor an array.")
        }
    }
}

extension ModelInterface.Output {
    /// - Parameter feature: nil for an output that the file's description does not have: the scores of a classifier.
    init(_ port: Graph.Port, _ feature: CoreMLFeature?) throws {
        guard let feature else {
            self.init(port: port, image: nil, shape: port.shape ?? [])
            return
        }
        let stated = MLFeatureDescription(feature)
        guard case .image(let type) = feature.kind else {
            var shape = port.shape ?? []
            if case .array(let array) = feature.kind, !array.shape.isEmpty { shape = array.openShape }
            self.init(port: port, image: nil, shape: shape, stated: stated)
            return
        }
        guard type.colours != .greyHalf else {
            throw MLModelError(
                .generic,
                "The output “\(feature.name)” is an image of half floats, which are not written. Describe it as an "
                    + "array."
            )
        }
        let format = type.colours == .grey ? kCVPixelFormatType_OneComponent8 : kCVPixelFormatType_32BGRA
        let image = ImageOutput(
            name: feature.name, format: format, channelsLast: false, isBlueFirst: type.colours == .bgr,
            scale: SIMD3(repeating: 1), bias: .zero)
        self.init(
            port: port, image: image, shape: [1, type.channels, type.height, type.width], stated: stated)
    }

    /// The feature that the elements of the network's output are, in the type that the description states.
    func feature(of view: TensorView) throws -> MLFeatureValue {
        switch stated?.type {
        case .double? where view.elementCount > 0: return MLFeatureValue(double: view.number(at: 0))
        case .int64? where view.elementCount > 0:
            let number = view.number(at: 0)
            return MLFeatureValue(int64: number.isNaN ? 0 : Int64(max(-0x1p62, min(0x1p62, number))))
        default:
            return MLFeatureValue(multiArray: try view.multiArray(of: stated?.multiArrayConstraint?.dataType))
        }
    }
}

extension ModelMetadata {
    /// What is known of a model beside its Core ML file's description: from the JSON file beside it, else from the
    /// properties that exporters write.
    static func beside(_ url: URL?, _ description: CoreMLDescription) throws -> ModelMetadata {
        var metadata = try find(besideModelAt: url, properties: description.userDefined)
        if metadata.labels == nil, let classes = description.userDefined["classes"] {
            metadata.labels = classes.split(separator: ",").map { String($0) }
        }
        // Everything else is stated by the file.
        metadata.description = description.shortDescription.isEmpty ? nil : description.shortDescription
        metadata.author = description.author.isEmpty ? nil : description.author
        metadata.license = description.license.isEmpty ? nil : description.license
        metadata.version = description.versionString.isEmpty ? nil : description.versionString
        metadata.userDefined = description.userDefined
        return metadata
    }
}
