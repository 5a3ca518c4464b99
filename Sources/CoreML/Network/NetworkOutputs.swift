import VisionImage
import VisionInference
package import VisionModels

/// The outputs of one run of a network.
package struct NetworkOutputs: Sendable {
    private enum Value: Sendable {
        case image(CVPixelBuffer)
        case array(MLMultiArray)
    }

    private let interface: ModelInterface
    private let values: [Value]
    /// The scores of a classifier, in the order of its labels.
    private let scores: [Float]

    init(interface: ModelInterface, views: [TensorView]) throws {
        self.interface = interface
        var scores: [Float] = []
        values = try zip(interface.outputs, views).map { output, view in
            if output.port.name == interface.classifier?.scores { scores = view.floats }
            if let image = output.image { return .image(try image.pixelBuffer(of: view)) }
            return .array(try view.multiArray())
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

    /// Returns the outputs by the names of the model's description, in the order of the network.
    package func orderedFeatures() -> [(name: String, value: MLFeatureValue)] {
        var features: [(name: String, value: MLFeatureValue)] = []
        for (output, value) in zip(interface.outputs, values) where output.port.name != interface.classifier?.scores {
            switch value {
            case .image(let buffer): features.append((output.port.name, MLFeatureValue(pixelBuffer: buffer)))
            case .array(let array): features.append((output.port.name, MLFeatureValue(multiArray: array)))
            }
        }
        if let classifier = interface.classifier, let best = classifications().first {
            let pairs = zip(classifier.labels, scores).map { (AnyHashable($0), NSNumber(value: Double($1))) }
            features.append((classifier.labelName, MLFeatureValue(string: best.label)))
            features.append(
                (
                    classifier.probabilitiesName,
                    MLFeatureValue(.dictionary(Dictionary(pairs) { max($0.doubleValue, $1.doubleValue) as NSNumber }))
                ))
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
