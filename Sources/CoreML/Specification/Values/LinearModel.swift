import VisionInference

/// A generalised linear model: a regressor (GLMRegressor.proto) or a classifier (GLMClassifier.proto).
struct LinearModel: ValueModel {
    private enum Transform: Int { case none, logit, probit }

    private let reader: ValueReader
    private let weights: [[Double]]
    private let offsets: [Double]
    private let transform: Transform
    /// nil for a regressor.
    private let labels: CoreMLClassLabels?
    private let isOneVersusRest: Bool

    init(_ content: ProtobufMessage, _ description: CoreMLDescription, isClassifier: Bool) throws {
        reader = ValueReader(description: description)
        weights = try content.messages(1).map { try $0.doubles(1) }
        offsets = try content.doubles(2)
        let number = try content.int(3)
        guard let transform = Transform(rawValue: isClassifier ? number + 1 : number) else {
            throw ModelError.invalid("the transform \(number)")
        }
        self.transform = transform
        labels = isClassifier ? try CoreMLClassLabels(content) : nil
        isOneVersusRest = try isClassifier && content.int(4) == 1
        let count = weights.first?.count ?? 0
        guard !weights.isEmpty, weights.allSatisfy({ $0.count == count }),
            offsets.isEmpty || offsets.count == weights.count
        else { throw ModelError.damaged("\(weights.count) rows of weights and \(offsets.count) offsets") }
        if isClassifier {
            guard let labels, labels.count >= 2 else {
                throw ModelError.damaged("a classifier of fewer than two labels")
            }
            let isBinary = labels.count == 2 && weights.count == 1
            guard isBinary || weights.count == (isOneVersusRest ? labels.count : labels.count - 1) else {
                throw ModelError.damaged("\(weights.count) rows of weights for \(labels.count) labels")
            }
            if transform == .probit, !isBinary { throw ModelError.unsupported("probit of more than two classes") }
        }
    }

    func outputs(of features: [String: MLFeatureValue]) throws -> [String: MLFeatureValue] {
        let vector = try reader.vector(features, count: weights[0].count)
        let sums = weights.indices.map { row in
            zip(weights[row], vector).reduce(offsets.isEmpty ? 0 : offsets[row]) { $0 + $1.0 * $1.1 }
        }
        guard let labels else {
            return try reader.outputs(sums.map(transformed), named: reader.description.predictedFeatureName)
        }
        return try reader.classified(probabilities(sums, labels.count), labels)
    }

    private func probabilities(_ sums: [Double], _ count: Int) -> [Double] {
        if sums.count == 1, count == 2 {
            let second = transformed(sums[0])
            return [1 - second, second]
        }
        if !isOneVersusRest {
            // The first class is what the others are compared with.
            return Probabilities.softmax([0] + sums)
        }
        let shares = sums.map(transformed)
        let total = shares.reduce(0, +)
        return total > 0 ? shares.map { $0 / total } : shares.map { _ in 1 / Double(count) }
    }

    private func transformed(_ sum: Double) -> Double {
        switch transform {
        case .none: sum
        case .logit: Probabilities.logistic(sum)
        case .probit: erfc(-sum / 2.0.squareRoot()) / 2
        }
    }
}

/// Functions that make probabilities of scores.
enum Probabilities {
    static func logistic(_ x: Double) -> Double { x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x)) }

    static func softmax(_ scores: [Double]) -> [Double] {
        let largest = scores.max() ?? 0
        let powers = scores.map { exp($0 - largest) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }
}
