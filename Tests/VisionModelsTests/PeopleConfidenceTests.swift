import VisionImage
import XCTest

@testable import VisionModels

final class PeopleConfidenceTests: XCTestCase {
    private let scene = [
        person(10, 20, 60, 180, 0.92), person(90, 30, 50, 170, 0.81), person(20, 30, 40, 60, 0.45),
        person(200, 40, 55, 160, 0.40), person(300, 200, 9, 12, 0.12),
    ]

    private static func person(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ score: Float
    ) -> FoundPerson {
        FoundPerson(box: PixelRegion(x: x, y: y, width: width, height: height), score: score)
    }

    private func confidences(
        _ people: [FoundPerson], _ part: FoundPerson.Part = .wholeBody, height: Double = 240
    ) -> [Float] {
        PeopleConfidence.judged(people, part, height: height).map(\.confidence)
    }

    /// The numbers are those of Training/People/fit_confidence.py for the same boxes.
    func testConfidencesAreThoseOfTheFit() {
        for (found, expected) in zip(confidences(scene), [0.961864, 0.825706, 0.153099, 0.204372, 0.017046]) {
            XCTAssertEqual(found, Float(expected), accuracy: 2e-6)
        }
        for (found, expected) in zip(
            confidences(scene, .upperBody), [0.950461, 0.790127, 0.279797, 0.173075, 0.022787])
        {
            XCTAssertEqual(found, Float(expected), accuracy: 2e-6)
        }
    }

    func testAWeakBoxIsLikelierAmongPeopleOfItsSize() throws {
        let alone = try XCTUnwrap(confidences([scene[3]]).first)
        XCTAssertLessThan(alone, confidences(scene)[3])
        let clear = (0..<4).map { Self.person(Double(100 * $0), 0, 60, 160, 0.9) }
        let weak = Self.person(500, 0, 55, 160, 0.4)
        XCTAssertGreaterThan(try XCTUnwrap(confidences(clear + [weak]).last), 2 * alone)
        let tiny = Self.person(500, 0, 55 * 4, 160 * 4, 0.4)
        XCTAssertLessThan(
            try XCTUnwrap(confidences(clear + [tiny]).last), try XCTUnwrap(confidences(clear + [weak]).last))
    }

    func testABoxOverABetterOneIsLessLikely() throws {
        let (better, beside) = (Self.person(0, 0, 60, 160, 0.9), Self.person(100, 0, 60, 160, 0.5))
        let over = Self.person(25, 0, 60, 160, 0.5)
        XCTAssertLessThan(confidences([better, over])[1], confidences([better, beside])[1])
    }

    func testScoresAndBoxesStayAndAllSizesAreFinite() {
        let judged = PeopleConfidence.judged(scene, .wholeBody, height: 240)
        XCTAssertEqual(judged.map(\.box), scene.map(\.box))
        XCTAssertEqual(judged.map(\.score), scene.map(\.score))
        XCTAssertEqual(PeopleConfidence.judged([], .wholeBody, height: 240), [])
        let extremes = [Self.person(0, 0, 1e-12, 1e9, 1), Self.person(0, 0, 0, 0, 0.1), Self.person(0, 0, 1, 1, 0.1)]
        XCTAssertTrue(confidences(extremes, height: 1).allSatisfy { (0...1).contains($0) })
    }
}
