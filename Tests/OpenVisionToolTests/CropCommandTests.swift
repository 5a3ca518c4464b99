import Foundation
import ModelTestSupport
import Vision
import VisionImage
import VisionModels
import VisionVideo
import XCTest

@testable import openvision

/// Runs `saliency`, `crop`, `people` and `animals` as their users do, on a drawing.
final class CropCommandTests: XCTestCase {
    override func setUpWithError() throws {
        _ = try requireModel { try Backbone.shared(.efficientNetLite2) }
    }

    /// A textured disc on a plain wall, at the left of a photo of 640 × 320 pixels.
    private func photo(_ scratch: Scratch) throws -> String {
        let buffer = try CVPixelBuffer.make(
            width: 640, height: 320, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            for row in 0..<320 {
                for column in 0..<640 {
                    let inside = (column - 130) * (column - 130) + (row - 170) * (row - 170) < 80 * 80
                    let red: UInt8 = inside ? UInt8(150 + (column * 7 + row * 5) % 100) : 60
                    canvas.fill(
                        PixelRectangle(x: column, y: row, width: 1, height: 1),
                        Colour(red: red, green: inside ? 90 : 60, blue: 60))
                }
            }
        }
        let path = scratch.path("disc.png")
        try ImageFile.write(buffer, to: path)
        return path
    }

    private func size(_ path: String) throws -> [Int] {
        let size = try ImageSource(data: Data(contentsOf: URL(fileURLWithPath: path))).uprightSize()
        return [size.width, size.height]
    }

    func testTheCropHoldsWhatIsSalientAndHasTheSize() throws {
        let scratch = try Scratch()
        let photo = try photo(scratch)
        let output = scratch.path("crop.png")
        let run = try openvision(["crop", photo, "--to", "1:1", "--output", output, "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        let box = try XCTUnwrap(try run.results(0).first?["box"] as? [String: Double])
        XCTAssertLessThan(try XCTUnwrap(box["x"]), 51)
        XCTAssertEqual(box["width"], 320)
        XCTAssertEqual(try size(output), [320, 320])
        let thumbnail = scratch.path("thumbnail.jpg")
        XCTAssertEqual(try openvision(["crop", photo, "--to", "100x50", "--output", thumbnail]).code, 0)
        XCTAssertEqual(try size(thumbnail), [100, 50])
    }

    func testInvalidTargetsAreExplained() throws {
        for target in ["16", "0:9", "16:-9", "400x", "0x5", "99999x5", "nan:1", "a:b"] {
            let run = try openvision(["crop", "a.jpg", "--to", target, "--output", "b.jpg"])
            XCTAssertEqual(run.code, 64, target)
        }
    }

    func testSaliencyPrintsBoxesAndDrawsTheMap() throws {
        let scratch = try Scratch()
        let photo = try photo(scratch)
        for kind in ["--attention", "--objectness"] {
            let drawing = scratch.path("heat.png")
            let run = try openvision(["saliency", photo, kind, "--json", "--render", drawing])
            XCTAssertEqual(run.code, 0, run.errors)
            let results = try run.results(0)
            XCTAssertEqual(results.count, 1, kind)
            let box = try XCTUnwrap(results.first?["box"] as? [String: Double])
            let (x, width) = (try XCTUnwrap(box["x"]), try XCTUnwrap(box["width"]))
            XCTAssertEqual(x + width / 2, 130, accuracy: 60, kind)
            XCTAssertEqual(try size(drawing), [640, 320])
        }
    }

    func testPeopleAndAnimalsSayThatThereAreNone() throws {
        let scratch = try Scratch()
        let photo = try photo(scratch)
        for (command, nothing) in [("people", "no person"), ("animals", "no cat or dog")] {
            let run = try openvision([command, photo])
            XCTAssertEqual(run.code, 0, run.errors)
            XCTAssertTrue(run.output.contains(nothing), run.output)
            XCTAssertEqual(try openvision([command, photo, "--min-confidence", "2"]).code, 64)
        }
        XCTAssertEqual(try openvision(["people", photo, "--upper-body", "--json"]).code, 0)
    }
}
