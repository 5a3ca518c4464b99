import ModelTestSupport
import VisionImage
import XCTest

@testable import openvision
import VisionPhotos

final class RankingTests: XCTestCase {
    func testTheNearestAreKeptWhateverTheirOrder() {
        var random = SplitMix64(seed: 3)
        for limit in [1, 2, 10, 100, 999, .max] {
            // Whole numbers, so that many are equally near.
            let all = (0..<1000).map { (key: $0, distance: Float(Int.random(in: 0..<200, using: &random))) }
            let expected = all.sorted { ($0.distance, $0.key) < ($1.distance, $1.key) }.prefix(limit).map(\.key)
            for order in [all, all.reversed(), all.shuffled(using: &random)] {
                var nearest = Nearest<Int>(limit: limit)
                for one in order { nearest.add(one.key, distance: one.distance) }
                XCTAssertEqual(nearest.sorted.map(\.key), expected, "\(limit)")
            }
        }
        XCTAssertEqual(Nearest<Int>(limit: 5).sorted.count, 0)
    }

    func testPathsOfEqualDistanceAreInTheOrderOfTheirBytes() {
        var nearest = Nearest<FilePath>(limit: 3)
        for name in ["b", "é", "a", "B"] { nearest.add(FilePath(name), distance: 1) }
        XCTAssertEqual(Ranking(nearest).photos.map(\.path.text), ["B", "a", "b"])
    }

    // MARK: Trees of classes

    private let parents: [String: [String]] = [
        "dog": ["mammal", "pet"], "poodle": ["dog"], "mammal": ["animal"], "pet": ["animal"], "animal": ["thing"],
        "teapot": ["vessel"], "vessel": ["thing"],
    ]

    private func lines(_ classes: [(String, Double)]) -> [String] {
        ClassTree(classes.map { .init(identifier: $0.0, confidence: $0.1) }) { self.parents[$0] ?? [] }
            .lines.map { String(repeating: " ", count: $0.depth) + $0.shown.identifier }
    }

    func testClassesAreListedBelowTheMoreGeneralOnes() {
        XCTAssertEqual(
            lines([("poodle", 0.5), ("dog", 0.7), ("mammal", 0.8), ("animal", 0.9), ("teapot", 0.6), ("thing", 0.95)]),
            ["thing", " animal", "  mammal", "   dog", "    poodle", " teapot"])
    }

    func testAClassWithSeveralParentsIsListedBelowTheMostConfident() {
        XCTAssertEqual(
            lines([("dog", 0.5), ("mammal", 0.6), ("pet", 0.9), ("animal", 0.95)]),
            ["animal", " pet", "  dog", " mammal"])
    }

    func testClassesThatAreNotInTheListAreSkipped() {
        XCTAssertEqual(lines([("poodle", 0.5), ("animal", 0.4), ("vessel", 0.9)]), ["vessel", "animal", " poodle"])
        XCTAssertEqual(lines([]), [])
    }

    func testEqualClassesAreInAlphabeticalOrder() {
        XCTAssertEqual(
            lines([("vessel", 0.5), ("animal", 0.5), ("pet", 0.5), ("mammal", 0.5)]),
            [
                "animal", " mammal", " pet", "vessel",
            ])
    }

    func testCyclesEnd() {
        let tree = ClassTree([.init(identifier: "a", confidence: 1)]) { $0 == "a" ? ["b"] : ["a", "b"] }
        XCTAssertEqual(tree.lines.count, 1)
    }
}
