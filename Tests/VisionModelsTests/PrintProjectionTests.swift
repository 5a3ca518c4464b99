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

    /// Revision 3 reads the last map as well; the numbers are those of `Training/Print/prints.py`'s arithmetic.
    func testThePrintOfRevision3ReadsTheMap() throws {
        let values = (0..<81).flatMap { position in
            (0..<1280).map { max(0, Float(sin(0.01 * Double(position) + 0.37 * Double($0)))) }
        }
        func features(_ values: [Float]) -> BackboneFeatures {
            BackboneFeatures(
                revision: .efficientNetLite2, pooled: [], logits: logits, halves: [],
                maps: [BackboneMap(level: .last, rows: 9, columns: 9, channels: 1280, values: values)])
        }
        let print = try PrintVector(features(values), revision: 3)
        let expected: [Float] = [
            0.1867711, 0.0830285, -0.0034403, -0.0273694, 0.0225928, -0.0039147, -0.0356847, -0.0334086,
        ]
        for (index, value) in expected.enumerated() {
            XCTAssertEqual(print.elements[64 * index], value, accuracy: 5e-6, "\(64 * index)")
        }
        for wrong in [[], values.dropLast(), values.dropLast() + [.nan]] as [[Float]] {
            XCTAssertThrowsError(try PrintVector(features(wrong), revision: 3)) { error in
                guard case PrintError.impossible? = error as? PrintError else { return XCTFail("\(error)") }
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
