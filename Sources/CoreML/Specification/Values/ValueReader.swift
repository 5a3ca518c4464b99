import VisionInference

/// Reads the inputs of models that are no networks, and writes their outputs, as the file's description has them.
struct ValueReader: Sendable {
    let description: CoreMLDescription

    /// The value of a feature.
    ///
    /// - Throws: `MLModelError.featureType` when there is none.
    func value(_ name: String, _ features: [String: MLFeatureValue]) throws -> MLFeatureValue {
        guard let value = features[name], !value.isUndefined else {
            let kind = description.inputs.first { $0.name == name }.map { "\(MLFeatureDescription($0))" }
            throw MLModelError(.featureType, "The input “\(name)” is missing. It is: \(kind ?? name).")
        }
        return value
    }

    /// The only input of a model that takes one.
    func only(_ features: [String: MLFeatureValue]) throws -> MLFeatureValue {
        guard let first = description.inputs.first else { throw MLModelError(.generic, "The model has no input.") }
        return try value(first.name, features)
    }

    /// All inputs as one vector, in the order of the description.
    ///
    /// - Parameter count: how many numbers the model takes, for dictionaries, which may leave numbers out.
    func vector(_ features: [String: MLFeatureValue], count: Int) throws -> [Double] {
        let parts = try description.inputs.map {
            try Self.numbers(value($0.name, features), named: $0.name, count: count)
        }
        let vector = parts.count == 1 ? parts[0] : parts.flatMap { $0 }
        guard vector.count >= count else {
            throw MLModelError(.featureType, "The model takes \(count) numbers; its inputs have \(vector.count).")
        }
        return vector
    }

    /// The numbers of a feature; those of a dictionary by their indices.
    static func numbers(_ value: MLFeatureValue, named name: String, count: Int) throws -> [Double] {
        switch value.content {
        case .double(let number): return [number]
        case .int64(let number): return [Double(number)]
        case .multiArray(let array): return array.doubles
        case .dictionary(let entries):
            var numbers = [Double](repeating: 0, count: count)
            for (key, number) in entries {
                guard let index = (key.base as? any BinaryInteger).map({ Int(clamping: $0) }),
                    numbers.indices.contains(index)
                else { throw MLModelError(.featureType, "The input “\(name)” has the key \(key), which is no index.") }
                numbers[index] = number.doubleValue
            }
            return numbers
        default:
            throw MLModelError(.featureType, "The input “\(name)” must be numbers, not \(value.type).")
        }
    }

    /// Numbers in the form of a described output: a number, an array, or a dictionary from indices.
    func outputs(_ numbers: [Double], named name: String? = nil) throws -> [String: MLFeatureValue] {
        guard let output = description.outputs.first(where: { name == nil || $0.name == name }) else {
            throw MLModelError(.generic, "The model has no output.")
        }
        switch output.kind {
        case .double: return [output.name: MLFeatureValue(double: numbers.first ?? 0)]
        case .int64: return [output.name: MLFeatureValue(int64: Int64(numbers.first ?? 0, limited: ()))]
        case .array(let type):
            let array = try MLMultiArray(lengths: [numbers.count], dataType: type.dataType)
            array.fill(numbers)
            return [output.name: MLFeatureValue(multiArray: array)]
        case .dictionary(stringKeys: false):
            // A sparse vector: what is not zero, by its index.
            var entries: [AnyHashable: NSNumber] = [:]
            for (index, number) in numbers.enumerated() where number != 0 {
                entries[AnyHashable(Int64(index))] = NSNumber(value: number)
            }
            return [output.name: MLFeatureValue(.dictionary(entries))]
        default:
            throw MLModelError(.generic, "The output “\(output.name)” of a model that makes numbers is \(output.kind).")
        }
    }

    /// A label and the probabilities of all.
    ///
    /// - Parameter best: the index of the label; nil: the most probable one, of equal ones the first.
    func classified(
        _ probabilities: [Double], _ labels: CoreMLClassLabels, best: Int? = nil
    ) throws -> [String: MLFeatureValue] {
        guard probabilities.count == labels.count, labels.count > 0 else {
            throw MLModelError(
                .generic, "The classifier has \(probabilities.count) probabilities for \(labels.count) labels.")
        }
        let best = best ?? probabilities.indices.reduce(0) { probabilities[$1] > probabilities[$0] ? $1 : $0 }
        var outputs: [String: MLFeatureValue] = [:]
        let numbers = probabilities.map { NSNumber(value: $0) }
        let pairs: [(AnyHashable, NSNumber)]
        switch labels {
        case .strings(let texts):
            outputs[description.predictedFeatureName] = MLFeatureValue(string: texts[best])
            pairs = zip(texts, numbers).map { (AnyHashable($0), $1) }
        case .integers(let values):
            outputs[description.predictedFeatureName] = MLFeatureValue(int64: Int64(values[best]))
            pairs = zip(values, numbers).map { (AnyHashable(Int64($0)), $1) }
        }
        if !description.predictedProbabilitiesName.isEmpty {
            let dictionary = Dictionary(pairs) { first, _ in first }
            outputs[description.predictedProbabilitiesName] = MLFeatureValue(.dictionary(dictionary))
        }
        return outputs
    }
}

extension MLMultiArray {
    /// All elements in row-major order.
    var doubles: [Double] { (0..<count).map { self[$0].doubleValue } }

    /// Writes as many elements as there are numbers.
    func fill(_ numbers: [Double]) {
        for (index, number) in numbers.enumerated() where index < count {
            self[index] =
                dataType == .int32
                ? NSNumber(value: Int32(number.isNaN ? 0 : max(-0x1p31, min(0x1p31 - 1, number))))
                : NSNumber(value: number)
        }
    }
}

extension Int64 {
    /// The whole part of a number, within the range of the type; 0 of what is no number.
    init(_ number: Double, limited: Void) {
        self = number.isNaN ? 0 : Int64(Swift.max(-0x1p62, Swift.min(0x1p62, number)))
    }
}
