import VisionThreads

/// The objective of multinomial logistic regression: the mean of −log(probability of a sample's own
/// class), plus half the penalty times the sum of the squared weights. The offsets of the classes are not penalised.
///
/// The parameters are one array: weights feature by feature, the classes of a feature beside each other, then the
/// offsets.
struct SoftmaxObjective {
    let samples: Int
    let features: Int
    let classes: Int
    var penalty: Double
    /// Sample by sample.
    private let rows: [Float]
    /// Feature by feature, the samples in blocks: sums over samples are made block by block, so that they are exact
    /// enough and fit into the cache.
    private let blocks: [(range: Range<Int>, columns: [Float])]
    private let labels: [Int]
    private let products: Products

    private static let blockSize = 2048
    /// The lowest probability, so that the logarithm is finite.
    private static let leastProbability: Float = 1e-30

    var parameterCount: Int { (features + 1) * classes }

    init(rows: [Float], features: Int, labels: [Int], classes: Int, penalty: Double, workers: Workers) {
        precondition(rows.count == features * labels.count && labels.allSatisfy { (0..<classes).contains($0) })
        samples = labels.count
        self.features = features
        self.classes = classes
        self.penalty = penalty
        self.rows = rows
        self.labels = labels
        products = Products(workers: workers)
        blocks = stride(from: 0, to: labels.count, by: Self.blockSize).map { start in
            let range = start..<min(start + Self.blockSize, labels.count)
            let part = Array(rows[range.lowerBound * features..<range.upperBound * features])
            return (range, Products.transposed(part, rows: range.count, columns: features))
        }
    }

    /// The probabilities of the classes for every sample.
    func probabilities(_ parameters: [Float]) -> [Float] {
        var scores = [Float](repeating: 0, count: samples * classes)
        products.multiply(rows, parameters, rows: samples, inner: features, columns: classes, into: &scores)
        let offsets = Array(parameters[(features * classes)...])
        scores.withUnsafeMutableBufferPointer { scores in
            for sample in 0..<samples {
                for index in 0..<classes { scores[sample * classes + index] += offsets[index] }
            }
        }
        products.softmax(&scores, rows: samples, columns: classes)
        return scores
    }

    /// The mean of −log(probability of the own class), and the share of samples whose own class is the most probable.
    func quality(_ parameters: [Float]) -> (loss: Double, accuracy: Double) {
        let probabilities = probabilities(parameters)
        let hits = (0..<samples).count { sample in
            let row = probabilities[sample * classes..<(sample + 1) * classes]
            // The first of equal ones, as predictions choose.
            return row.firstIndex(of: row.max() ?? 0).map { $0 - sample * classes } == labels[sample]
        }
        return (loss(probabilities), Double(hits) / Double(max(1, samples)))
    }

    private func loss(_ probabilities: [Float]) -> Double {
        var sum = 0.0
        for (sample, label) in labels.enumerated() {
            // A NaN counts as nothing probable.
            let own = probabilities[sample * classes + label]
            sum -= Double(own > Self.leastProbability ? own : Self.leastProbability).logarithm
        }
        return sum / Double(max(1, samples))
    }

    /// The value, and its derivatives by the parameters.
    func value(_ parameters: [Float], gradient: inout [Float]) -> Double {
        var residuals = probabilities(parameters)
        var value = loss(residuals)
        let share = 1 / Float(max(1, samples))
        var offsets = [Double](repeating: 0, count: classes)
        residuals.withUnsafeMutableBufferPointer { residuals in
            for (sample, label) in labels.enumerated() {
                residuals[sample * classes + label] -= 1
                for index in 0..<classes {
                    let offset = sample * classes + index
                    offsets[index] += Double(residuals[offset])
                    residuals[offset] *= share
                }
            }
        }
        let weights = features * classes
        var sums = [Float](repeating: 0, count: weights)
        for (index, block) in blocks.enumerated() {
            let part = Array(residuals[block.range.lowerBound * classes..<block.range.upperBound * classes])
            products.multiply(
                block.columns, part, rows: features, inner: block.range.count, columns: classes, into: &sums)
            if index == 0 {
                gradient.replaceSubrange(0..<weights, with: sums)
            } else {
                gradient.withUnsafeMutableBufferPointer { gradient in
                    for index in 0..<weights { gradient[index] += sums[index] }
                }
            }
        }
        let penalty = Float(penalty)
        gradient.withUnsafeMutableBufferPointer { gradient in
            for index in 0..<weights { gradient[index] += penalty * parameters[index] }
            for index in 0..<classes { gradient[weights + index] = Float(offsets[index]) * share }
        }
        value += self.penalty / 2 * Vectors.dot(parameters, parameters, count: weights)
        return value
    }
}
