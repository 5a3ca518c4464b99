package import NetworkMetadata
import VisionInference

/// The inputs and outputs of a network, derived from its file and its metadata.
package struct ModelInterface: Sendable {
    struct Input: Sendable {
        enum Kind: Sendable {
            case image(ImageInput)
            case array
            case number
            case integer
            /// What only models that are no networks take: text, dictionaries, sequences.
            case value(MLFeatureDescription)
        }

        let port: Graph.Port
        let kind: Kind
        /// The default value.
        let defaultValue: Double?
        /// nil for an axis of any length.
        let shape: [Int?]
        /// Of an array that may have several shapes.
        var rule: ShapeRule?
        /// The shape of such an array in the file's description, which a value that is left out has.
        var usualShape: [Int]?
        /// Of a file that says more of it than the network: the description.
        var stated: MLFeatureDescription?
    }

    struct Output: Sendable {
        let port: Graph.Port
        /// nil for an array.
        let image: ImageOutput?
        /// nil for an axis of any length; empty if nothing is known.
        let shape: [Int?]
        /// Of a file that says what it is: an array of another type, a number.
        var stated: MLFeatureDescription?
    }

    /// How the scores of a classifier are mapped to labels.
    package struct Classifier: Sendable {
        let scores: String
        let function: ModelMetadata.ScoreFunction
        let labelName: String
        /// Empty: the probabilities are no output.
        let probabilitiesName: String
        package let labels: [String]
        /// Labels are whole numbers in features.
        var areIntegers = false
        /// The scores are an output too.
        var givesScores = false

        func label(_ text: String) -> MLFeatureValue {
            areIntegers ? MLFeatureValue(int64: Int64(text) ?? 0) : MLFeatureValue(string: text)
        }

        func key(_ text: String) -> AnyHashable { areIntegers ? AnyHashable(Int64(text) ?? 0) : AnyHashable(text) }
    }

    let inputs: [Input]
    let outputs: [Output]
    package let classifier: Classifier?
    package let labels: [String]?
    package let detector: DetectorSettings
    /// Whether it is a detector of which nothing says in which order and range it wants the colours of the image.
    package private(set) var assumesColours = false

    init(
        inputs: [Input], outputs: [Output], classifier: Classifier?, labels: [String]?, detector: DetectorSettings
    ) {
        self.inputs = inputs
        self.outputs = outputs
        self.classifier = classifier
        self.labels = labels
        self.detector = detector
    }

    /// - Parameter stated: The inputs, if they are not those of the session but of a preceding network.
    /// - Throws: `MLModelError.generic` if the metadata does not match the network.
    init(session: Session, metadata: ModelMetadata, inputs stated: [Input]? = nil) throws {
        let ports = session.inputs
        let names = stated?.map(\.port.name) ?? ports.map(\.name)
        try Self.check(metadata.inputs.keys, against: names, "inputs", "input")
        try Self.check(metadata.outputs.keys, against: session.outputs.map(\.name), "outputs", "output")
        var inputs =
            try stated
            ?? ports.map { port in
                try Input(port: port, isOnlyOne: ports.count == 1, metadata: metadata.inputs[port.name])
            }
        let described = Self.outputShapes(
            of: session, inputs: stated == nil ? inputs.map { ($0.port, $0.shape) } : ports.map { ($0, $0.shape ?? []) }
        )
        let outputs = try zip(session.outputs, described).map { port, shape in
            try Output(port: port, shape: shape, metadata: metadata.outputs[port.name])
        }
        if stated == nil, inputs.count == 1, case .image(let image) = inputs[0].kind {
            let feature = metadata.inputs[image.name]
            let kind = Self.recognition(metadata, inputs, outputs).kind()
            if let family = ModelFamily(session, input: ports[0], detector: kind) {
                inputs = [
                    try Input(port: ports[0], isOnlyOne: true, metadata: family.completing(feature))
                ]
            } else {
                assumesColours = kind != nil && feature?.statesNothingOfColours ?? true
            }
        }
        self.inputs = inputs
        self.outputs = outputs
        labels = metadata.labels
        detector = metadata.detector
        classifier = try Self.classifier(metadata, inputs, outputs)
        try Self.check(
            [detector.boxes, detector.scores, detector.classes, detector.indices].compactMap { $0 },
            against: outputs.map(\.port.name),
            "detector", "output")
    }

    private static func check(
        _ names: some Collection<String>, against known: [String], _ path: String, _ what: String
    ) throws {
        guard let unknown = names.filter({ !known.contains($0) }).min() else { return }
        throw MLModelError(
            .generic,
            "The metadata names the \(what) “\(unknown)” under “\(path)”, which the model does not have. It has: "
                + known.joined(separator: ", ") + ".")
    }

    /// Returns the shapes of the outputs for the known sizes of the inputs; those in the file if some are unknown.
    private static func outputShapes(of session: Session, inputs: [(port: Graph.Port, shape: [Int?])]) -> [[Int?]] {
        let declared = session.outputs.map { $0.shape ?? [] }
        let shapes = inputs.compactMap { input -> [Int]? in
            let lengths = input.shape.compactMap { $0 }
            return lengths.count == input.shape.count && input.port.shape != nil ? lengths : nil
        }
        guard shapes.count == inputs.count, let found = try? session.outputDescriptions(for: shapes) else {
            return declared
        }
        return zip(declared, found).map { $1?.shape.map { $0 } ?? $0 }
    }

    private static func classifier(
        _ metadata: ModelMetadata, _ inputs: [Input], _ outputs: [Output]
    ) throws -> Classifier? {
        guard let labels = metadata.labels else {
            if metadata.classifier == nil { return nil }
            throw MLModelError(.generic, "The metadata describes a classifier and gives no “labels”.")
        }
        let wanted = metadata.classifier ?? ModelMetadata.Classifier()
        let arrays = outputs.filter { $0.image == nil }.map { ($0.port.name, $0.shape) }
        let name = metadata.scores(among: arrays, recognition(metadata, inputs, outputs))
        guard let scores = outputs.first(where: { $0.port.name == name }) else {
            if metadata.classifier == nil { return nil }
            throw MLModelError(
                .generic,
                "The metadata describes a classifier of \(labels.count) labels; name the output with as many values as "
                    + "“scores”.")
        }
        let taken = outputs.map(\.port.name).filter { $0 != scores.port.name }
        for name in [wanted.predictedFeatureName, wanted.predictedProbabilitiesName] where taken.contains(name) {
            throw MLModelError(
                .generic, "The model has an output “\(name)” already: give the classifier's another name.")
        }
        return Classifier(
            scores: scores.port.name, function: wanted.function, labelName: wanted.predictedFeatureName,
            probabilitiesName: wanted.predictedProbabilitiesName, labels: labels)
    }

    private static func recognition(
        _ metadata: ModelMetadata, _ inputs: [Input], _ outputs: [Output]
    ) -> DetectorRecognition {
        let image = inputs.compactMap { if case .image(let image) = $0.kind { image } else { nil } }.first
        return DetectorRecognition(
            outputs: outputs.filter { $0.image == nil }.map { ($0.port.name, $0.shape.map { $0 ?? 0 }) },
            inputWidth: image?.width ?? 1, inputHeight: image?.height ?? 1, labelCount: metadata.labels?.count,
            settings: metadata.detector)
    }

    // MARK: - Images

    /// The image inputs, in the order of the network.
    package var imageInputs: [ImageInput] {
        inputs.compactMap { input in
            if case .image(let image) = input.kind { image } else { nil }
        }
    }

    /// Returns whether an output is an image.
    package var hasImageOutput: Bool { outputs.contains { $0.image != nil } }

    func description(metadata: ModelMetadata) -> MLModelDescription {
        var entries: [MLModelMetadataKey: Any] = [:]
        entries[.description] = metadata.description
        entries[.author] = metadata.author
        entries[.license] = metadata.license
        entries[.versionString] = metadata.version
        if !metadata.userDefined.isEmpty { entries[.creatorDefinedKey] = metadata.userDefined }
        return MLModelDescription(
            inputs: inputDescriptions, outputs: outputDescriptions, predictedFeatureName: classifier?.labelName,
            predictedProbabilitiesName: classifier.flatMap {
                $0.probabilitiesName.isEmpty ? nil : $0.probabilitiesName
            },
            metadata: entries,
            classLabels: classifier?.areIntegers == true ? labels?.map { NSNumber(value: Int64($0) ?? 0) } : labels)
    }

    /// The inputs of the model, in the order of the network.
    package var inputDescriptions: [MLFeatureDescription] { inputs.map(\.description) }

    /// The outputs of the model, in the order of the network, then those of a classifier.
    package var outputDescriptions: [MLFeatureDescription] {
        var described = outputs.filter { !isHidden($0) }.map(\.description)
        if let classifier {
            let type: MLFeatureType = classifier.areIntegers ? .int64 : .string
            described.append(MLFeatureDescription(name: classifier.labelName, type: type))
            if !classifier.probabilitiesName.isEmpty {
                described.append(
                    MLFeatureDescription(
                        name: classifier.probabilitiesName, type: .dictionary,
                        constraint: .dictionary(MLDictionaryConstraint(keyType: type))))
            }
        }
        return described
    }

    /// Whether an output of the network is one of the model only as labels and their probabilities.
    func isHidden(_ output: Output) -> Bool {
        output.port.name == classifier?.scores && classifier?.givesScores != true
    }
}

