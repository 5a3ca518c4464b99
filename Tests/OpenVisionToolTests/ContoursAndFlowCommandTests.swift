import Foundation
import ModelTestSupport
import Vision
import VisionImage
import VisionVideo
import XCTest

@testable import openvision

/// Runs `openvision contours` and `openvision flow` as their users do, with synthetic images.
final class ContoursAndFlowCommandTests: XCTestCase {
    private func write(
        _ name: String, in scratch: Scratch, width: Int = 120, height: Int = 80,
        pixel: (_ x: Int, _ y: Int) -> UInt8
    ) throws -> String {
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            for y in 0..<height {
                for x in 0..<width {
                    let grey = pixel(x, y)
                    canvas.fill(
                        PixelRectangle(x: x, y: y, width: 1, height: 1), Colour(red: grey, green: grey, blue: grey))
                }
            }
        }
        let path = scratch.path(name)
        try ImageFile.write(buffer, to: path)
        return path
    }

    private func ring(_ x: Int, _ y: Int) -> UInt8 {
        let isOutside = !(10..<60).contains(x) || !(10..<60).contains(y)
        return isOutside || (20..<50).contains(x) && (20..<50).contains(y) ? 240 : 10
    }

    private func texture(_ x: Int, _ y: Int) -> UInt8 {
        let (x, y) = (Double(x), Double(y))
        return UInt8(128 + 60 * sin(0.21 * x + 0.1 * y) + 50 * cos(0.17 * y - 0.06 * x))
    }

    func testTheFilesOfAPhotoHaveItsNumberWhateverPhotosAreDamaged() throws {
        let scratch = try Scratch()
        let photo = try write("ring.png", in: scratch, pixel: ring)
        let damaged = scratch.path("damaged.png")
        try Data("no image".utf8).write(to: URL(fileURLWithPath: damaged))
        let run = try openvision([
            "contours", damaged, photo, "--svg", scratch.path("a.svg"), "--render", scratch.path("r.png"),
        ])
        XCTAssertEqual(run.code, 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path("."))
        XCTAssertTrue(Set(files).isSuperset(of: ["a-2.svg", "r-2.png"]), "\(files)")
        XCTAssertFalse(files.contains("a-1.svg"))
    }

    func testContoursArePrintedAndDrawn() throws {
        let scratch = try Scratch()
        let photo = try write("ring.png", in: scratch, pixel: ring)
        let (svg, render) = (scratch.path("ring.svg"), scratch.path("drawn.png"))
        let run = try openvision([
            "contours", photo, "--epsilon", "1", "--svg", svg, "--render", render, "--json",
        ])
        XCTAssertEqual(run.code, 0, run.errors)
        let found = try run.results(0)
        XCTAssertEqual(found.map { $0["index"] as? [Int] }, [[0], [0, 0]])
        XCTAssertEqual(found.map { $0["isHole"] as? Bool }, [false, true])
        let points = numbers(found[0]["points"])
        XCTAssertEqual(points.count, 8)
        XCTAssertEqual(points.min() ?? 0, 10.5, accuracy: 0.01)
        XCTAssertEqual(points.max() ?? 0, 59.5, accuracy: 0.01)
        let text = try String(contentsOf: URL(fileURLWithPath: svg), encoding: .utf8)
        XCTAssertEqual(text.components(separatedBy: "Z").count, 3)
        XCTAssertTrue(text.contains("viewBox=\"0 0 120 80\""))
        XCTAssertEqual(try ImageSource(url: URL(fileURLWithPath: render)).uprightSize().width, 120)
        let plain = try openvision(["contours", photo])
        XCTAssertTrue(plain.output.contains("2 contours, 1 top-level"), plain.output)
        XCTAssertEqual(try openvision(["contours", photo, "--pivot", "2"]).code, 64)
        XCTAssertEqual(try openvision(["contours", scratch.path("none.png")]).code, 1)
    }

    func testFlowOfTwoImagesIsPrintedAndWritten() throws {
        let scratch = try Scratch()
        let first = try write("first.png", in: scratch, pixel: texture)
        let second = try write("second.png", in: scratch) { texture($0 - 3, $1 + 1) }
        let (flo, render) = (scratch.path("flow.flo"), scratch.path("flow.png"))
        let run = try openvision([
            "flow", first, second, "--accuracy", "high", "--flo", flo, "--render", render, "--json",
        ])
        XCTAssertEqual(run.code, 0, run.errors)
        let mean = try XCTUnwrap(try run.results(0).first)
        XCTAssertEqual(try XCTUnwrap(mean["x"] as? Double), 3, accuracy: 0.3)
        XCTAssertEqual(try XCTUnwrap(mean["y"] as? Double), -1, accuracy: 0.3)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: flo))
        XCTAssertEqual(bytes.count, 12 + 8 * 120 * 80)
        XCTAssertEqual(bytes.prefix(4), Data("PIEH".utf8))
        XCTAssertEqual(try ImageSource(url: URL(fileURLWithPath: render)).uprightSize().height, 80)
        XCTAssertEqual(try openvision(["flow", first, scratch.path("none.png")]).code, 1)
        XCTAssertEqual(try openvision(["flow", first, second, second]).code, 64)
    }

    func testFlowOfAFolderOfFramesIsALineForEach() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            atPath: scratch.path("frames"), withIntermediateDirectories: true)
        for frame in 0..<3 { _ = try write("frames/\(frame).png", in: scratch) { texture($0 - 2 * frame, $1) } }
        let run = try openvision(["flow", scratch.path("frames"), "--json", "-q"])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.count, 3)
        XCTAssertEqual(try run.results(0).count, 0)
        for line in 1...2 {
            XCTAssertEqual(try XCTUnwrap(try run.results(line).first?["x"] as? Double), 2, accuracy: 0.3)
        }
    }
}
