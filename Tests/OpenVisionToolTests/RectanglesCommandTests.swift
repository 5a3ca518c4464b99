import ModelTestSupport
import Foundation
import Vision
import VisionImage
import VisionVideo
import XCTest

@testable import openvision

/// Runs `openvision rectangles` as its users do, with synthetic images.
final class RectanglesCommandTests: XCTestCase {
    private static let page = [60.0, 40, 250, 40, 250, 190, 60, 190]
    private static let card = [270.0, 60, 310, 60, 310, 130, 270, 130]

    /// A page and a smaller card, dark grey on light grey or the other way around.
    private func write(_ name: String, pageGrey: UInt8? = 230, in scratch: Scratch) throws -> String {
        let buffer = try CVPixelBuffer.make(width: 320, height: 240, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ grey: UInt8) {
                canvas.fill(
                    PixelRectangle(x: x, y: y, width: width, height: height), Colour(red: grey, green: grey, blue: grey)
                )
            }
            fill(0, 0, 320, 240, 90)
            guard let pageGrey else { return }
            fill(60, 40, 190, 150, pageGrey)
            fill(270, 60, 40, 70, 30)
        }
        let path = scratch.path(name)
        try ImageFile.write(buffer, to: path)
        return path
    }

    private func rectangles(_ run: ToolRun, _ line: Int = 0) throws -> [[String: Any]] {
        try run.results(line)
    }

    private func assert(
        _ corners: [Double]?, are wanted: [Double], file: StaticString = #filePath, line: UInt = #line
    ) {
        XCTAssertEqual(corners?.count, 8, file: file, line: line)
        for (found, wanted) in zip(corners ?? [], wanted) {
            XCTAssertEqual(found, wanted, accuracy: 1, file: file, line: line)
        }
    }

    func testThePageIsPrintedWithItsCornersFromTheTopLeftOn() throws {
        let scratch = try Scratch()
        let run = try openvision(["rectangles", try write("page.png", in: scratch), "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        let found = try rectangles(run)
        // The card is narrower than a fifth of the image.
        XCTAssertEqual(found.count, 1)
        assert(found.first.map { numbers($0["corners"]) }, are: Self.page)
        let confidence = try XCTUnwrap(found.first?["confidence"] as? Double)
        XCTAssertTrue((0...1).contains(confidence))
    }

    func testSmallerRectanglesAreFoundOnRequest() throws {
        let scratch = try Scratch()
        let photo = try write("both.png", in: scratch)
        let both = try rectangles(try openvision(["rectangles", photo, "--min-size", "0.1", "--json"]))
        XCTAssertEqual(both.count, 2)
        let corners = both.map { numbers($0["corners"]) }.sorted { ($0.first ?? 0) < ($1.first ?? 0) }
        assert(corners.first, are: Self.page)
        assert(corners.last, are: Self.card)
        let one = try rectangles(try openvision(["rectangles", photo, "--min-size", "0.1", "--max", "1", "--json"]))
        XCTAssertEqual(one.count, 1)
        let confidences = both.compactMap { $0["confidence"] as? Double }
        XCTAssertEqual(one.first?["confidence"] as? Double, confidences.max())
        let square = try rectangles(
            try openvision(["rectangles", photo, "--min-size", "0.1", "--min-aspect", "0.7", "--json"]))
        XCTAssertEqual(square.count, 1)
        assert(square.first.map { numbers($0["corners"]) }, are: Self.page)
    }

    func testTextHasALineForThePhotoAndOneForEachRectangle() throws {
        let scratch = try Scratch()
        let run = try openvision(["rectangles", try write("page.png", in: scratch)])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.count, 2)
        let numbers = run.lines.last?.split(separator: " ").last?.split(separator: ",").compactMap { Double($0) }
        assert(numbers, are: Self.page)
    }

    func testThePrintedCornersStartATracker() throws {
        let scratch = try Scratch()
        let run = try openvision(["rectangles", try write("page.png", in: scratch)])
        let text = try XCTUnwrap(run.lines.last?.split(separator: " ").last)
        XCTAssertNotNil(PixelQuad(String(text)))
    }

    func testAPhotoWithoutARectangleHasNoResult() throws {
        let scratch = try Scratch()
        let photo = try write("plain.png", pageGrey: nil, in: scratch)
        let run = try openvision(["rectangles", photo])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertTrue(run.output.contains("no rectangle"), run.output)
        XCTAssertEqual(try rectangles(try openvision(["rectangles", photo, "--json"])).count, 0)
    }

    func testTheRenderedPhotoHasAnOutlineAlongThePage() throws {
        let scratch = try Scratch()
        let rendered = scratch.path("found.png")
        let run = try openvision(["rectangles", try write("page.png", in: scratch), "--render", rendered])
        XCTAssertEqual(run.code, 0, run.errors)
        let source = ImageSource(data: try Data(contentsOf: URL(fileURLWithPath: rendered)))
        let size = try source.uprightSize()
        XCTAssertEqual([size.width, size.height], [320, 240])
        let image = try source.derivative(
            Derivative(region: PixelRegion(width: 320, height: 240), width: 320, height: 240, format: .bgra8))
        // The image is grey, so coloured pixels belong to the outline.
        let coloured = image.withUnsafePixels { pixels in
            (0..<320 * 240).filter { index in
                let pixel = pixels + index / 320 * image.rowBytes + index % 320 * 4
                let parts = (0..<3).map { pixel.load(fromByteOffset: $0, as: UInt8.self) }
                return (parts.max() ?? 0) - (parts.min() ?? 0) > 40
            }
        }
        XCTAssertGreaterThan(coloured.count, 500)
        // The label is above the page.
        for index in coloured where index / 320 > 36 {
            let (x, y) = (index % 320, index / 320)
            let isWithin = (50...260).contains(x) && (30...200).contains(y)
            let isInside = (72...238).contains(x) && (52...178).contains(y)
            XCTAssertTrue(isWithin && !isInside, "\(x), \(y)")
        }
    }

    func testFilesThatAreNotImagesAreReportedAndTheOthersAreRead() throws {
        let scratch = try Scratch()
        let photo = try write("a.png", in: scratch)
        let text = scratch.path("b.png")
        try Data("no photo".utf8).write(to: URL(fileURLWithPath: text))
        let run = try openvision(["rectangles", photo, text, scratch.path("missing.png"), "--json"])
        XCTAssertEqual(run.code, 1)
        let objects = try (0..<3).map { try run.object($0) }
        XCTAssertEqual(objects.count { $0["error"] is String }, 2)
        XCTAssertEqual(objects.compactMap { $0["results"] as? [Any] }.map(\.count), [1, 0, 0])
    }

    func testAnUnknownRevisionIsReported() throws {
        let scratch = try Scratch()
        let run = try openvision(["rectangles", try write("a.png", in: scratch), "--revision", "99"])
        XCTAssertEqual(run.code, 1)
        XCTAssertTrue(run.errors.contains("revision 99"), run.errors)
    }

    func testWrongCommandLinesExitWith64AndSayWhatIsWrong() throws {
        for (arguments, part) in [
            (["rectangles"], "image"),
            (["rectangles", "a.png", "--render", "c.gif"], "c.gif"),
            (["rectangles", "a.png", "--min-size", "1.5"], "--min-size"),
            (["rectangles", "a.png", "--min-confidence", "nan"], "--min-confidence"),
            (["rectangles", "a.png", "--min-aspect", "0.9", "--max-aspect", "0.5"], "--min-aspect"),
            (["rectangles", "a.png", "--quadrature-tolerance", "46"], "--quadrature-tolerance"),
            (["rectangles", "a.png", "--max", "-1"], "--max"),
        ] {
            let run = try openvision(arguments)
            XCTAssertEqual(run.code, 64, "\(arguments)")
            XCTAssertTrue(run.errors.contains(part), "\(arguments): \(run.errors)")
        }
    }
}