extension ModelInterface.Output {
    init(port: Graph.Port, shape: [Int?], metadata: ModelMetadata.Feature?) throws {
        self.port = port
        self.shape = shape
        guard metadata?.kind == .image, let metadata else {
            image = nil
            return
        }
        let format: OSType =
            switch metadata.outputFormat(of: shape) {
            case .bgra: kCVPixelFormatType_32BGRA
            case .grey: kCVPixelFormatType_OneComponent8
            case .greyFloat: kCVPixelFormatType_OneComponent32Float
            }
        let isUnit = port.type.isFloat && format != kCVPixelFormatType_OneComponent32Float
        image = ImageOutput(
            name: port.name, format: format, channelsLast: metadata.layout.map { $0 == .channelsLast },
            isBlueFirst: metadata.colourOrder == .bgr, scale: metadata.scale ?? SIMD3(repeating: isUnit ? 255 : 1),
            bias: metadata.bias ?? .zero)
    }

    var description: MLFeatureDescription {
        if let stated { return stated }
        if let image {
            let sides = ModelMetadata.outputSides(of: shape, channelsLast: image.channelsLast)
            return MLFeatureDescription(
                name: port.name, type: .image,
                constraint: .image(
                    MLImageConstraint(width: sides.width, height: sides.height, pixelFormatType: image.format)))
        }
        return MLFeatureDescription(
            name: port.name, type: .multiArray,
            constraint: .multiArray(
                MLMultiArrayConstraint(lengths: shape, dataType: MLMultiArrayDataType(port.type))))
    }
}
