import VisionImage
import VisionInference
import XCTest

@testable import VisionTraining

final class SolverTests: XCTestCase {
    /// Points around a centre for each class, apart from each other by a few times their spread.
    private func clusters(
        classes: Int, each: Int, features: Int, spread: Double = 1, seed: UInt64 = 1
    ) -> TrainingSamples {
        var random = SplitMix64(seed: 5)
        let centres = (0..<classes).map { _ in (0..<features).map { _ in random.number(in: 0...4) } }
        var noise = SplitMix64(seed: seed)
        var samples = TrainingSamples(featureCount: features)
        for index in 0..<classes * each {
            let label = index % classes
            samples.append(
                centres[label].map { Float($0 + noise.number(in: -spread...spread)) }, label: label)
        }
        return samples
    }

    private func layer(_ samples: TrainingSamples, classes: Int, threads: Int = 1) throws -> LastLayer {
        var training = LastLayerTraining()
        training.threads = threads
        return try training.run(samples, classes: classes).layer
    }

    /// The share of samples that the layer, as a file holds it, puts into their own class.
    private func accuracy(_ layer: LastLayer, _ samples: TrainingSamples) -> Double {
        let weights = layer.weights.map { HalfFloats.value(of: $0) }
        let hits = (0..<samples.count).count { index in
            let row = samples.row(index)
            let scores = (0..<layer.classCount).map { label in
                (0..<row.count).reduce(layer.offsets[label]) { $0 + weights[label * row.count + $1] * row[$1] }
            }
            return scores.firstIndex(of: scores.max() ?? 0) == samples.labels[index]
        }
        return Double(hits) / Double(samples.count)
    }

    // MARK: - The minimiser

    func testTheBottomOfAQuadraticIsFound() throws {
        let scales: [Float] = [1, 10, 100, 1000]
        let result = try LimitedMemoryBFGS().minimise(from: [5, -3, 2, 1]) { point, gradient in
            var value = 0.0
            for index in point.indices {
                let distance = point[index] - Float(index)
                gradient[index] = 2 * scales[index] * distance
                value += Double(scales[index] * distance * distance)
            }
            return value
        }
        XCTAssertTrue(result.isConverged)
        for (index, coordinate) in result.point.enumerated() {
            XCTAssertEqual(coordinate, Float(index), accuracy: 1e-3)
        }
        XCTAssertLessThan(result.iterations, 30)
    }

    func testABentValleyIsFollowedToItsEnd() throws {
        // Rosenbrock's function.
        let result = try LimitedMemoryBFGS(maximumIterations: 200, valueTolerance: 0).minimise(from: [-1.2, 1]) {
            p, gradient in
            let (x, y) = (Double(p[0]), Double(p[1]))
            gradient[0] = Float(-400 * x * (y - x * x) - 2 * (1 - x))
            gradient[1] = Float(200 * (y - x * x))
            return 100 * (y - x * x) * (y - x * x) + (1 - x) * (1 - x)
        }
        XCTAssertEqual(result.point[0], 1, accuracy: 0.02)
        XCTAssertEqual(result.point[1], 1, accuracy: 0.04)
    }

    func testTheSearchEndsWhenItsCallerThrows() {
        struct Stop: Error {}
        XCTAssertThrowsError(
            try LimitedMemoryBFGS().minimise(from: [3]) {
                if $0 == 2 { throw Stop() }
            } _: { point, gradient in
                gradient[0] = 4 * point[0] * point[0] * point[0]
                return Double(point[0] * point[0] * point[0] * point[0])
            }
        ) { XCTAssertTrue($0 is Stop) }
    }

    // MARK: - The objective

    func testTheGradientIsThatOfTheValue() {
        // More samples than a block of sums.
        let samples = clusters(classes: 3, each: 900, features: 4)
        let objective = SoftmaxObjective(
            rows: samples.rows, features: 4, labels: samples.labels, classes: 3, penalty: 0.1, workers: .single)
        var random = SplitMix64(seed: 9)
        let point = (0..<objective.parameterCount).map { _ in Float(random.number(in: -0.5...0.5)) }
        var gradient = [Float](repeating: 0, count: point.count)
        var ignored = gradient
        _ = objective.value(point, gradient: &gradient)
        for index in point.indices {
            var (above, below) = (point, point)
            above[index] += 0.01
            below[index] -= 0.01
            let slope = (objective.value(above, gradient: &ignored) - objective.value(below, gradient: &ignored)) / 0.02
            XCTAssertEqual(Double(gradient[index]), slope, accuracy: 2e-3, "parameter \(index)")
        }
    }

