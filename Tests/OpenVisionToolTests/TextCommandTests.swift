import ModelTestSupport
import Foundation
import Vision
import VisionModels
import VisionVideo
import XCTest

@testable import openvision

/// How `openvision text` prints and draws results. The request has tests of its own.
final class TextCommandTests: XCTestCase {
    private func requireNetwork() throws {
        _ = try requireModel { try TextNetwork.shared() }
    }

    /// A number in the letters of charts, large, on white.
    private func makeImage(in scratch: Scratch, _ name: String) throws -> String {
        let buffer = try CVPixelBuffer.make(width: 360, height: 160, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: 360, height: 160), Colour(red: 250, green: 250, blue: 250))
            for (index, letter) in "HOTELLO".enumerated() {
                for (row, bits) in (BlockLetters.glyphs[letter] ?? []).enumerated() {
                    for column in 0..<5 where bits & (16 >> UInt8(column)) != 0 {
                        canvas.fill(
                            PixelRectangle(x: 60 + 36 * index + 5 * column, y: 60 + 5 * row, width: 5, height: 5),
                            Colour(red: 10, green: 20, blue: 60))
                    }
                }
            }
        }
        try ImageFile.write(buffer, to: scratch.path(name))
        return scratch.path(name)
    }

    func testWrongCommandLinesExitWith64() throws {
        for (arguments, part) in [
            (["text"], "images"), (["text", "a.jpg", "--render", "b.gif"], "b.gif"),
            (["text", "a.jpg", "--threads", "0"], "--threads"), (["text", "a.jpg", "--characters"], "--find"),
            (["text", "a.jpg", "--format", "pdf"], "--output"),
        ] {
            let run = try openvision(arguments)
            XCTAssertEqual(run.code, 64, "\(arguments)")
            XCTAssertTrue(run.errors.contains(part), "\(arguments): \(run.errors)")
        }
        XCTAssertTrue(try openvision(["text", "--help"]).output.contains("Examples:"))
    }

    func testATextLineIsPrintedInPixelsWithItsCharactersAndDrawn() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let photo = try makeImage(in: scratch, "sign.png")
        let drawing = scratch.path("found.png")
        let run = try openvision(["text", photo, "--find", "--characters", "--json", "--render", drawing])
        XCTAssertEqual(run.code, 0, run.errors)
        let lines = try run.results(0)
        XCTAssertEqual(lines.count, 1)
        let corners = numbers(lines.first?["corners"])
        XCTAssertEqual(corners.count, 8)
        for (found, wanted) in zip(corners, [60.0, 60, 301, 60, 301, 95, 60, 95]) {
            XCTAssertEqual(found, wanted, accuracy: 12)
        }
        let characters = try XCTUnwrap(lines.first?["characters"] as? [[[Double]]])
        XCTAssertGreaterThanOrEqual(characters.count, 6)
        for character in characters {
            XCTAssertEqual(character.count, 4)
            for corner in character { XCTAssertTrue((50...311).contains(corner[0])) }
        }
        XCTAssertTrue(FileManager.default.fileExists(atPath: drawing))
        let plain = try openvision(["text", photo, "--find"])
        XCTAssertEqual(plain.output.split(separator: "\n").count, 2)
    }

    func testAFileThatIsNotAnImageIsReportedAndTheOthersAreProcessed() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let photo = try makeImage(in: scratch, "sign.png")
        try Data("text".utf8).write(to: URL(fileURLWithPath: scratch.path("none.jpg")))
        let run = try openvision(["text", "--find", scratch.path("none.jpg"), photo, "--threads", "1"])
        XCTAssertEqual(run.code, 1)
        XCTAssertTrue(run.errors.contains("none.jpg"))
        XCTAssertTrue(run.output.contains("sign.png"))
    }
}
