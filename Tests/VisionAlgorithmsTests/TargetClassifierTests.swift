import XCTest

@testable import VisionAlgorithms

final class TargetClassifierTests: XCTestCase {
    private static let channels = 11

    /// Samples of a window: the target's have higher values in the channels `kind`, `kind` + 3, …
    private func samples(_ coverage: [Float], kind: Int = 1, noise seed: UInt64) -> [Float] {
        var state = seed
        func random() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 24) - 0.5
        }
        return coverage.flatMap { share in
            (0..<Self.channels).map { random() + ($0 % 3 == kind ? 2 * share : 0) }
        }
    }

    private let coverage: [Float] = (0..<45).map { $0 % 9 == 4 ? 1 : $0 % 9 == 5 ? 0.5 : 0 }

    private func classifier() -> TargetClassifier {
        TargetClassifier(
            [samples(coverage, noise: 7)], coverage: [coverage],
            settings: .init(channels: Self.channels, rate: 0.05, covered: 0.3, leastDeviation: 1e-2))
    }

    func testResponsesAreHighForTheTargetAndLowForTheRest() {
        let responses = classifier().responses(to: samples(coverage, noise: 8))
        let inside = zip(coverage, responses).filter { $0.0 == 1 }.map(\.1)
        let outside = zip(coverage, responses).filter { $0.0 == 0 }.map(\.1)
        XCTAssertGreaterThan(inside.reduce(0, +) / Float(inside.count), 0.6)
        XCTAssertLessThan(outside.reduce(0, +) / Float(outside.count), 0.2)
    }

    func testAllResponsesAreThoseOfSingleSamples() {
        let classifier = classifier(), later = samples(coverage, noise: 9)
        for (index, response) in classifier.responses(to: later).enumerated() {
            XCTAssertEqual(response, classifier.response(at: index, of: later), accuracy: 1e-4)
        }
    }

    func testAChangeOfTheTargetIsLearnt() {
        var classifier = classifier()
        func response() -> Float { classifier.responses(to: samples([1], kind: 2, noise: 5))[0] }
        let before = response()
        for seed in UInt64(10)..<40 {
            classifier.learn(samples(coverage, kind: 2, noise: seed), coverage: coverage)
        }
        XCTAssertGreaterThan(response(), before + 0.2)
    }

    func testLearningInPartsIsLearningAtOnceAndShowsWithTheLast() {
        var (whole, parted) = (classifier(), classifier())
        let frame = samples(coverage, kind: 2, noise: 12), later = samples(coverage, noise: 8)
        whole.learn(frame, coverage: coverage)
        let before = parted.responses(to: later)
        for part in 0..<4 {
            XCTAssertEqual(parted.responses(to: later), before)
            parted.learn(part: part, of: 4, frame, coverage: coverage)
        }
        let after = parted.responses(to: later)
        XCTAssertNotEqual(after, before)
        for (a, b) in zip(after, whole.responses(to: later)) { XCTAssertEqual(a, b, accuracy: 1e-4) }
    }

    func testSamplesWithoutTheTargetOrWithoutNumbersAreNotLearnt() {
        var classifier = classifier()
        let later = samples(coverage, noise: 8), before = classifier.responses(to: later)
        var broken = later
        broken[3] = .nan
        classifier.learn(broken, coverage: coverage)
        classifier.learn(later, coverage: coverage.map { min($0, 0.1) })
        XCTAssertEqual(classifier.responses(to: later), before)
    }
}
