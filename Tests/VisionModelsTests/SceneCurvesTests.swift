import XCTest

@testable import VisionModels

final class SceneCurvesTests: XCTestCase {
    private let taxonomy = SceneTaxonomy.shared

    private func curve(_ identifier: String, revision: Int = 1) throws -> PrecisionRecallCurve {
        let index = try XCTUnwrap(taxonomy.index(of: identifier))
        return try XCTUnwrap(SceneCurves.curve(ofClass: index, revision: revision), "\(identifier) has no curve.")
    }

    private func all(revision: Int) -> [(identifier: String, points: [PrecisionRecallCurve.Point])] {
        taxonomy.classes.enumerated().compactMap { index, one in
            SceneCurves.curve(ofClass: index, revision: revision).map { (one.identifier, $0.points) }
        }
    }

    func testUnknownClassesAndRevisionsHaveNoCurve() {
        XCTAssertNil(SceneCurves.curve(ofClass: 0, revision: 5))
        XCTAssertNil(SceneCurves.curve(ofClass: -1, revision: 1))
        XCTAssertNil(SceneCurves.curve(ofClass: taxonomy.classes.count, revision: 1))
    }

    func testMostClassesHaveACurveAndSomeHaveNone() {
        for revision in [1, 2, 3, 4] {
            let count = all(revision: revision).count
            XCTAssertGreaterThan(count, 1300)
            XCTAssertLessThan(count, taxonomy.classes.count)
        }
    }

    func testThresholdsFallAndRecallRisesAlongACurve() {
        for revision in [1, 2, 3] {
            for (identifier, points) in all(revision: revision) {
                XCTAssertGreaterThan(points.count, 1, identifier)
                for (one, next) in zip(points, points.dropFirst()) {
                    XCTAssertGreaterThanOrEqual(one.threshold, next.threshold, identifier)
                    XCTAssertLessThanOrEqual(one.recall, next.recall, identifier)
                }
            }
        }
    }

    func testPrecisionDoesNotRiseAsTheThresholdFalls() {
        for revision in [1, 2, 3] {
            for (identifier, points) in all(revision: revision) {
                for (one, next) in zip(points, points.dropFirst()) {
                    // The table is rounded.
                    XCTAssertGreaterThanOrEqual(one.precision, next.precision - 0.02, identifier)
                }
            }
        }
    }

    func testAllNumbersLieBetween0And1() {
        for revision in [1, 2, 3] {
            for (identifier, points) in all(revision: revision) {
                for point in points {
                    for value in [point.threshold, point.precision, point.recall] {
                        XCTAssertTrue(value >= 0 && value <= 1, identifier)
                    }
                    // No photos prove that nothing is ever missed or mistaken.
                    XCTAssertLessThan(point.recall, 1, identifier)
                    XCTAssertLessThan(point.precision, 1, identifier)
                }
            }
        }
    }

    func testPrecisionIsBetterThanGuessingWhereTheThresholdIsHigh() {
        for revision in [1, 2, 3] {
            for (index, one) in taxonomy.classes.enumerated() {
                guard let first = SceneCurves.curve(ofClass: index, revision: revision)?.points.first else { continue }
                XCTAssertGreaterThan(first.precision, SceneCurves.prevalence(ofClass: index), one.identifier)
            }
        }
    }

    func testPrevalenceIsTheShareOfOutputsButNotBelowOnePhotoInAHundred() throws {
        let dog = try XCTUnwrap(taxonomy.index(of: "dog"))
        XCTAssertEqual(SceneCurves.prevalence(ofClass: dog), 0.118, accuracy: 1e-6)
        let beagle = try XCTUnwrap(taxonomy.index(of: "beagle"))
        XCTAssertEqual(SceneCurves.prevalence(ofClass: beagle), 0.01)
    }

    func testRevisionsHaveCurvesOfTheirOwn() throws {
        XCTAssertNotEqual(try curve("dog", revision: 1), try curve("dog", revision: 2))
    }

    func testOutputsWithoutPhotosShareACurveAtThresholdsOfTheirOwn() throws {
        let (one, other) = (try curve("affenpinscher"), try curve("keeshond"))
        XCTAssertEqual(one.points.map(\.recall), other.points.map(\.recall))
        XCTAssertNotEqual(one.points.map(\.threshold), other.points.map(\.threshold))
    }

    func testDogsAreFoundAtAHighThresholdAndAHighPrecision() throws {
        // Measured on 889 photos with dogs and 2837 without.
        let dog = try curve("dog")
        XCTAssertTrue(dog.points.contains { $0.recall >= 0.7 && $0.precision >= 0.7 })
        XCTAssertTrue(dog.points.contains { $0.recall >= 0.8 && $0.threshold > 0.5 })
    }
}
