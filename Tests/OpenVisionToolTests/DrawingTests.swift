import Vision
import VisionImage
import XCTest

@testable import openvision

final class DrawingTests: XCTestCase {
    private let box = PixelRegion(x: 20, y: 40, width: 100, height: 60)

    private func draw(_ box: PixelRegion, confidence: Float, target: Int = 0) throws -> CVPixelBuffer {
        let buffer = try CVPixelBuffer.make(width: 160, height: 120, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) {
            BoxPainter(videoHeight: 120).draw(box, confidence: confidence, target: target, on: $0)
        }
        return buffer
    }

    /// How many pixels of the middle of the bottom edge have the colour of the target.
    private func painted(_ buffer: CVPixelBuffer) throws -> Int {
        try (20..<120).filter { try pixel(buffer, $0, 99) == Colour.forTarget(0) }.count
    }

    func testConfidentBoxIsSolidOnAllEdges() throws {
        let buffer = try draw(box, confidence: 0.5)
        XCTAssertEqual(try painted(buffer), 100)
        for y in 40..<100 {
            XCTAssertEqual(try pixel(buffer, 20, y), Colour.forTarget(0))
            XCTAssertEqual(try pixel(buffer, 119, y), Colour.forTarget(0))
        }
        XCTAssertEqual(try pixel(buffer, 70, 70), .black, "the inside is left alone")
        XCTAssertEqual(try pixel(buffer, 70, 101), .black, "nothing below the box")
    }

    func testBoxOfLowConfidenceIsDashedWithItsCorners() throws {
        let buffer = try draw(box, confidence: 0.49)
        XCTAssertTrue((40...75).contains(try painted(buffer)))
        for (x, y) in [(20, 40), (119, 40), (20, 99), (119, 99)] {
            XCTAssertEqual(try pixel(buffer, x, y), Colour.forTarget(0))
        }
    }

    func testLabelIsAboveTheBoxAndShowsDifferentConfidencesDifferently() throws {
        func ink(_ confidence: Float) throws -> [Colour] {
            let buffer = try draw(box, confidence: confidence)
            return try (29..<40).flatMap { y in try (20..<80).map { try pixel(buffer, $0, y) } }
        }
        XCTAssertEqual(try ink(0.93).filter { $0 == Colour.forTarget(0) }.count > 200, true)
        XCTAssertNotEqual(try ink(0.93), try ink(0.95))
    }

    func testBoxesOutsideTheImageOrNotFinitePaintNothingOutside() throws {
        let outside = [
            PixelRegion(x: -50, y: -50, width: 400, height: 300), PixelRegion(x: 150, y: 110, width: 500, height: 500),
            PixelRegion(x: -1000, y: 5, width: 10, height: 10), PixelRegion(x: .nan, y: 0, width: 10, height: 10),
            PixelRegion(x: 0, y: 0, width: .infinity, height: 10), PixelRegion(x: 1e300, y: 0, width: 1, height: 1),
            PixelRegion(x: 10, y: 10, width: 0.2, height: 0.2), PixelRegion(x: 10, y: 10, width: -5, height: 5),
        ]
        for box in outside {
            XCTAssertNoThrow(try draw(box, confidence: .nan), "\(box)")
        }
    }

    func testColoursOfSixteenTargetsDiffer() {
        let colours = (0..<16).map(Colour.forTarget)
        for (index, colour) in colours.enumerated() {
            XCTAssertFalse(colours[..<index].contains(colour))
            XCTAssertGreaterThan(max(colour.red, colour.green, colour.blue), 200)
        }
    }

    func testOnlyBGRAIsPaintedOn() throws {
        let grey = try CVPixelBuffer.make(width: 8, height: 8, format: kCVPixelFormatType_OneComponent8, path: "test")
        XCTAssertThrowsError(try Canvas.paint(on: grey) { _ in })
    }
}
