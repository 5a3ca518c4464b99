import Foundation
import ModelTestSupport
import Vision
import VisionImage
import VisionModels
import VisionVideo
import XCTest

@testable import openvision

/// Runs `openvision document` and `openvision segment` as their users do, with drawn images.
final class DocumentCommandTests: XCTestCase {
    /// A page in perspective on a dark desk, or the desk alone.
    private func write(_ name: String, hasPage: Bool = true, in scratch: Scratch) throws -> String {
        let buffer = try CVPixelBuffer.make(width: 320, height: 240, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ grey: UInt8) {
                canvas.fill(
                    PixelRectangle(x: x, y: y, width: width, height: height), Colour(red: grey, green: grey, blue: grey)
                )
            }
            fill(0, 0, 320, 240, 90)
            guard hasPage else { return }
            fill(60, 40, 190, 150, 230)
            for line in 0..<8 { fill(75, 55 + 15 * line, 150, 4, 60) }
        }
        let path = scratch.path(name)
        try ImageFile.write(buffer, to: path)
        return path
    }

    /// A bright square of stripes on a dark wall.
    private func writeSquare(_ name: String, in scratch: Scratch) throws -> String {
        let buffer = try CVPixelBuffer.make(width: 320, height: 240, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ grey: UInt8) {
                canvas.fill(
                    PixelRectangle(x: x, y: y, width: width, height: height), Colour(red: grey, green: grey, blue: grey)
                )
            }
            fill(0, 0, 320, 240, 60)
            for stripe in 0..<20 { fill(60 + 5 * stripe, 60, 5, 100, UInt8(150 + stripe * 37 % 100)) }
        }
        let path = scratch.path(name)
        try ImageFile.write(buffer, to: path)
        return path
    }

    private func size(_ path: String) throws -> [Int] {
        let size = try ImageSource(url: URL(fileURLWithPath: path)).uprightSize()
        return [size.width, size.height]
    }

    func testThePageIsPrintedAndRectified() throws {
        let scratch = try Scratch()
        let photo = try write("page.png", in: scratch)
        let (page, drawn) = (scratch.path("flat.png"), scratch.path("drawn.png"))
        let run = try openvision(["document", photo, "--json", "--correct", page, "--render", drawn])
        XCTAssertEqual(run.code, 0, run.errors)
        let found = try run.results(0)
        XCTAssertEqual(found.count, 1)
        let corners = numbers(found.first?["corners"])
        XCTAssertEqual(corners.count, 8)
        for (value, wanted) in zip(corners, [60.0, 40, 250, 40, 250, 190, 60, 190]) {
            XCTAssertEqual(value, wanted, accuracy: 1.5)
        }
        let flat = try size(page)
        XCTAssertEqual(Double(flat[0]), 190, accuracy: 6)
        XCTAssertEqual(Double(flat[1]), 150, accuracy: 6)
        XCTAssertEqual(try size(drawn), [320, 240])
        let text = try openvision(["document", photo])
        XCTAssertTrue(text.lines.count == 2 && text.lines[1].contains(","), text.output)
    }

    func testWithoutAPageNothingIsWritten() throws {
        let scratch = try Scratch()
        let (photo, page) = (try write("desk.png", hasPage: false, in: scratch), scratch.path("flat.png"))
        let run = try openvision(["document", photo, "--correct", page])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.last, "  no page")
        XCTAssertFalse(FileManager.default.fileExists(atPath: page))
        XCTAssertEqual(try openvision(["document", photo, "--json"]).results(0).count, 0)
    }

    func testInvalidOptionsAreErrors() throws {
        let scratch = try Scratch()
        let photo = try write("page.png", in: scratch)
        for arguments in [
            ["document", photo, "--correct", "page.gif"], ["document", photo, "--min-confidence", "2"],
            ["segment", photo, "--mask", "mask.jpg"], ["segment", photo, "--cutout", "cut.jpg"],
            ["segment", photo, "--crop"], ["segment", photo, "--only", "1"],
            ["segment", photo, "--foreground", "--only", "0"], ["segment", photo, "--quality", "best"],
        ] {
            let run = try openvision(arguments)
            XCTAssertEqual(run.code, 64, "\(arguments): \(run.errors)")
        }
        for background in ["#12345", "#gggggg", scratch.path("missing.jpg")] {
            let run = try openvision(
                ["segment", photo, "--background", background, "--output", scratch.path("new.png")])
            XCTAssertEqual(run.code, 1, background)
            XCTAssertTrue(run.errors.contains(background), run.errors)
        }
        XCTAssertEqual(try openvision(["document", scratch.path("missing.png")]).code, 1)
        // An output is never written over a photo.
        let before = try Data(contentsOf: URL(fileURLWithPath: photo))
        XCTAssertEqual(try openvision(["document", photo, "--correct", photo]).code, 1)
        XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: photo)), before)
    }

    func testTheForegroundIsCutOut() throws {
        _ = try requireModel { try Backbone.shared(.efficientNetLite2) }
        let scratch = try Scratch()
        let photo = try writeSquare("square.png", in: scratch)
        let (mask, cut, new, drawn) = (
            scratch.path("mask.png"), scratch.path("cut.png"), scratch.path("new.png"), scratch.path("drawn.png")
        )
        let run = try openvision([
            "segment", photo, "--foreground", "--json", "--mask", mask, "--cutout", cut, "--crop", "--background",
            "#0000ff", "--output", new, "--render", drawn,
        ])
        XCTAssertEqual(run.code, 0, run.errors)
        let found = try run.results(0)
        XCTAssertEqual(found.first?["instance"] as? Int, 1)
        XCTAssertEqual(try size(mask), [320, 240])
        XCTAssertLessThan(try size(cut)[0], 320)
        let grey = try ImageSource(url: URL(fileURLWithPath: mask)).fullSizeGrey()
        XCTAssertEqual([grey.value(110, 110), grey.value(5, 5)], [1, 0])
        let changed = try ImageSource(url: URL(fileURLWithPath: new)).derivative(
            Derivative(region: PixelRegion(width: 320, height: 240), width: 320, height: 240, format: .rgb8))
        XCTAssertEqual([changed.value(3 * 5, 5), changed.value(3 * 5 + 2, 5)], [0, 255])
        XCTAssertEqual(try size(drawn), [320, 240])
    }

    func testVideosGetAnotherBackground() throws {
        _ = try requireModel { try PersonMaskNetwork.shared(.people) }
        let scratch = try Scratch()
        let (video, new, drawn) = (scratch.path("a.mp4"), scratch.path("b.mp4"), scratch.path("c.mp4"))
        try SyntheticVideo.write(to: video, frames: 5)
        let run = try openvision(
            ["segment", video, "--background", "#00ff00", "--output", new, "--render", drawn, "-q"])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertTrue(run.output.contains("5 frames"), run.output)
        for path in [new, drawn] {
            let reader = try VideoDecoder(path: path)
            XCTAssertEqual([reader.format.width, reader.format.height], [192, 144])
            var frames = 0
            while try reader.next() != nil { frames += 1 }
            XCTAssertEqual(frames, 5)
        }
        // Nobody is in the video, so the corner shows the background.
        let reader = try VideoDecoder(path: new)
        _ = try reader.next()
        let frame = try reader.currentFrameForDrawing()
        let pixel = try withExtendedLifetime(frame) {
            let pixels = try XCTUnwrap(CVPixelBufferGetBaseAddress(frame))
            return (0..<3).map { pixels.load(fromByteOffset: $0, as: UInt8.self) }
        }
        XCTAssertTrue(pixel[1] > 200 && pixel[0] < 70 && pixel[2] < 70, "\(pixel)")
        for arguments in [
            ["segment", video], ["segment", video, "--output", new, "--json"],
            ["segment", video, "--foreground", "--output", new], ["segment", video, "--mask", "m.png"],
        ] {
            XCTAssertEqual(try openvision(arguments).code, 64, "\(arguments)")
        }
        XCTAssertEqual(try openvision(["segment", video, "--output", video]).code, 1)
    }

    func testPeopleAreCutOut() throws {
        _ = try requireModel { try PersonMaskNetwork.shared(.people) }
        _ = try requireModel { try PersonMaskNetwork.shared(.body) }
        let scratch = try Scratch()
        let photo = try write("desk.png", hasPage: false, in: scratch)
        let mask = scratch.path("mask.png")
        for quality in ["fast", "balanced", "accurate"] {
            let run = try openvision(["segment", photo, "--quality", quality, "--mask", mask, "--json"])
            XCTAssertEqual(run.code, 0, run.errors)
            XCTAssertEqual(try size(mask), [320, 240])
            for result in try run.results(0) { XCTAssertTrue(result["instance"] is NSNull) }
        }
        let run = try openvision(["segment", photo, "--instances"])
        XCTAssertEqual(run.lines.last, "  no person")
    }
}

extension Raster {
    /// The byte at a position of a row.
    fileprivate func value(_ offset: Int, _ row: Int) -> UInt8 {
        withUnsafePixels { $0.load(fromByteOffset: row * rowBytes + offset, as: UInt8.self) }
    }
}