    func testWithoutKnowledgeEveryClassIsEquallyProbable() {
        let samples = clusters(classes: 4, each: 5, features: 3)
        let objective = SoftmaxObjective(
            rows: samples.rows, features: 3, labels: samples.labels, classes: 4, penalty: 1, workers: .single)
        let start = [Float](repeating: 0, count: objective.parameterCount)
        XCTAssertEqual(objective.quality(start).loss, 4.0.logarithm, accuracy: 1e-6)
        XCTAssertEqual(objective.quality(start).accuracy, 0.25, accuracy: 1e-9)
    }

    // MARK: - The layer

    func testClustersAreSeparated() throws {
        let samples = clusters(classes: 7, each: 30, features: 12, spread: 1.5)
        let layer = try layer(samples, classes: 7)
        XCTAssertEqual(
            accuracy(layer, clusters(classes: 7, each: 50, features: 12, spread: 1.5, seed: 77)), 1, accuracy: 0.03)
    }

    func testTheLayerHasTheSameBitsForAnyNumberOfThreads() throws {
        let samples = clusters(classes: 5, each: 60, features: 50, spread: 3)
        let single = try layer(samples, classes: 5)
        for threads in [2, 3, 8] {
            XCTAssertEqual(try layer(samples, classes: 5, threads: threads), single, "\(threads) threads")
        }
    }

    func testFeaturesOfAnyScaleAndOffsetGiveTheSamePredictions() throws {
        let samples = clusters(classes: 4, each: 40, features: 6, spread: 1)
        var stretched = TrainingSamples(featureCount: 6)
        for index in 0..<samples.count {
            stretched.append(
                samples.row(index).enumerated().map { $1 * [0.01, 1, 3, 50, 0.2, 7][$0] + 4 },
                label: samples.labels[index])
        }
        XCTAssertEqual(
            accuracy(try layer(stretched, classes: 4), stretched), accuracy(try layer(samples, classes: 4), samples))
    }

    func testConstantFeaturesDoNoHarm() throws {
        var samples = TrainingSamples(featureCount: 3)
        for index in 0..<40 { samples.append([7, 0, index % 2 == 0 ? 1 : -1], label: index % 2) }
        let layer = try layer(samples, classes: 2)
        XCTAssertEqual(accuracy(layer, samples), 1)
        XCTAssertTrue(layer.offsets.allSatisfy(\.isFinite))
    }

    func testThePenaltyIsTheOneThatPredictsValidationSamplesBest() throws {
        let samples = clusters(classes: 3, each: 10, features: 40, spread: 8)
        let check = clusters(classes: 3, each: 60, features: 40, spread: 8, seed: 3)
        let result = try LastLayerTraining().run(samples, validation: check, classes: 3)
        let best = try XCTUnwrap(result.tried.min { $0.loss < $1.loss })
        XCTAssertEqual(result.penalty, best.penalty)
        XCTAssertGreaterThan(result.tried.count, 2)
        // So little to learn from, and so much noise, asks for a strong one.
        XCTAssertGreaterThan(result.penalty, 1e-5)
        XCTAssertEqual(accuracy(result.layer, check), best.accuracy, accuracy: 0.02)
    }

    func testHalvesAreReadAsTheyAreWritten() {
        let values: [Float] = [0, 1, -1, 0.1, 65504, 1e-7, -3.1415927, 5.96e-8, 6.1e-5, 2048.5]
        for (value, bits) in zip(values, HalfFloats.bits(of: values)) {
            XCTAssertEqual(HalfFloats.value(of: bits), value, accuracy: max(abs(value) / 2048, 3e-8))
        }
        XCTAssertEqual(HalfFloats.bits(of: [1, -2, .infinity]), [0x3C00, 0xC000, 0x7C00])
        XCTAssertEqual(HalfFloats.value(of: 0x7C00), .infinity)
        XCTAssertTrue(HalfFloats.value(of: 0x7C01).isNaN)
    }
}
