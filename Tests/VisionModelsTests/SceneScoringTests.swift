import XCTest

@testable import VisionModels

final class SceneScoringTests: XCTestCase {
    private let taxonomy = SceneTaxonomy.shared
    private static let retriever = 207
    private static let scooter = 670

    private func scoring(_ revision: Int = 1, line: UInt = #line) throws -> SceneScoring {
        try XCTUnwrap(SceneScoring(revision: revision), line: line)
    }

    private func index(_ identifier: String, line: UInt = #line) throws -> Int {
        try XCTUnwrap(taxonomy.index(of: identifier), line: line)
    }

    /// Logits between 0 and 5, the same always, with some set.
    private func logits(_ set: [Int: Float] = [:]) -> [Float] {
        (0..<1000).map { set[$0] ?? Float(($0 * 37) % 101) / 20 }
    }

    /// A retriever on the left and a scooter on the right.
    private var two: (whole: [Float], parts: [Float]) {
        let whole = logits([Self.retriever: 9, Self.scooter: 7])
        return (
            whole,
            logits([Self.retriever: 12, Self.scooter: 7]) + logits([Self.retriever: 3, Self.scooter: 12]) + whole
                + whole
        )
    }

    func testUnknownRevisionsHaveNoScoring() {
        XCTAssertNil(SceneScoring(revision: 0))
        XCTAssertNil(SceneScoring(revision: 5))
    }

    func testTheSameNumbersAsTheFit() throws {
        // From Training/Scene/scoring.py.
        let expected: [Int: [String: Float]] = [
            1: [
                "golden_retriever": 0.5073229, "dog": 0.7215953, "animal": 0.7742961, "motor_scooter": 0.2959186,
                "motorcycle": 0.6109015, "vehicle": 0.6109015, "people": 0.2829489, "horse": 0.0006334,
                "fish": 0.0146394,
            ],
            2: [
                "golden_retriever": 0.6956323, "dog": 0.8252943, "animal": 0.8252943, "motor_scooter": 0.4383752,
                "motorcycle": 0.6658617, "vehicle": 0.6658617, "people": 0.1339490, "horse": 0.0000541,
                "fish": 0.0075138,
            ],
            3: [
                "golden_retriever": 0.7443544, "dog": 0.8555272, "animal": 0.8555272, "motor_scooter": 0.4708240,
                "motorcycle": 0.6508704, "vehicle": 0.6508704, "people": 0.1497961, "horse": 0.0000738,
                "fish": 0.0058977,
            ],
        ]
        for (revision, values) in expected {
            let found = try scoring(revision).confidences(ofLogits: two.whole, parts: two.parts)
            for (name, value) in values { XCTAssertEqual(found[try index(name)], value, accuracy: 1e-4, name) }
        }
    }

    func testThereIsAConfidenceFrom0To1ForEveryClass() throws {
        for revision in [1, 2, 3, 4] {
            let found = try scoring(revision).confidences(ofLogits: logits([7: 30, 8: -40]))
            XCTAssertEqual(found.count, taxonomy.classes.count)
            for value in found { XCTAssertTrue((0...1).contains(value)) }
        }
    }

    func testParentsScoreAtLeastAsHighAsTheirBestChild() throws {
        for revision in [1, 2, 3] {
            for seed in 0..<20 {
                let values = (0..<5000).map { Float(($0 &* 7919 &+ seed &* 104_729) % 1013) / 70 }
                let found = try scoring(revision).confidences(
                    ofLogits: Array(values[0..<1000]), parts: Array(values[1000...]))
                for (index, one) in taxonomy.classes.enumerated() {
                    for child in one.children { XCTAssertGreaterThanOrEqual(found[index], found[child]) }
                }
            }
        }
    }

    func testLeavesAreRankedAsTheirLogitsWithoutParts() throws {
        let logits = logits()
        let found = try scoring().confidences(ofLogits: logits)
        let simple = taxonomy.classes.indices.filter {
            taxonomy.classes[$0].outputs.count == 1 && taxonomy.classes[$0].children.isEmpty
        }
        for (one, other) in zip(simple, simple.dropFirst()) {
            let (a, b) = (logits[taxonomy.classes[one].outputs[0]], logits[taxonomy.classes[other].outputs[0]])
            if a > b { XCTAssertGreaterThanOrEqual(found[one], found[other]) }
            if a < b { XCTAssertLessThanOrEqual(found[one], found[other]) }
        }
    }

    func testASecondThingIsFoundInItsHalf() throws {
        let scooter = try index("motor_scooter")
        let scoring = try scoring()
        let alone = scoring.confidences(ofLogits: two.whole)[scooter]
        let withParts = scoring.confidences(ofLogits: two.whole, parts: two.parts)[scooter]
        XCTAssertGreaterThan(withParts, 2 * alone)
    }

    func testWhichHalfAThingIsInDoesNotMatter() throws {
        let (whole, parts) = two
        let mirrored = Array(parts[1000..<2000] + parts[0..<1000] + parts[2000...])
        let scoring = try scoring(2)
        XCTAssertEqual(
            scoring.confidences(ofLogits: whole, parts: parts), scoring.confidences(ofLogits: whole, parts: mirrored))
    }

    func testConfidencesDoNotSumToOne() throws {
        let found = try scoring().confidences(ofLogits: two.whole, parts: two.parts)
        let leaves = zip(found, taxonomy.classes).filter { !$1.outputs.isEmpty }.map(\.0)
        XCTAssertGreaterThan(abs(leaves.reduce(0, +) - 1), 0.1)
    }

    func testALogitAddedToAllChangesNothing() throws {
        let scoring = try scoring()
        let low = scoring.confidences(ofLogits: logits([5: 11]))
        let high = scoring.confidences(ofLogits: logits([5: 11]).map { $0 + 64 })
        for (a, b) in zip(low, high) { XCTAssertEqual(a, b, accuracy: 1e-4) }
    }

    func testLogitsThatAreNotFiniteGiveConfidencesThatAre() throws {
        let scoring = try scoring()
        for odd in [Float.nan, .infinity, -.infinity] {
            for values in [logits([3: odd]), [Float](repeating: odd, count: 1000)] {
                let found = scoring.confidences(ofLogits: values, parts: values + values + values + values)
                for value in found { XCTAssertTrue((0...1).contains(value), "\(odd) gives \(value)") }
            }
        }
    }

    func testWeightsOfHalves() {
        let weights = ImageHalf.weights(rows: 2, columns: 3)
        XCTAssertEqual(weights.count, 2 * 3 * 5)
        let third = Float(1) / 3
        let expected = [
            [Float](repeating: third / 2, count: 6), [third, third / 2, 0, third, third / 2, 0],
            [0, third / 2, third, 0, third / 2, third], [third, third, third, 0, 0, 0], [0, 0, 0, third, third, third],
        ]
        for (found, expected) in zip(weights, expected.flatMap { $0 }) {
            XCTAssertEqual(found, expected, accuracy: 1e-6)
        }
    }

    func testWeightsOfHalvesSumToOne() {
        for (rows, columns) in [(7, 7), (9, 9), (1, 1), (4, 11)] {
            let weights = ImageHalf.weights(rows: rows, columns: columns)
            for part in 0..<5 {
                let sum = weights[part * rows * columns..<(part + 1) * rows * columns].reduce(0, +)
                XCTAssertEqual(sum, 1, accuracy: 1e-5)
            }
        }
    }
}
