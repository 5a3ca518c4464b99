import VisionFilters
import XCTest

final class ValueTests: XCTestCase {
    func testVectorsHoldNumbersAndAreEqualByThem() {
        XCTAssertEqual(CIVector(x: 1, y: 2), CIVector(cgPoint: CGPoint(x: 1, y: 2)))
        XCTAssertNotEqual(CIVector(x: 1), CIVector(x: 1, y: 0))
        XCTAssertEqual(CIVector(string: "[1 0.5, -3]").stringRepresentation, "[1.0 0.5 -3.0]")
        XCTAssertEqual(CIVector(x: 3).value(at: 7), 0)
        XCTAssertEqual(CIVector(x: 3).value(at: -1), 0)
        let turn = CGAffineTransform(rotationAngle: 1)
        XCTAssertEqual(CIVector(cgAffineTransform: turn).cgAffineTransformValue, turn)
        let box = CGRect(x: 1, y: 2, width: 3, height: 4)
        XCTAssertEqual(CIVector(cgRect: box).cgRectValue, box)
        XCTAssertEqual(CIVector(values: [1, 2, 3], count: 2).count, 2)
        XCTAssertEqual(Set([CIVector(x: 1), CIVector(x: 1)]).count, 1)
    }

    func testColoursComeFromTextsAndCoreGraphics() {
        XCTAssertEqual(CIColor(string: "1 0 0"), .red)
        XCTAssertEqual(CIColor(cgColor: CGColor(gray: 1, alpha: 1)), .white)
        XCTAssertEqual(CIColor(cgColor: CGColor(red: 0, green: 1, blue: 0, alpha: 0.5)).alpha, 0.5)
        XCTAssertEqual(CIColor(string: "rubbish"), .black)
        XCTAssertEqual(CIColor(string: CIColor.cyan.stringRepresentation), .cyan)
    }
}
