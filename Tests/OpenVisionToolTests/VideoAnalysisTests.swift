import Foundation
import ModelTestSupport
import Vision
import VisionModels
import VisionVideo
import XCTest

@testable import openvision

/// `openvision pose`, `hands` and `trajectories` on videos.
final class VideoAnalysisTests: XCTestCase {
    private static let (width, height) = (320, 240)

    /// The centre of a thrown ball.
    private func ball(_ frame: Int) -> CGPoint {
        let t = Double(frame)
        return CGPoint(x: 20 + 7 * t, y: 200 - 11 * t + 0.28 * t * t)
    }

    /// A video of a ball that is thrown before a wall with a pattern.
    private func writeThrow(to path: String, frames: Int = 40) throws {
        let writer = try VideoWriter(
            path: path, format: VideoFormat(width: Self.width, height: Self.height, rate: Ratio(30, 1)))
        for index in 0..<frames {
            let buffer = try CVPixelBuffer.make(
                width: Self.width, height: Self.height, format: kCVPixelFormatType_32BGRA, path: "test")
            try Canvas.paint(on: buffer) { canvas in
                canvas.fill(
                    PixelRectangle(x: 0, y: 0, width: Self.width, height: Self.height),
                    Colour(red: 60, green: 70, blue: 80))
                for stripe in stride(from: 0, to: Self.width, by: 40) {
                    canvas.fill(
                        PixelRectangle(x: stripe, y: 0, width: 12, height: Self.height),
                        Colour(red: 90, green: 80, blue: 70))
                }
                canvas.dot(ball(index), radius: 8, .white)
            }
            try writer.add(buffer, time: Double(index) / 30)
        }
        try writer.finish()
    }

    func testAThrownBallIsFoundPrintedAndDrawn() throws {
        let scratch = try Scratch()
        let (video, table, drawn) = (scratch.path("throw.mp4"), scratch.path("ball.csv"), scratch.path("drawn.mp4"))
        try writeThrow(to: video)
        let run = try openvision([
            "trajectories", video, "--min-confidence", "0.5", "--json", "--csv", table, "--render", drawn,
        ])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.count, 41)
        let summary = try run.object(40)
        XCTAssertEqual(summary["kind"] as? String, "trajectories-summary")
        let trajectories = try XCTUnwrap(summary["trajectories"] as? [[String: Any]])
        XCTAssertEqual(trajectories.count, 1, "\(trajectories)")
        XCTAssertGreaterThan(try XCTUnwrap(trajectories.first?["points"] as? Int), 20)
        let last = try XCTUnwrap(trajectories.first?["last"] as? Int)
        let result = try XCTUnwrap(try run.results(last).first)
        let points = try XCTUnwrap(result["points"] as? [[Double]])
        XCTAssertEqual(try XCTUnwrap(points.last)[0], Double(ball(last).x), accuracy: 4)
        XCTAssertEqual(try XCTUnwrap(points.last)[1], Double(ball(last).y), accuracy: 4)
        XCTAssertEqual(try XCTUnwrap(result["radius"] as? Double), 8, accuracy: 3)
        // The parabola in pixels passes through the points.
        let abc = try XCTUnwrap(result["coefficients"] as? [Double])
        for point in points {
            XCTAssertEqual(abc[0] * point[0] * point[0] + abc[1] * point[0] + abc[2], point[1], accuracy: 4)
        }
        let rows = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
        XCTAssertEqual(rows[0], "frame,time,trajectory,x,y,radius,confidence")
        XCTAssertEqual(rows.count - 1, try (0..<40).reduce(0) { $0 + (try run.results($1).count) })
        // The trail is where the ball was.
        let reader = try VideoDecoder(path: drawn)
        XCTAssertEqual(reader.format.statedFrameCount, 40)
        for _ in 0..<40 { XCTAssertNotNil(try reader.next()) }
        let image = try reader.currentFrameForDrawing()
        let trail = try pixel(image, Int(ball(20).x), Int(ball(20).y))
        XCTAssertGreaterThan(Int(trail.green), Int(trail.red) + 40, "\(trail)")

