import VisionInference
import VisionThreads

/// Samples for training: features row by row, and the class of each row.
package struct TrainingSamples: Sendable {
    /// Numbers of a sample.
    package let featureCount: Int
    package private(set) var rows: [Float] = []
    package private(set) var labels: [Int] = []

    package init(featureCount: Int) { self.featureCount = featureCount }

    package mutating func reserve(_ count: Int) {
        rows.reserveCapacity(count * featureCount)
        labels.reserveCapacity(count)
    }

    /// - Precondition: the features are as many as the others'.
    package mutating func append(_ features: [Float], label: Int) {
        precondition(features.count == featureCount)
        rows += features
        labels.append(label)
    }

    package var count: Int { labels.count }
}

/// What follows the features in a classifier: a weight for each class and feature, and an offset for each class.
/// Probabilities are the softmax of the scores.
package struct LastLayer: Sendable, Equatable {
    package let classCount: Int
    package let featureCount: Int
    /// Class by class, as the bits of half-precision floats: what files hold, and what every measurement is made with.
    package let weights: [UInt16]
    package let offsets: [Float]

    package init(classCount: Int, featureCount: Int, weights: [UInt16], offsets: [Float]) {
        precondition(weights.count == classCount * featureCount && offsets.count == classCount)
        self.classCount = classCount
        self.featureCount = featureCount
        self.weights = weights
        self.offsets = offsets
    }
}

/// Trains the last layer of a classifier: multinomial logistic regression with a penalty on the squares of the weights.
///
/// Features are centred and scaled first; the layer that comes out takes them as they are. Where there are samples to
/// validate with, the penalty is the one that predicts these best, looked for from strong to weak.
package struct LastLayerTraining: Sendable {
    /// Iterations for each penalty that is tried.
    package var maximumIterations = 25
    /// The results do not depend on it.
    package var threads = 1
    /// Penalties that are tried, from strong to weak. Features are scaled to a mean square sum of 1, so that they mean
    /// the same for any network.
    package var penalties: [Double] = [1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6]
    /// The penalty without samples to validate with.
    package var standardPenalty = 3e-5
    /// Whether the features are of one kind, so that those which differ more from photo to photo say more; else each is
    /// brought to the same spread.
    package var keepsSpread = false

    package init() {}

    package struct Result: Sendable {
        package let layer: LastLayer
        package let penalty: Double
        package let iterations: Int
        /// What each tried penalty reached on the validation samples; empty without them.
        package let tried: [(penalty: Double, loss: Double, accuracy: Double)]
    }

    /// - Parameters:
    ///   - validation: chooses the penalty; nil or empty for the standard one.
    ///   - onIteration: called after each iteration with their number so far; what it throws ends the training.
    package func run(
        _ training: TrainingSamples, validation: TrainingSamples? = nil, classes: Int,
        onIteration: (Int) throws -> Void = { _ in }
    ) throws -> Result {
        precondition(classes > 0 && training.count > 0)
        let scaling = FeatureScaling(training, keepsSpread: keepsSpread)
        return try Workers.with(threads: threads) { workers in
            var objective = SoftmaxObjective(
                rows: scaling.scaled(training), features: training.featureCount, labels: training.labels,
                classes: classes, penalty: standardPenalty, workers: workers)
            let check = validation.flatMap { samples in
                samples.count == 0
                    ? nil
                    : SoftmaxObjective(
                        rows: scaling.scaled(samples), features: samples.featureCount, labels: samples.labels,
                        classes: classes, penalty: 0, workers: workers)
            }
            var solver = LimitedMemoryBFGS()
            solver.maximumIterations = maximumIterations
            var iterations = 0
            func solve(_ penalty: Double, from start: [Float]) throws -> [Float] {
                objective.penalty = penalty
                return try solver.minimise(from: start) { _ in
                    iterations += 1
                    try onIteration(iterations)
                } _: { point, gradient in
                    objective.value(point, gradient: &gradient)
                }.point
            }

            let start = [Float](repeating: 0, count: objective.parameterCount)
            var tried: [(penalty: Double, loss: Double, accuracy: Double)] = []
            var best: (parameters: [Float], penalty: Double, loss: Double)?
            if let check {
                var point = start
                for penalty in penalties {
                    point = try solve(penalty, from: point)
                    let quality = check.quality(point)
                    tried.append((penalty, quality.loss, quality.accuracy))
                    if quality.loss < best?.loss ?? .infinity { best = (point, penalty, quality.loss) }
                    // Twice in a row worse than the best: weaker ones only fit the training samples closer.
                    if tried.count > 2, let best, tried.suffix(2).allSatisfy({ $0.loss > best.loss }) { break }
                }
            }
            let chosen = try best ?? (solve(standardPenalty, from: start), standardPenalty, 0)
            return Result(
                layer: scaling.layer(of: chosen.parameters, classes: classes), penalty: chosen.penalty,
                iterations: iterations, tried: tried)
        }
    }
}

/// How features are centred and scaled for the solver, and how its weights are taken back.
struct FeatureScaling {
    let means: [Float]
    let factors: [Float]

    /// Features that hardly ever differ are not blown up: none is scaled by more than this times the middle one.
    private static let largestBoost: Float = 10

    init(_ samples: TrainingSamples, keepsSpread: Bool) {
        let (count, features) = (samples.count, samples.featureCount)
        var sums = [Double](repeating: 0, count: features)
        var squares = sums
        samples.rows.withUnsafeBufferPointer { rows in
            for row in 0..<count {
                for index in 0..<features { sums[index] += Double(rows[row * features + index]) }
            }
            for index in 0..<features { sums[index] /= Double(count) }
            for row in 0..<count {
                for index in 0..<features {
                    let difference = Double(rows[row * features + index]) - sums[index]
                    squares[index] += difference * difference
                }
            }
        }
        means = sums.map { Float($0) }
        let deviations = squares.map { Float(($0 / Double(count)).squareRoot()) }
        if keepsSpread {
            let sum = squares.reduce(0, +) / Double(count)
            factors = Array(repeating: sum > 0 ? Float(1 / sum.squareRoot()) : 1, count: features)
            return
        }
        let middle = deviations.sorted()[features / 2]
        let floor = max(middle / Self.largestBoost, 1e-6)
        let share = 1 / Float(features).squareRoot()
        factors = deviations.map { share / max($0, floor) }
    }

    func scaled(_ samples: TrainingSamples) -> [Float] {
        let features = samples.featureCount
        var rows = samples.rows
        rows.withUnsafeMutableBufferPointer { rows in
            for row in 0..<samples.count {
                for index in 0..<features {
                    let place = row * features + index
                    rows[place] = (rows[place] - means[index]) * factors[index]
                }
            }
        }
        return rows
    }

    /// The layer that gives, for features as they are, what the parameters give for scaled ones.
    func layer(of parameters: [Float], classes: Int) -> LastLayer {
        let features = means.count
        var weights = [Float](repeating: 0, count: classes * features)
        var offsets = (0..<classes).map { Double(parameters[features * classes + $0]) }
        for index in 0..<features {
            for row in 0..<classes {
                weights[row * features + index] = parameters[index * classes + row] * factors[index]
            }
        }
        let bits = HalfFloats.bits(of: weights)
        for row in 0..<classes {
            for index in 0..<features {
                // With the weights as they were rounded, so that the means cancel.
                offsets[row] -= Double(HalfFloats.value(of: bits[row * features + index])) * Double(means[index])
            }
        }
        return LastLayer(
            classCount: classes, featureCount: features, weights: bits, offsets: offsets.map { Float($0) })
    }
}
