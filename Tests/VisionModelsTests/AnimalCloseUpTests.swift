import XCTest

@testable import VisionModels

/// Which part of an image has a second look, and what both looks give together.
final class AnimalCloseUpTests: XCTestCase {
    private func animal(_ edges: [Double], _ scores: [Float]) throws -> FoundAnimal {
        FoundAnimal(box: try XCTUnwrap(UnitBox(edges: edges)), scores: scores)
    }

    private func assertEqual(_ box: UnitBox, _ edges: [Double], line: UInt = #line) {
        for (value, expected) in zip([box.x, box.y, box.x + box.width, box.y + box.height], edges) {
            XCTAssertEqual(value, expected, accuracy: 1e-9, "\(box)", line: line)
        }
    }

    func testThePartSurroundsAllButTheWeakestBoxes() throws {
        let part = try XCTUnwrap(
            AnimalCloseUp.part(around: [
                animal([0.4, 0.3, 0.6, 0.4], [0.3, 0.6]), animal([0.5, 0.35, 0.7, 0.5], [0.2, 0.05]),
                animal([0, 0, 0.1, 0.1], [0.09, 0.02]),
            ]))
        assertEqual(part, [0.355, 0.27, 0.745, 0.53])
    }

    func testThePartEndsAtTheEdge() throws {
        let part = try XCTUnwrap(AnimalCloseUp.part(around: [animal([0, 0.5, 0.5, 1], [0.5, 0.1])]))
        assertEqual(part, [0, 0.425, 0.575, 1])
    }

    func testClearAnimalsAndNoneNeedNoSecondLook() throws {
        let box = [0.2, 0.2, 0.4, 0.4]
        XCTAssertNil(AnimalCloseUp.part(around: []))
        XCTAssertNil(AnimalCloseUp.part(around: [try animal(box, [0.19, 0.1])]))
        XCTAssertNotNil(AnimalCloseUp.part(around: [try animal(box, [0.21, 0.1])]))
        XCTAssertNotNil(AnimalCloseUp.part(around: [try animal(box, [0.1, 0.89])]))
        XCTAssertNil(AnimalCloseUp.part(around: [try animal(box, [0.1, 0.91]), try animal(box, [0.5, 0])]))
    }

    func testAnimalsThatFillTheImageNeedNoSecondLook() throws {
        XCTAssertNil(AnimalCloseUp.part(around: [try animal([0.1, 0.1, 0.9, 0.9], [0.5, 0.1])]))
    }

    /// The part is the right half of the image: a box there is half as wide in the image.
    func testWhatBothLooksFindIsAveraged() throws {
        let part = try XCTUnwrap(UnitBox(edges: [0.5, 0, 1, 1]))
        let joined = AnimalCloseUp.joined(
            [try animal([0.5, 0.2, 0.7, 0.6], [0.4, 0.1]), try animal([0.8, 0.8, 0.9, 0.9], [0.1, 0.3])],
            [try animal([0, 0.2, 0.5, 0.6], [0.8, 0.3]), try animal([0, 0.8, 0.2, 1], [0.2, 0.6])], in: part)
        XCTAssertEqual(joined.count, 3)
        assertEqual(joined[0].box, [0.5, 0.2, 0.725, 0.6])
        XCTAssertEqual(joined[0].scores[0], 0.6, accuracy: 1e-6)
        XCTAssertEqual(joined[0].scores[1], 0.2, accuracy: 1e-6)
        // Each of these was found by one look alone.
        assertEqual(joined[1].box, [0.5, 0.8, 0.6, 1])
        XCTAssertEqual(joined[1].scores, [0.1, 0.3])
        assertEqual(joined[2].box, [0.8, 0.8, 0.9, 0.9])
        XCTAssertEqual(joined[2].scores, [0.05, 0.15])
    }

    func testTwoAnimalsOfOneLookStayTwo() throws {
        let part = try XCTUnwrap(UnitBox(edges: [0, 0, 1, 1]))
        let joined = AnimalCloseUp.joined(
            [try animal([0, 0, 0.5, 1], [0.5, 0]), try animal([0.2, 0, 0.7, 1], [0.25, 0])],
            [try animal([0.1, 0, 0.6, 1], [0.75, 0])], in: part)
        XCTAssertEqual(joined.map(\.scores), [[0.625, 0], [0.125, 0]])
        assertEqual(joined[0].box, [0.05, 0, 0.55, 1])
        assertEqual(joined[1].box, [0.2, 0, 0.7, 1])
    }
}