        let text = try openvision(["trajectories", "-", "--min-confidence", "0.5"], input: video)
        XCTAssertEqual(text.code, 0, text.errors)
        XCTAssertTrue(text.output.contains("trajectory 1: seen in frames"), text.output)
        for wrong in [["--length", "4"], ["--min-radius", "0.5", "--max-radius", "0.1"], ["--csv", "-", "--json"]] {
            XCTAssertEqual(try openvision(["trajectories", video] + wrong).code, 64, "\(wrong)")
        }
    }

    func testAPersonOfAVideoIsFollowed() throws {
        _ = try requireModel { try KeypointFinder() }
        let analyser = PoseFrames(minConfidence: 0, revision: nil)
        let format = VideoFormat(width: 320, height: 240, rate: Ratio(10, 1))
        // A second person who is so small that the frame is not another scene.
        let bodies = [DrawnBody.person(x: 80, top: 20, height: 200), .person(x: 240, top: 120, height: 100)]
        let counts = try (0..<5).map { frame in
            let sample = CMSampleBuffer(
                imageBuffer: try .bodies(Array(bodies.prefix(frame == 0 ? 1 : 2))),
                presentationTimeStamp: CMTime(value: Int64(frame), timescale: 10))
            return try analyser.analyse(sample, format, number: frame).count
        }
        XCTAssertEqual(counts, [1, 1, 1, 1, 2], "people are searched in every fourth frame")
    }

    func testJointsOfAVideoArePrintedForEachFrame() throws {
        _ = try requireModel { try KeypointFinder() }
        let scratch = try Scratch()
        let (video, table, drawn) = (scratch.path("person.mp4"), scratch.path("joints.csv"), scratch.path("drawn.mp4"))
        let body = DrawnBody.person(x: 160, top: 20, height: 200)
        let folder = scratch.url.appendingPathComponent("frames")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let writer = try VideoWriter(path: video, format: VideoFormat(width: 320, height: 240, rate: Ratio(10, 1)))
        for index in 0..<3 {
            let frame = try CVPixelBuffer.bodies([body])
            try writer.add(frame, time: Double(index) / 10)
            try ImageFile.write(frame, to: folder.path + "/\(index).png")
        }
        try writer.finish()
        let run = try openvision(["pose", video, "--json", "--csv", table, "--render", drawn])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.count, 4)
        let person = try XCTUnwrap(try run.results(1).first)
        let joints = try XCTUnwrap(person["joints"] as? [String: [String: Any]])
        let knee = try XCTUnwrap(joints["leftKnee"]?["point"] as? [Double])
        let wanted = try XCTUnwrap(body.joints["leftKnee"])
        XCTAssertLessThan(hypot(knee[0] - wanted.x, knee[1] - wanted.y), 16)
        XCTAssertEqual(try run.object(3)["kind"] as? String, "pose-summary")
        let rows = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
        XCTAssertEqual(rows[0], "frame,time,person,confidence,joint,x,y,jointConfidence")
        XCTAssertGreaterThanOrEqual(rows.count, 1 + 3 * 17)
        XCTAssertEqual(try VideoDecoder(path: drawn).format.statedFrameCount, 3)
        // A folder of frames, a part of it, and tables in pipes.
        let part = try openvision(["pose", folder.path, "--video", "--start", "1", "--csv", "-"])
        XCTAssertEqual(part.code, 0, part.errors)
        XCTAssertTrue(part.lines.dropFirst().allSatisfy { $0.hasPrefix("1,") || $0.hasPrefix("2,") })
        for wrong in [
            ["pose", folder.path, "--csv", "a.csv"], ["pose", video, "--3d", "--json"],
            ["hands", "a.jpg", "--start", "1"],
            ["pose", video, video, "--video"],
        ] {
            XCTAssertEqual(try openvision(wrong).code, 64, "\(wrong)")
        }
    }
}
