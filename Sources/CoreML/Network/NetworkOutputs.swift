import NetworkMetadata
import VisionImage
import VisionInference
package import VisionModels

/// The outputs of one run of a network.
package struct NetworkOutputs: Sendable {
    private enum Value: Sendable {
        case image(CVPixelBuffer)
        case array(MLMultiArray)
        /// What is neither: numbers, text, dictionaries.
        case feature(MLFeatureValue)

        init(_ value: MLFeatureValue) {
            switch value.content {
            case .image(let buffer): self = .image(buffer)
            case .multiArray(let array): self = .array(array)
            default: self = .feature(value)
            }
        }

        var feature: MLFeatureValue {
            switch self {
            case .image(let buffer): MLFeatureValue(pixelBuffer: buffer)
            case .array(let array): MLFeatureValue(multiArray: array)
            case .feature(let value): value
            }
        }
    }

    private let interface: ModelInterface
    private let values: [Value]
    /// Label and probabilities that are features already.
    private var classified: [String: MLFeatureValue]?
    /// The scores of a classifier, in the order of its labels.
    private let scores: [Float]

    init(interface: ModelInterface, views: [TensorView]) throws {
        self.interface = interface
        var scores: [Float] = []
        values = try zip(interface.outputs, views).map { output, view in
            if output.port.name == interface.classifier?.scores { scores = view.floats }
            if let image = output.image { return .image(try image.pixelBuffer(of: view)) }
            return Value(try output.feature(of: view))
        }
        if let classifier = interface.classifier {
            guard scores.count == classifier.labels.count else {
                throw MLModelError(
                    .generic, "The classifier gave \(scores.count) scores for \(classifier.labels.count) labels.")
            }
            self.scores = classifier.function.applied(to: scores)
        } else {
            self.scores = []
        }
    }

    /// Outputs that are features already: those of a model that is no network.
    ///
    /// - Throws: `MLModelError.generic` if one of the model's outputs is not among them.
    init(interface: ModelInterface, features: [String: MLFeatureValue]) throws {
        func feature(_ name: String) throws -> MLFeatureValue {
            guard let value = features[name] else {
                throw MLModelError(.generic, "The model did not make its output “\(name)”.")
            }
            return value
        }
        self.interface = interface
        values = try interface.outputs.map { Value(try feature($0.port.name)) }
        guard let classifier = interface.classifier else {
            scores = []
            return
        }
        let label = try feature(classifier.labelName)
        guard !classifier.probabilitiesName.isEmpty else {
            // Of a model that gives a label only, that label is certain.
            scores = classifier.labels.map { $0 == label.description ? 1 : 0 }
            classified = [classifier.labelName: label]
            return
        }
        let probabilities = try feature(classifier.probabilitiesName)
        let byLabel = probabilities.dictionaryValue
        scores = classifier.labels.map { byLabel[classifier.key($0)]?.floatValue ?? 0 }
        classified = [classifier.labelName: label, classifier.probabilitiesName: probabilities]
    }

    /// Returns the outputs by the names of the model's description, in the order of the network.
    package func orderedFeatures() -> [(name: String, value: MLFeatureValue)] {
        var features: [(name: String, value: MLFeatureValue)] = []
        for (output, value) in zip(interface.outputs, values) where !interface.isHidden(output) {
            features.append((output.port.name, value.feature))
        }
        guard let classifier = interface.classifier else { return features }
        if let classified {
            for name in [classifier.labelName, classifier.probabilitiesName] {
                if let value = classified[name] { features.append((name, value)) }
            }
        } else if let best = classifications().first {
            let pairs = zip(classifier.labels, scores).map { (classifier.key($0), NSNumber(value: Double($1))) }
            features.append((classifier.labelName, classifier.label(best.label)))
            if !classifier.probabilitiesName.isEmpty {
                let probabilities = Dictionary(pairs) { max($0.doubleValue, $1.doubleValue) as NSNumber }
                features.append((classifier.probabilitiesName, MLFeatureValue(.dictionary(probabilities))))
            }
        }
        return features
    }

    func features() -> [String: MLFeatureValue] {
        Dictionary(orderedFeatures().map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The labels of a classifier with their scores, highest first; equal ones in the order of the labels. Empty for
    /// other models.
    package func classifications() -> [(label: String, score: Float)] {
        guard let labels = interface.classifier?.labels else { return [] }
        return zip(labels, scores).stablySorted { $0.1 > $1.1 }.map { (label: $0.0, score: $0.1) }
    }

    /// The image outputs.
    package func images() -> [(name: String, buffer: CVPixelBuffer)] {
        zip(interface.outputs, values).compactMap { output, value in
            if case .image(let buffer) = value { (output.port.name, buffer) } else { nil }
        }
    }

    /// The array outputs: names and shapes.
    package var arrayShapes: [(name: String, shape: [Int])] {
        zip(interface.outputs, values).compactMap { output, value in
            if case .array(let array) = value { (output.port.name, array.layout.shape) } else { nil }
        }
    }

    /// Returns the elements of an array output.
    ///
    /// - Throws: `MLModelError.generic` if there is no such output.
    package func floats(of name: String) throws -> [Float] {
        for (output, value) in zip(interface.outputs, values) where output.port.name == name {
            if case .array(let array) = value { return array.floats }
        }
        throw MLModelError(.generic, "The model has no output “\(name)” that is an array.")
    }

    /// The array outputs in the form that a detector reads.
    package func detectorOutputs() -> [DetectorOutput] {
        zip(interface.outputs, values).compactMap { output, value in
            guard case .array(let array) = value else { return nil }
            return DetectorOutput(name: output.port.name, shape: array.layout.shape, values: array.floats)
        }
    }
}

extension MLMultiArray {
    /// Returns all elements in row-major order.
    fileprivate var floats: [Float] {
        if dataType == .float32, layout.isContiguous {
            return withUnsafeBufferPointer(ofType: Float.self) { Array($0) }
        }
        return (0..<count).map { self[$0].floatValue }
    }
}

extension ModelMetadata.ScoreFunction {
    fileprivate func applied(to scores: [Float]) -> [Float] {
        switch self {
        case .none: return scores
        case .sigmoid: return scores.map { 1 / (1 + exp(-$0)) }
        case .softmax:
            let largest = scores.max() ?? 0
            let powers = scores.map { exp($0 - largest) }
            let sum = powers.reduce(0, +)
            return sum > 0 ? powers.map { $0 / sum } : scores
        }
    }
}
