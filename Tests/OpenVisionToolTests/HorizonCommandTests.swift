import ModelTestSupport
import Foundation
import Vision
import VisionImage
import VisionVideo
import XCTest

@testable import openvision

/// Runs `openvision horizon` as its users do, with synthetic images.
final class HorizonCommandTests: XCTestCase {
    /// Rows of windows; the right end of a row is higher by the angle, in degrees.
    private func write(_ name: String, rotatedBy degrees: Double, in scratch: Scratch) throws -> String {
        let (width, height) = (320, 240)
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            for row in 0..<height {
                for column in 0..<width {
                    let (x, y) = (Double(column) - 160, Double(row) - 120)
                    let (u, v) = ((c * x - s * y) / 40, (s * x + c * y) / 48)
                    let isWindow =
                        (0.3...0.7).contains(u - u.rounded(.down)) && (0.3...0.8).contains(v - v.rounded(.down))
                    let grey: UInt8 = isWindow ? 60 : 180
                    canvas.fill(
                        PixelRectangle(x: column, y: row, width: 1, height: 1),
                        Colour(red: grey, green: grey, blue: grey))
                }
            }
        }
        let path = scratch.path(name)
        try ImageFile.write(buffer, to: path)
        return path
    }

    func testTheAngleIsPrintedAndThePhotoIsWrittenLevel() throws {
        let scratch = try Scratch()
        let photo = try write("tilted.png", rotatedBy: 8, in: scratch)
        let level = scratch.path("level.png")
        let run = try openvision(["horizon", photo, "--json", "--render", level])
        XCTAssertEqual(run.code, 0, run.errors)
        let horizon = try XCTUnwrap(try run.results(0).first)
        XCTAssertEqual(try XCTUnwrap(horizon["angle"] as? Double), 8, accuracy: 0.3)
        // The middle stays, and the right end, which is the higher one, goes down.
        let rows = try XCTUnwrap(horizon["transform"] as? [[Double]])
        func moved(_ x: Double, _ y: Double) -> [Double] { rows.prefix(2).map { $0[0] * x + $0[1] * y + $0[2] } }
        for (found, wanted) in zip(moved(160, 120), [160.0, 120]) { XCTAssertEqual(found, wanted, accuracy: 0.01) }
        XCTAssertEqual(moved(260, 120)[1], 120 + 100 * sin(8 * .pi / 180), accuracy: 1)
        let again = try openvision(["horizon", level, "--json"])
        let rest = try XCTUnwrap(try again.results(0).first)
        XCTAssertEqual(try XCTUnwrap(rest["angle"] as? Double), 0, accuracy: 0.3)
        let size = try ImageSource(data: try Data(contentsOf: URL(fileURLWithPath: level))).uprightSize()
        XCTAssertLessThan(size.width, 320)
        XCTAssertGreaterThan(size.width, 240)
    }

    func testPhotosAboveThePixelLimitAreSkipped() throws {
        let scratch = try Scratch()
        let photo = try write("tilted.png", rotatedBy: 8, in: scratch)
        XCTAssertEqual(try openvision(["horizon", photo, "--max-pixels", "76800"]).code, 0)
        let run = try openvision(["horizon", photo, "--max-pixels", "76799"])
        XCTAssertEqual(run.code, 1)
        XCTAssertTrue(run.errors.contains("320 × 240 pixels, more than the limit of 76799"), run.errors)
        XCTAssertEqual(try openvision(["horizon", photo, "--max-pixels", "0"]).code, 64)
    }

    func testAPhotoWithoutAHorizonIsReportedAndWrittenUnchanged() throws {
        let scratch = try Scratch()
        let buffer = try CVPixelBuffer.make(width: 90, height: 60, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: 90, height: 60), Colour(red: 30, green: 60, blue: 90))
        }
        let (photo, copy) = (scratch.path("flat.png"), scratch.path("copy.png"))
        try ImageFile.write(buffer, to: photo)
        let run = try openvision(["horizon", photo, "--render", copy])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertTrue(run.output.contains("no horizon"), run.output)
        XCTAssertEqual(try openvision(["horizon", photo, "--json"]).results(0).count, 0)
        let size = try ImageSource(data: try Data(contentsOf: URL(fileURLWithPath: copy))).uprightSize()
        XCTAssertEqual([size.width, size.height], [90, 60])
    }

    func testFilesThatAreNotImagesAreReported() throws {
        let scratch = try Scratch()
        let photo = try write("a.png", rotatedBy: 0, in: scratch)
        let text = scratch.path("b.jpg")
        try Data("no photo".utf8).write(to: URL(fileURLWithPath: text))
        let run = try openvision(["horizon", photo, text, "--json"])
        XCTAssertEqual(run.code, 1)
        XCTAssertEqual(try run.results(0).count, 1)
        XCTAssertNotNil(try run.object(1)["error"] as? String)
    }

    func testWrongCommandLinesExitWith64() throws {
        for arguments in [["horizon"], ["horizon", "a.jpg", "--render", "c.gif"]] {
            XCTAssertEqual(try openvision(arguments).code, 64, "\(arguments)")
        }
    }
}
