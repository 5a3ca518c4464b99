import Foundation
import ModelTestSupport
import Vision
import VisionPhotos
import VisionVideo
import XCTest

@testable import openvision

/// `openvision text` on files with several pages and on the standard input.
final class TextPagesTests: XCTestCase {
    /// A page of 360 × 160 pixels with a word in the letters of charts.
    private func pixels(_ word: String) -> [UInt8] {
        var pixels = [UInt8](repeating: 250, count: 360 * 160)
        for (index, letter) in word.enumerated() {
            for (row, bits) in (BlockLetters.glyphs[letter] ?? []).enumerated() {
                for column in 0..<5 where bits & (16 >> UInt8(column)) != 0 {
                    for y in 0..<5 {
                        let start = (60 + 5 * row + y) * 360 + 60 + 36 * index + 5 * column
                        for x in 0..<5 { pixels[start + x] = 20 }
                    }
                }
            }
        }
        return pixels
    }

    /// An uncompressed TIFF file with a page for each word, and at the end one without pixels if it is to be damaged.
    private func file(_ words: [String], isDamaged: Bool = false) -> Data {
        var data = Data([0x49, 0x49, 42, 0, 8, 0, 0, 0])
        func number(_ value: Int, _ bytes: Int) -> Data {
            Data((0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
        }
        for (index, word) in words.enumerated() {
            let pixels = data.count + 2 + 9 * 12 + 4
            data += number(9, 2)
            for (tag, value) in [
                (256, 360), (257, 160), (258, 8), (259, 1), (262, 1), (273, pixels), (277, 1), (278, 160),
                (279, 360 * 160),
            ] { data += number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4) }
            let next = pixels + 360 * 160
            data += number(index + 1 < words.count || isDamaged ? next : 0, 4) + Data(self.pixels(word))
        }
        return isDamaged ? data + number(1, 2) : data
    }

    private func requireNetworks() throws {
        _ = try requireModel {
            let buffer = try CVPixelBuffer.make(width: 64, height: 64, format: kCVPixelFormatType_32BGRA, path: "test")
            try VNImageRequestHandler(cvPixelBuffer: buffer).perform([VNRecognizeTextRequest()])
        }
    }

    func testEveryPageOfATIFFIsReadAndNumbered() throws {
        try requireNetworks()
        let scratch = try Scratch()
        let scan = scratch.path("scan.tif")
        try file(["HOTELLO", "FLAMENO"]).write(to: URL(fileURLWithPath: scan))
        let run = try openvision(["text", scan, "--json", "--render", scratch.path("read.png")])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.count, 2)
        for (line, text) in ["HOTELLO", "FLAMENO"].enumerated() {
            XCTAssertEqual(try run.results(line).first?["text"] as? String, text)
            XCTAssertEqual((try run.object(line)["image"] as? [String: Any])?["page"] as? Int, line + 1)
            XCTAssertTrue(FileManager.default.fileExists(atPath: scratch.path("read-\(line + 1).png")))
        }
        let plain = try openvision(["text", scan])
        XCTAssertEqual(
            plain.output, "\(scan), page 1\n  HOTELLO\n\(scan), page 2\n  FLAMENO\n")
        XCTAssertEqual(try openvision(["text", scan, "--find", "--json"]).lines.count, 2)
        let document = try openvision(["text", scan, "--format", "alto"])
        XCTAssertEqual(document.output.components(separatedBy: "<Page ").count, 3)
        let pdf = scratch.path("scan.pdf")
        XCTAssertEqual(try openvision(["text", scan, "--format", "pdf", "--output", pdf]).code, 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: pdf))
        XCTAssertNotNil(bytes.range(of: Data("/Count 2".utf8)))
    }

    func testAPageThatCannotBeReadIsReportedAndTheOthersAreRead() throws {
        try requireNetworks()
        let scratch = try Scratch()
        let scan = scratch.path("scan.tif")
        try file(["HOTELLO", "FLAMENO"], isDamaged: true).write(to: URL(fileURLWithPath: scan))
        let run = try openvision(["text", scan])
        XCTAssertEqual(run.code, 1)
        XCTAssertTrue(run.errors.contains("page 3 of 3"), run.errors)
        XCTAssertTrue(run.output.contains("HOTELLO") && run.output.contains("FLAMENO"), run.output)
    }

    func testAPhotoIsReadFromTheStandardInput() throws {
        try requireNetworks()
        let scratch = try Scratch()
        let scan = scratch.path("scan.tif")
        try file(["HOTELLO"]).write(to: URL(fileURLWithPath: scan))
        let run = try openvision(["text", "-"], input: scan)
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.output, "-\n  HOTELLO\n")
        let empty = scratch.path("empty")
        try Data().write(to: URL(fileURLWithPath: empty))
        let none = try openvision(["text", "-"], input: empty)
        XCTAssertEqual(none.code, 1)
        XCTAssertTrue(none.errors.contains("-: is empty"), none.errors)
    }
}
