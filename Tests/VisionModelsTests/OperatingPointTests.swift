@testable import VisionModels
import XCTest

final class OperatingPointTests: XCTestCase {
    /// In no order, as the precision of a real class goes up and down.
    private let curve = PrecisionRecallCurve(points: [
        .init(threshold: 0.5, precision: 0.71, recall: 0.7), .init(threshold: 0.9, precision: 1, recall: 0.1),
        .init(threshold: 0.2, precision: 0.5, recall: 0.9), .init(threshold: 0.7, precision: 0.8, recall: 0.4),
        .init(threshold: 0.8, precision: 0.7, recall: 0.2), .init(threshold: 0.6, precision: 0.74, recall: 0.7),
    ])

    func testTheHighestThresholdThatReachesTheRecall() {
        for (recall, threshold) in [
            (Float(0), Float(0.9)), (0.1, 0.9), (0.11, 0.8), (0.7, 0.6), (0.71, 0.2), (0.9, 0.2),
        ] {
            XCTAssertEqual(curve.operatingPoint(forRecall: recall)?.threshold, threshold, "recall \(recall)")
        }
    }

    func testTheHighestRecallThatReachesThePrecision() {
        for (precision, threshold) in [
            (Float(0), Float(0.2)), (0.5, 0.2), (0.51, 0.6), (0.72, 0.6), (0.75, 0.7), (0.8, 0.7), (0.81, 0.9),
            (1, 0.9),
        ] {
            XCTAssertEqual(
                curve.operatingPoint(forPrecision: precision)?.threshold, threshold, "precision \(precision)")
        }
    }

    func testThereIsNoPointThatTheClassNeverReaches() {
        XCTAssertNil(curve.operatingPoint(forRecall: 0.91))
        XCTAssertNil(curve.operatingPoint(forPrecision: 1.01))
        XCTAssertNil(curve.operatingPoint(forRecall: .nan))
        XCTAssertNil(curve.operatingPoint(forPrecision: .nan))
        XCTAssertNil(PrecisionRecallCurve(points: []).operatingPoint(forRecall: 0))
    }
}
