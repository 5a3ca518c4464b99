import ModelTestSupport
import Vision
import VisionVideo
import XCTest

@testable import openvision

final class TrackRectangleTests: XCTestCase {
    /// The square of the synthetic video has straight sides: its corners are known in every frame.
    func testTheCornersAreTrackedAndWrittenAsOneRowPerFrame() throws {
        let scratch = try Scratch()
        let (video, table, render) = (scratch.path("video.mp4"), scratch.path("out.csv"), scratch.path("out.mp4"))
        try SyntheticVideo.write(to: video, frames: 20)
        let run = try openvision([
            "track-rectangle", video, "--quad", "24,40,72,40,72,88,24,88", "--csv", table, "--render", render, "--json",
        ])
        XCTAssertEqual(run.code, 0, run.errors)
        let rows = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            line.split(separator: ",").compactMap { Double($0) }
        }
        XCTAssertEqual(rows.count, 20)
        XCTAssertEqual(rows.first?.prefix(9), [24, 40, 72, 40, 72, 88, 24, 88, 1])
        for (index, row) in rows.enumerated() {
            XCTAssertEqual(row.count, 10)
            let (x, y) = SyntheticVideo.corner(index)
            let truth = [x, y, x + 48, y, x + 48, y + 48, x, y + 48]
            for (found, wanted) in zip(row, truth) { XCTAssertEqual(found, Double(wanted), accuracy: 1.5) }
        }
        XCTAssertEqual(run.lines.count, 21)
        let summary = try run.object(20)
        XCTAssertEqual(numbers(try run.results(0).first?["corners"]), [24, 40, 72, 40, 72, 88, 24, 88])
        XCTAssertEqual(summary["kind"] as? String, "track-rectangle-summary")
        XCTAssertEqual(summary["written"] as? [String], [render, table])
        let reader = try VideoDecoder(path: render)
        var frames = 0
        while try reader.next() != nil { frames += 1 }
        XCTAssertEqual(frames, 20)
    }

    func testInvalidCornersAreRefused() throws {
        let scratch = try Scratch()
        let video = scratch.path("video.avi")
        try SyntheticVideo.write(to: video, frames: 3)
        XCTAssertEqual(try openvision(["track-rectangle", video]).code, 64)
        XCTAssertEqual(try openvision(["track-rectangle", video, "--quad", "1,2,3,4"]).code, 64)
        let crossed = try openvision(["track-rectangle", video, "--quad", "24,40,72,40,24,88,72,88"])
        XCTAssertEqual(crossed.code, 1)
        XCTAssertTrue(crossed.errors.contains("convex"), crossed.errors)
    }

    func testSidesOfLowConfidenceAreDashed() throws {
        func painted(_ confidence: Float) throws -> Int {
            let buffer = try CVPixelBuffer.make(
                width: 160, height: 120, format: kCVPixelFormatType_32BGRA, path: "test")
            let quad = try XCTUnwrap(PixelQuad("20,20,140,30,130,100,30,90"))
            try Canvas.paint(on: buffer) {
                QuadPainter().draw([.init(quad: quad, confidence: confidence, colour: .forTarget(0))], on: $0)
            }
            return try (0..<160).reduce(0) { sum, x in
                try (0..<120).reduce(sum) { $0 + (try pixel(buffer, x, $1).green > 100 ? 1 : 0) }
            }
        }
        XCTAssertGreaterThan(try painted(0.5), 600)
        XCTAssertLessThan(try painted(0.4), try painted(0.5) * 3 / 4)
        XCTAssertGreaterThan(try painted(0.4), 200)
    }
}
