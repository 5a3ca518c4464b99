import Foundation
import ModelTestSupport
import Vision
import XCTest

@testable import openvision

/// Commands that read "-", and tables on the standard output.
final class StandardInputTests: XCTestCase {
    func testEveryCommandOnImagesReadsTheStandardInput() throws {
        let scratch = try Scratch()
        let photo = scratch.path("a.png")
        try writePNG(try SyntheticVideo.frame(0, width: 96, height: 72), photo)
        for command in [
            "rectangles -", "horizon -", "contours -", "barcodes -", "register - \(photo)", "align \(photo) -",
            "flow - \(photo)",
        ] {
            let arguments = command.split(separator: " ").map(String.init)
            let (piped, named) = (
                try openvision(arguments + ["--json"], input: photo),
                try openvision(arguments.map { $0 == "-" ? photo : $0 } + ["--json"])
            )
            XCTAssertEqual(piped.code, 0, "\(command): \(piped.errors)")
            XCTAssertEqual(
                try piped.results(0) as NSArray, try named.results(0) as NSArray, command)
            let image = try XCTUnwrap(try piped.object(0)["image"] as? [String: Any])
            XCTAssertEqual(image["width"] as? Int, 96)
            XCTAssertTrue([image["path"] as? String].contains(command.hasPrefix("align") ? photo : "-"))
        }
        let empty = try openvision(["rectangles", "-"], input: "/dev/null")
        XCTAssertEqual(empty.code, 1)
        XCTAssertTrue(empty.errors.contains("empty"), empty.errors)
    }

    func testAVideoAndItsTableGoThroughPipes() throws {
        let scratch = try Scratch()
        let (video, table) = (scratch.path("video.mp4"), scratch.path("table.csv"))
        try SyntheticVideo.write(to: video, frames: 8)
        let options = ["--revision", "1", "--box", "24,40,48,48", "--csv"]
        let piped = try openvision(["track", "-"] + options + ["-"], input: video)
        XCTAssertEqual(piped.code, 0, piped.errors)
        XCTAssertEqual(try openvision(["track", video] + options + [table]).code, 0)
        func boxes(_ text: String) -> [[Substring]] {
            // The last column is a time.
            text.split(separator: "\n").map { $0.split(separator: ",").dropLast() }
        }
        XCTAssertEqual(boxes(piped.output), boxes(try String(contentsOfFile: table, encoding: .utf8)))
        XCTAssertEqual(piped.lines.count, 9)
        for more in [["--json"], ["--box", "1,1,20,20"]] {
            let refused = try openvision(["track", video] + options + ["-"] + more)
            XCTAssertEqual(refused.code, 64)
            XCTAssertTrue(refused.errors.contains("--csv -"), refused.errors)
        }
        XCTAssertEqual(try openvision(["stability", "-"], input: "/dev/null").code, 1)
    }

    func testResultsBelowAConfidenceAreLeftOut() throws {
        for command in ["faces", "hands", "barcodes", "text", "classify", "horizon", "pose", "document", "run m"] {
            let arguments = command.split(separator: " ").map(String.init) + ["a.jpg", "--min-confidence", "1.5"]
            let run = try openvision(arguments)
            XCTAssertEqual(run.code, 64, command)
            XCTAssertTrue(run.errors.contains("--min-confidence is 1.5"), run.errors)
        }
    }

    func testControlCharactersOfPayloadsAreEscaped() {
        XCTAssertEqual(BarcodePayload.escaped("01\u{1D}x\\n\n\té日"), "01\\u{1D}x\\\\n\\n\\té日")
        XCTAssertEqual(BarcodePayload.escaped(""), "")
    }
}
