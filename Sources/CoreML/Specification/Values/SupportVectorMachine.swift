import VisionInference

/// A support vector machine as LIBSVM trains it (SVM.proto).
struct SupportVectorMachine: ValueModel {
    private enum Kernel {
        case linear
        case radial(gamma: Double)
        case polynomial(degree: Int, c: Double, gamma: Double)
        case sigmoid(gamma: Double, c: Double)

        init(_ message: ProtobufMessage?) throws {
            guard let message, let number = message.first(in: 1...4), let kernel = try message.message(number) else {
                throw ModelError.damaged("a support vector machine without a kernel")
            }
            switch number {
            case 1: self = .linear
            case 2: self = .radial(gamma: try kernel.double(1))
            case 3: self = .polynomial(degree: try kernel.int(1), c: try kernel.double(2), gamma: try kernel.double(3))
            default: self = .sigmoid(gamma: try kernel.double(1), c: try kernel.double(2))
            }
        }

        func callAsFunction(_ a: [Double], _ b: [Double]) -> Double {
            func dot() -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
            switch self {
            case .linear: return dot()
            case .radial(let gamma):
                return exp(-gamma * zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) })
            case .polynomial(let degree, let c, let gamma): return pow(gamma * dot() + c, Double(degree))
            case .sigmoid(let gamma, let c): return tanh(gamma * dot() + c)
            }
        }
    }

    private let reader: ValueReader
    private let kernel: Kernel
    private let vectors: [[Double]]
    private let coefficients: [[Double]]
    private let rho: [Double]
    private let probA: [Double]
    private let probB: [Double]
    private let counts: [Int]
    /// nil for a regressor.
    private let labels: CoreMLClassLabels?

    init(_ content: ProtobufMessage, _ description: CoreMLDescription, isClassifier: Bool) throws {
        reader = ValueReader(description: description)
        kernel = try Kernel(content.message(1))
        let first = isClassifier ? 3 : 2
        vectors = try Self.vectors(content.message(first), content.message(first + 1))
        if isClassifier {
            labels = try CoreMLClassLabels(content)
            counts = try content.ints(2)
            coefficients = try content.messages(5).map { try $0.doubles(1) }
            rho = try content.doubles(6)
            probA = try content.doubles(7)
            probB = try content.doubles(8)
        } else {
            labels = nil
            counts = []
            coefficients = [try content.message(4)?.doubles(1) ?? []]
            rho = [try content.double(5)]
            (probA, probB) = ([], [])
        }
        guard coefficients.allSatisfy({ $0.count == vectors.count }), !vectors.isEmpty else {
            throw ModelError.damaged("\(vectors.count) support vectors, and other numbers of coefficients")
        }
        guard let labels else { return }
        let classes = labels.count
        guard (2...1 << 12).contains(classes) else { throw ModelError.damaged("a classifier of \(classes) labels") }
        let pairs = classes * (classes - 1) / 2
        guard counts.count == classes, counts.allSatisfy({ (0...vectors.count).contains($0) }),
            counts.reduce(0, +) == vectors.count, coefficients.count == classes - 1, rho.count == pairs,
            probA.count == probB.count, probA.isEmpty || probA.count == pairs
        else { throw ModelError.damaged("the tables of a support vector machine do not fit \(classes) labels") }
    }

    private static func vectors(_ sparse: ProtobufMessage?, _ dense: ProtobufMessage?) throws -> [[Double]] {
        if let dense { return try padded(dense.messages(1).map { try $0.doubles(1) }) }
        guard let sparse else { throw ModelError.damaged("there are no support vectors") }
        let vectors = try sparse.messages(1).map { message in
            // Indices begin at 1.
            try message.messages(1).map { (index: try $0.int(1) - 1, value: try $0.double(2)) }
        }
        let count = (vectors.flatMap { $0.map(\.index) }.max() ?? -1) + 1
        guard vectors.allSatisfy({ $0.allSatisfy { $0.index >= 0 } }), count <= 1 << 20,
            count * vectors.count <= ModelLimits.tensorBytes / 8
        else { throw ModelError.damaged("a support vector has an index that is no feature's") }
        return vectors.map { entries in
            var vector = [Double](repeating: 0, count: count)
            for (index, value) in entries { vector[index] = value }
            return vector
        }
    }

    private static func padded(_ vectors: [[Double]]) throws -> [[Double]] {
        guard Set(vectors.map(\.count)).count == 1 else {
            throw ModelError.damaged("support vectors of several lengths")
        }
        return vectors
    }

    func outputs(of features: [String: MLFeatureValue]) throws -> [String: MLFeatureValue] {
        var vector = try reader.vector(features, count: vectors[0].count)
        let missing = vector.count - vectors[0].count
        // What no support vector has still counts in a distance.
        let rest = missing > 0 ? Array(vector.suffix(missing)) : []
        let values = vectors.map { kernel($0 + rest.map { _ in 0 }, vector) }
        vector = []
        guard let labels else {
            let sum = zip(coefficients[0], values).reduce(-rho[0]) { $0 + $1.0 * $1.1 }
            return try reader.outputs([sum], named: reader.description.predictedFeatureName)
        }
        let decisions = decisions(values)
        var votes = [Double](repeating: 0, count: labels.count)
        for (pair, decision) in zip(Self.pairs(labels.count), decisions) {
            votes[decision > 0 ? pair.0 : pair.1] += 1
        }
        let best = votes.indices.reduce(0) { votes[$1] > votes[$0] ? $1 : $0 }
        let probabilities =
            probA.isEmpty ? votes.indices.map { $0 == best ? 1 : 0 } : coupled(decisions, labels.count)
        return try reader.classified(probabilities, labels, best: best)
    }

    private static func pairs(_ count: Int) -> [(Int, Int)] {
        (0..<count).flatMap { first in (first + 1..<count).map { (first, $0) } }
    }

    /// Which of each pair of classes wins: the first above 0.
    private func decisions(_ values: [Double]) -> [Double] {
        var starts = [0]
        for count in counts { starts.append(starts[starts.count - 1] + count) }
        return zip(Self.pairs(counts.count), rho).map { pair, rho in
            let (i, j) = pair
            var sum = -rho
            for index in starts[i]..<starts[i + 1] { sum += coefficients[j - 1][index] * values[index] }
            for index in starts[j]..<starts[j + 1] { sum += coefficients[i][index] * values[index] }
            return sum
        }
    }

    /// Probabilities of all classes from those of each pair: Wu, Lin, Weng, "Probability estimates for multi-class
    /// classification by pairwise coupling", 2004, the second method.
    private func coupled(_ decisions: [Double], _ count: Int) -> [Double] {
        let least = 1e-7
        var pairwise = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
        for (index, pair) in Self.pairs(count).enumerated() {
            let value = Probabilities.logistic(-(probA[index] * decisions[index] + probB[index]))
            pairwise[pair.0][pair.1] = min(max(value, least), 1 - least)
            pairwise[pair.1][pair.0] = 1 - pairwise[pair.0][pair.1]
        }
        var matrix = pairwise
        for t in 0..<count {
            matrix[t][t] = 0
            for j in 0..<count where j != t {
                matrix[t][t] += pairwise[j][t] * pairwise[j][t]
                matrix[t][j] = -pairwise[j][t] * pairwise[t][j]
            }
        }
        var result = [Double](repeating: 1 / Double(count), count: count)
        for _ in 0..<max(100, count) {
            var products = matrix.map { row in zip(row, result).reduce(0) { $0 + $1.0 * $1.1 } }
            var square = zip(result, products).reduce(0) { $0 + $1.0 * $1.1 }
            let error = products.map { abs($0 - square) }.max() ?? 0
            if error < 0.005 / Double(count) { break }
            for t in 0..<count {
                let change = (square - products[t]) / matrix[t][t]
                result[t] += change
                square = (square + change * (change * matrix[t][t] + 2 * products[t])) / (1 + change) / (1 + change)
                for j in 0..<count {
                    products[j] = (products[j] + change * matrix[t][j]) / (1 + change)
                    result[j] /= 1 + change
                }
            }
        }
        return result
    }
}
