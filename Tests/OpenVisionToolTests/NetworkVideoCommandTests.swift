import Foundation
import ModelTestSupport
import XCTest

@testable import openvision

/// Commands on videos of a network, and on what looks like a camera.
final class NetworkVideoCommandTests: XCTestCase {
    func testCommandsReadAddresses() throws {
        let scratch = try Scratch()
        let video = scratch.path("video.mkv")
        try SyntheticVideo.write(to: video, frames: 8)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: video)))
        let server = try LocalServer { path, _ in path == "/camera" ? .init(body: bytes) : .init(status: 404) }
        defer { server.stop() }
        let address = "http://me:secret@" + server.url.absoluteString.dropFirst("http://".count) + "camera"
        let run = try openvision(["stability", address, "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.count, 9)
        XCTAssertFalse(run.output.contains("secret"), run.output)
        XCTAssertTrue(try run.path(0)?.contains("me:…@127.0.0.1") == true)
        let options = ["--revision", "1", "--box", "24,40,48,48", "--csv", "-"]
        func boxes(_ run: ToolRun) -> [[Substring]] { run.lines.map { $0.split(separator: ",").dropLast() } }
        let tracked = try openvision(["track", address] + options)
        XCTAssertEqual(tracked.code, 0, tracked.errors)
        XCTAssertEqual(boxes(tracked), boxes(try openvision(["track", video] + options)))
        let missing = try openvision(["track", server.url.absoluteString + "missing"] + options)
        XCTAssertEqual(missing.code, 1)
        XCTAssertTrue(missing.errors.contains("404"), missing.errors)
    }

    func testOnlyAddressesAndCamerasThatAreNamedAreOpened() throws {
        let scratch = try Scratch()
        for (argument, reason) in [
            ("/dev/video-none", "no such device"), ("ftp://127.0.0.1/video.mp4", "no such file or folder"),
            (scratch.path("http:"), "no such file or folder"),
        ] {
            let run = try openvision(["stability", argument])
            XCTAssertEqual(run.code, 1, argument)
            XCTAssertTrue(run.errors.contains(reason), run.errors)
        }
        // Pose takes them as videos without --video, so it does not read them as photos.
        let pose = try openvision(["pose", "/dev/video-none"])
        XCTAssertEqual(pose.code, 1)
        XCTAssertTrue(pose.errors.contains("no such device"), pose.errors)
        XCTAssertTrue(try openvision(["help", "track"]).output.contains("rtsp://"))
    }
}
