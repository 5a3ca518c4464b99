import Foundation
import ModelFixtures
import ModelTestSupport
import Vision
import VisionInference
import VisionModels
import VisionVideo
import XCTest
@testable import openvision

/// What `openvision run` makes of the outputs of models.
final class RunModelTests: XCTestCase {
    func testADetectorSeesTheWholeImageAndItsBoxesAreDrawn() throws {
        let scratch = try Scratch()
        let model = try scratch.write(try breakfastDetector(metadata: breakfastMetadata()), "food.onnx")
        let photos = [
            try DrawnPhotos.write(Colour(red: 255, green: 255, blue: 0), "a.png", in: scratch),
            try DrawnPhotos.write(Colour(red: 255, green: 255, blue: 0), "b.png", in: scratch),
        ]
        let run = try openvision(
            ["run", model] + photos + ["--top", "100", "--json", "--render", scratch.path("drawn.png")])
        XCTAssertEqual(run.code, 0, run.errors)
        let boxes = try run.lines.indices.map { try run.object($0) }
        XCTAssertEqual(Set(boxes.compactMap { ($0["image"] as? [String: Any])?["path"] as? String }), Set(photos))
        // An image of 96 × 64 pixels between two bars: cells of 24 × 24 pixels, and two or three rows of them.
        let corners = boxes.map { numbers($0["box"]) }
        XCTAssertTrue(corners.allSatisfy { abs($0[2] - 24) < 0.3 && abs($0[3] - 24) < 0.3 }, "\(corners)")
        XCTAssertEqual(corners.map { $0[0] }.max() ?? 0, 72, accuracy: 0.01, "the sides are not cropped")
        for name in ["drawn-1.png", "drawn-2.png"] {
            let size = try ImageSource(url: URL(fileURLWithPath: scratch.path(name))).uprightSize()
            XCTAssertEqual([size.width, size.height], [96, 64])
        }
        let few = try openvision(["run", model, photos[0], "--min-confidence", "1", "--json"])
        XCTAssertLessThan(few.lines.count, run.lines.count / 2)
    }

    func testASegmentationIsPrintedAsAreasAndDrawn() throws {
        let scratch = try Scratch()
        var builder = ONNXBuilder(opset: 17)
        builder.model.metadata["openvision"] = #"{"labels": ["red", "green", "blue"]}"#
        let input = builder.input("image", [1, 3, 32, 32])
        builder.output(builder.node("Relu", [input], output: "scores"), [1, 3, 32, 32])
        let model = try scratch.write(builder.data(), "colours.onnx")
        let photo = scratch.path("two.png")
        let buffer = try CVPixelBuffer.make(width: 120, height: 60, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: 90, height: 60), Colour(red: 200, green: 10, blue: 30))
            canvas.fill(PixelRectangle(x: 90, y: 0, width: 30, height: 60), Colour(red: 10, green: 20, blue: 190))
        }
        try ImageFile.write(buffer, to: photo)
        let run = try openvision(["run", model, photo, "--render", scratch.path("drawn.png"), "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(try run.lines.indices.map { try run.object($0)["label"] as? String }, ["red", "blue"])
        XCTAssertEqual(try XCTUnwrap(try run.object(0)["share"] as? Double), 0.75, accuracy: 0.02)
        let text = try openvision(["run", model, photo])
        XCTAssertTrue(text.output.hasPrefix("75."), text.output)
        let drawn = ImageSource(url: URL(fileURLWithPath: scratch.path("drawn.png")))
        let pixels = try drawn.derivative(
            Derivative(region: PixelRegion(width: 120, height: 60), width: 120, height: 60, format: .bgra8))
        func colour(_ x: Int, _ y: Int) -> [UInt8] {
            pixels.withUnsafePixels { base in
                (0..<3).map { base.load(fromByteOffset: y * pixels.rowBytes + 4 * x + $0, as: UInt8.self) }
            }
        }
        XCTAssertEqual(colour(30, 5), colour(80, 5))
        XCTAssertNotEqual(colour(80, 5), colour(100, 5))
    }

    func testWhatAModelSawIsMappedToTheImage() throws {
        let wide = ModelField(image: (200, 100), input: (64, 64), crop: .fit)
        XCTAssertEqual([wide.x, wide.y, wide.width, wide.height], [0, -0.5, 1, 2])
        XCTAssertEqual(wide.input(x: 0.5, y: 0)?.y, 0.25)
        XCTAssertFalse(wide.isImage(x: 0.5, y: 0.2))
        XCTAssertTrue(wide.isImage(x: 0.5, y: 0.3))
        let cropped = ModelField(image: (200, 100), input: (64, 64), crop: .centre)
        XCTAssertEqual([cropped.x, cropped.y, cropped.width, cropped.height], [0.25, 0, 0.5, 1])
        XCTAssertNil(cropped.input(x: 0.2, y: 0.5))
        let high = ModelField(image: (100, 200), input: (64, 64), crop: .fit)
        XCTAssertEqual([high.x, high.y, high.width, high.height], [-0.5, 0, 2, 1])
        XCTAssertEqual(ModelField(image: (200, 100), input: (64, 64), crop: .fill), ModelField())
        XCTAssertEqual(ModelField(image: (200, 100), input: nil, crop: .fit), ModelField())
    }

    func testSegmentationsAreToldFromOtherOutputs() throws {
        func map(_ shape: [Int], isInteger: Bool = false, labels: Int? = nil, _ values: [Float]) -> ClassMap? {
            ClassMap(shape: shape, isInteger: isInteger, labelCount: labels) { values }
        }
        let cells = (0..<25).map { Float($0 % 5) }
        XCTAssertEqual(map([1, 5, 5], isInteger: true, cells)?.classes, cells.map { UInt8($0) })
        XCTAssertNil(map([1, 5, 5], cells), "floats without labels are a heat map")
        XCTAssertNil(map([5, 5], isInteger: true, labels: 4, cells), "there is no class 4")
        XCTAssertNil(map([5, 5], isInteger: true, cells.map { $0 - 1 }))
        XCTAssertNil(map([5, 5], isInteger: true, cells.map { $0 + 300 }))
        // Scores with the classes first and last; the second class wins in the last cell.
        var first = [Float](repeating: 0, count: 50)
        first[49] = 1
        XCTAssertEqual(map([1, 2, 5, 5], first)?.classes.last, 1)
        XCTAssertEqual(map([5, 5, 2], first)?.classes.last, 1)
        XCTAssertEqual(map([5, 5, 2], first)?.classes.dropLast().max(), 0)
        XCTAssertNil(map([1000, 7, 7], [Float](repeating: 0, count: 49_000)), "features")
        XCTAssertNil(map([1, 1000], cells))
        XCTAssertEqual(map([1, 2, 5, 5], [Float](repeating: .nan, count: 50))?.classes.max(), 0)
    }
}
