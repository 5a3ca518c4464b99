import Foundation
import XCTest

@testable import VisionModels

final class PrintProjectionTests: XCTestCase {
    /// Scores with one class that stands out.
    private var logits: [Float] {
        var logits = (0..<1000).map { Float(4 * sin(0.1 * Double($0))) }
        logits[207] = 9
        logits[3] = -12
        return logits
    }

    private func features(_ logits: [Float], revision: Backbone.Revision = .efficientNetLite0) -> BackboneFeatures {
        BackboneFeatures(revision: revision, pooled: [], logits: logits, halves: [])
    }

    /// Every 64th element as `Training/Print/prints.py` has it. These numbers never change for a revision.
    func testPrintsAreThoseOfTheirRevision() throws {
        let expected: [Int: [Float]] = [
            1: [
                -0.0460183, 0.0216821, -0.0491076, -0.0085782, 0.0310331, 0.0081838, 0.0010413, -0.0145326,
            ],
            2: [
                -0.0129085, -0.0322726, -0.0476155, -0.0296004, 0.0293413, -0.0050840, -0.0463437, -0.0433877,
            ],
        ]
        for (revision, values) in expected {
            let print = try PrintVector(
                features(logits, revision: try XCTUnwrap(PrintVector.backbones[revision])), revision: revision)
            XCTAssertEqual(print.revision, revision)
            XCTAssertEqual(print.elements.count, PrintVector.sceneElementCount)
            for (index, value) in values.enumerated() {
                XCTAssertEqual(print.elements[64 * index], value, accuracy: 2e-6, "revision \(revision), \(64 * index)")
            }
        }
    }

    func testPrintsHaveLengthOne() throws {
        let peak = (0..<1000).map { Float($0 == 400 ? 80 : 0) }
        for logits in [logits, peak, [Float](repeating: 0, count: 1000), [Float](repeating: 1e5, count: 1000)] {
            let length = try PrintVector(features(logits), revision: 1).elements.reduce(0.0) { $0 + Double($1 * $1) }
                .squareRoot()
            XCTAssertEqual(length, 1, accuracy: 1e-5)
        }
    }

    func testWhatIsAddedToAllScoresHardlyMatters() throws {
        let raised = logits.map { $0 + 5 }
        XCTAssertEqual(
            try PrintVector(features(logits), revision: 1).distance(to: PrintVector(features(raised), revision: 1)), 0,
            accuracy: 0.02)
    }

    func testScoresThatAreNoNumbersGiveAnError() {
        var wrong = [features([]), features(logits.dropLast()), features(logits, revision: .efficientNetLite2)]
        for value: Float in [.nan, .infinity, -.infinity, 2e6] { wrong.append(features(logits.dropLast() + [value])) }
        for features in wrong {
            XCTAssertThrowsError(try PrintVector(features, revision: 1)) { error in
                guard case PrintError.impossible? = error as? PrintError else { return XCTFail("\(error)") }
            }
        }
        XCTAssertThrowsError(try PrintVector(features(logits), revision: 3))
    }

    func testTablesOfAnotherKindAreRefused() throws {
        XCTAssertThrowsError(try PrintProjection(table: BinaryTable(builtIn: "scene-scoring.table")))
        XCTAssertNotNil(PrintProjection.of(revision: 1))
        XCTAssertNotNil(PrintProjection.of(revision: 2))
        XCTAssertNil(PrintProjection.of(revision: 0))
    }
}
