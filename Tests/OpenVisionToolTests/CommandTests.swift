import ModelTestSupport
import Foundation
import Vision
import VisionImage
import VisionVideo
import XCTest

@testable import openvision

/// Runs the built tool as its users do.
final class CommandTests: XCTestCase {
    private func rows(_ path: String) throws -> [[Double]] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        XCTAssertEqual(lines.first, "x,y,width,height,confidence,milliseconds")
        return lines.dropFirst().map { $0.split(separator: ",").compactMap { Double($0) } }
    }

    /// A textured wall, seen by a camera at x, y.
    private func wall(x: Int, y: Int, width: Int = 192, height: Int = 144) throws -> CVPixelBuffer {
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: "test")
        var random = SplitMix64(seed: 11)
        try Canvas.paint(on: buffer) { canvas in
            for _ in 0..<900 {
                let shade = UInt8.random(in: 0...255, using: &random)
                canvas.fill(
                    PixelRectangle(
                        x: Int.random(in: -80..<360, using: &random) - x,
                        y: Int.random(in: -80..<300, using: &random) - y,
                        width: Int.random(in: 4..<30, using: &random), height: Int.random(in: 4..<30, using: &random)),
                    Colour(red: shade, green: shade, blue: UInt8.random(in: 0...255, using: &random)))
            }
        }
        return buffer
    }

    // MARK: Exit codes

    func testWrongCommandLinesExitWith64AndSayWhatIsWrong() throws {
        let scratch = try Scratch()
        let video = scratch.path("video.mp4")
        try SyntheticVideo.write(to: video, frames: 3)
        for (arguments, part) in [
            (["track", video], "--box"), (["track", video, "--box", "1,2,3"], "1,2,3"),
            (["track", video, "--box", "500,2,3,4"], "outside"),
            (["track", video, "--box", "1,2,3,4", "--level", "accurate"], "--revision 1"),
            (["track", video, "--box", "1,2,3,4", "--level", "fast", "--revision", "2"], "--revision 1"),
            (["track", video, "--box", "1,2,3,4", "--fps", "x"], "'x'"),
            (["track", video, "--box", "1,2,3,4", "--start", "5", "--end", "5"], "--end"), (["stability"], "video"),
            (["stability", video, "--history", "0"], "--history"), (["register", video], "floating"),
            (["dance"], "dance"),
        ] {
            let run = try openvision(arguments)
            XCTAssertEqual(run.code, 64, "\(arguments)")
            XCTAssertTrue(run.errors.contains(part), "\(arguments): \(run.errors)")
            XCTAssertEqual(run.output, "")
        }
    }

    func testTheLevelOfTheFilterTrackersIsAccepted() throws {
        let scratch = try Scratch()
        let video = scratch.path("video.mp4")
        try SyntheticVideo.write(to: video, frames: 3)
        for level in ["fast", "accurate"] {
            let run = try openvision(
                ["track", video, "--box", "24,40,48,48", "--level", level, "--revision", "1", "--csv", "-"])
            XCTAssertEqual(run.code, 0, run.errors)
            XCTAssertEqual(run.lines.count, 4, "a header and three frames")
        }
        let help = try openvision(["track", "--help"])
        XCTAssertTrue(help.output.contains("with --revision 1"), help.output)
    }

    func testFilesThatCannotBeReadExitWith1AndAreNamed() throws {
        let scratch = try Scratch()
        let noise = try scratch.write(Data("no video".utf8), "noise.mp4")
        for arguments in [
            ["track", scratch.path("missing.mp4"), "--box", "1,2,3,4"], ["track", noise, "--box", "1,2,3,4"],
            ["stability", noise], ["track", scratch.url.path, "--box", "1,2,3,4"], ["register", noise, noise],
            ["register", scratch.path("missing.png"), noise],
        ] {
            let run = try openvision(arguments)
            XCTAssertEqual(run.code, 1, "\(arguments)")
            XCTAssertTrue(run.errors.hasPrefix("Error: " + arguments[1]), run.errors)
            XCTAssertFalse(run.errors.contains("Domain="), run.errors)
            XCTAssertEqual(run.output, "")
        }
    }

    func testTheVideoThatIsReadIsNeverOverwritten() throws {
        let scratch = try Scratch()
        let video = scratch.path("video.mp4")
        try SyntheticVideo.write(to: video, frames: 3)
        let before = try Data(contentsOf: URL(fileURLWithPath: video))
        for option in ["--render", "--csv"] {
            XCTAssertEqual(try openvision(["track", video, "--box", "20,40,48,48", option, video]).code, 1)
        }
        XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: video)), before)
    }

    func testVersionAndHelpExitWith0() throws {
        let version = try openvision(["--version"])
        XCTAssertEqual(version.code, 0)
        XCTAssertNotNil(version.output.range(of: #"^\d+\.\d+\.\d+\n$"#, options: .regularExpression))
        for command in ["track", "register", "stability"] {
            let help = try openvision([command, "--help"])
            XCTAssertEqual(help.code, 0)
            XCTAssertTrue(help.output.contains("Examples:"))
        }
    }

    // MARK: Tracking

    func testTrackFollowsTheTargetAndWritesOneRowAFrame() throws {
        let scratch = try Scratch()
        let (video, table, render) = (scratch.path("video.mp4"), scratch.path("out.csv"), scratch.path("out.mp4"))
        try SyntheticVideo.write(to: video, frames: 40)
        let run = try openvision([
            "track", video, "--revision", "1", "--box", "24,40,48,48", "--csv", table, "--render", render, "--json",
        ])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.errors, "", "quiet in a pipe")

        let rows = try rows(table)
        XCTAssertEqual(rows.count, 40)
        XCTAssertTrue(rows.allSatisfy { $0.count == 6 })
        XCTAssertEqual(rows.first?.prefix(5), [24, 40, 48, 48, 1])
        let last = try XCTUnwrap(rows.last)
        XCTAssertEqual(last[0] + last[2] / 2, Double(SyntheticVideo.corner(39).x) + 24, accuracy: 6)
        XCTAssertEqual(last[1] + last[3] / 2, Double(SyntheticVideo.corner(39).y) + 24, accuracy: 6)

        XCTAssertEqual(run.lines.count, 41)
        for (index, row) in rows.enumerated() {
            let object = try run.object(index)
            XCTAssertEqual(object["frame"] as? Int, index)
            XCTAssertEqual(try XCTUnwrap(object["time"] as? Double), Double(index) / 10, accuracy: 1e-3)
            let target = try XCTUnwrap((object["results"] as? [[String: Any]])?.first)
            XCTAssertEqual(numbers(target["box"]), Array(row.prefix(4)))
            XCTAssertEqual(try XCTUnwrap(target["confidence"] as? Double), row[4], accuracy: 1e-9)
        }
        let summary = try run.object(40)
        XCTAssertEqual(summary["kind"] as? String, "track-summary")
        XCTAssertEqual(summary["frames"] as? Int, 40)
        XCTAssertEqual(summary["written"] as? [String], [render, table])

        let reader = try VideoDecoder(path: render)
        var frames = 0
        while try reader.next() != nil { frames += 1 }
        XCTAssertEqual(frames, 40)
    }

    func testSeveralBoxesHaveATableEachAndARangeOfFramesIsKept() throws {
        let scratch = try Scratch()
        let video = scratch.path("video.avi")
        try SyntheticVideo.write(to: video, frames: 30)
        let (x, y) = SyntheticVideo.corner(10)
        let run = try openvision([
            "track", video, "--revision", "1", "--box", "\(x),\(y),48,48", "--box", "\(x + 12),\(y + 10),20,24",
            "--start", "10", "--end",
            "22", "--csv", scratch.path("out.csv"),
        ])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertFalse(FileManager.default.fileExists(atPath: scratch.path("out.csv")))
        let (first, second) = (try rows(scratch.path("out-1.csv")), try rows(scratch.path("out-2.csv")))
        XCTAssertEqual(first.count, 12)
        XCTAssertEqual(second.count, 12)
        XCTAssertEqual(first[0].prefix(4), [Double(x), Double(y), 48, 48])
        XCTAssertEqual(second[0].prefix(4), [Double(x + 12), Double(y + 10), 20, 24])
        XCTAssertEqual(first.map { $0[5] }, second.map { $0[5] }, "one call for both")
    }

    func testNormalizedBoxIsMeasuredFromTheLowerLeft() throws {
        let scratch = try Scratch()
        let video = scratch.path("video.mp4")
        try SyntheticVideo.write(to: video, frames: 2)
        let run = try openvision([
            "track", video, "--revision", "1", "--box", "0.125,0.5,0.25,0.25", "--normalized", "--csv",
            scratch.path("out.csv"),
        ])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(try rows(scratch.path("out.csv"))[0].prefix(4), [24, 36, 48, 36])
    }

    func testVideoThatBreaksOffLeavesItsResultsAndExitsWith1() throws {
        let scratch = try Scratch()
        try SyntheticVideo.write(to: scratch.path("video.avi"), frames: 200)
        let bytes = try Data(contentsOf: scratch.url.appendingPathComponent("video.avi"))
        let cut = try scratch.write(bytes.prefix(bytes.count / 2), "cut.avi")
        let render = scratch.path("out.mp4")
        let run = try openvision([
            "track", cut, "--revision", "1", "--box", "24,40,48,48", "--csv", scratch.path("out.csv"), "--render",
            render,
        ])
        XCTAssertEqual(run.code, 1)
        XCTAssertTrue(run.errors.contains("breaks off"), run.errors)
        let count = try rows(scratch.path("out.csv")).count
        XCTAssertTrue((5..<200).contains(count))
        XCTAssertEqual(try VideoDecoder(path: render).format.statedFrameCount, count)
    }

    func testFolderOfImagesIsTrackedInTheOrderOfItsNumbers() throws {
        let scratch = try Scratch()
        for index in 0..<12 {
            try writePNG(
                try SyntheticVideo.frame(index * 2, width: 192, height: 144), scratch.path("frame\(index).png"))
        }
        try scratch.write(Data("not a frame".utf8), "notes.txt")
        let run = try openvision([
            "track", scratch.url.path, "--revision", "1", "--box", "24,40,48,48", "--csv", scratch.path("out.csv"),
        ])
        XCTAssertEqual(run.code, 0, run.errors)
        let rows = try rows(scratch.path("out.csv"))
        XCTAssertEqual(rows.count, 12)
        let last = try XCTUnwrap(rows.last)
        XCTAssertEqual(last[0] + last[2] / 2, Double(SyntheticVideo.corner(22).x) + 24, accuracy: 6)
    }

    // MARK: Registration

    func testRegisterPrintsTheShiftThatMovesTheSecondImageOntoTheFirst() throws {
        let scratch = try Scratch()
        let (first, second) = (scratch.path("first.png"), scratch.path("second.png"))
        try writePNG(try wall(x: 20, y: 20), first)
        // The camera moved left and down, so the content of the image lies 5 further right and 3 further up.
        try writePNG(try wall(x: 15, y: 23), second)
        let run = try openvision(["register", first, second, "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        let object = try run.object(0)
        let result = try XCTUnwrap((object["results"] as? [[String: Any]])?.first)
        let transform = try XCTUnwrap(result["transform"] as? [[Double]])
        XCTAssertEqual(transform[0][2], -5, accuracy: 0.3)
        XCTAssertEqual(transform[1][2], 3, accuracy: 0.3, "downwards")
        XCTAssertGreaterThan(try XCTUnwrap(result["confidence"] as? Double), 0)

        let text = try openvision(["register", first, second])
        XCTAssertEqual(text.lines.map { $0.split(separator: " ")[0] }, ["tx", "ty", "confidence"])
    }

    func testStabilityTellsStillFramesFromAPan() throws {
        let scratch = try Scratch()
        let video = scratch.path("video.mp4")
        let writer = try VideoWriter(path: video, format: VideoFormat(width: 192, height: 144, rate: Ratio(10, 1)))
        // Still for 25 frames, three pixels a frame for 20, still again for 25.
        for index in 0..<70 {
            let x = 3 * min(max(0, index - 24), 20)
            try writer.add(try wall(x: x, y: 10), time: Double(index) / 10)
        }
        try writer.finish()
        let run = try openvision(["stability", video, "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.count, 71)
        let stable = try (0..<70).map { try XCTUnwrap(try run.object($0)["stable"] as? Bool) }
        XCTAssertEqual(stable.prefix(15), Array(repeating: false, count: 15)[...])
        XCTAssertTrue(stable[15...24].allSatisfy { $0 })
        XCTAssertFalse(stable[35...50].contains(true))
        XCTAssertTrue(stable[60...69].allSatisfy { $0 })
        let summary = try run.object(70)
        XCTAssertEqual(summary["stableFrames"] as? Int, stable.filter { $0 }.count)
        XCTAssertEqual((summary["stretches"] as? [[String: Int]])?.count, 2)
        let text = try openvision(["stability", video])
        XCTAssertTrue(text.output.contains("frames 15–"), text.output)
    }
}
