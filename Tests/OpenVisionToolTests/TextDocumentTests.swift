import Foundation
import ModelTestSupport
import Vision
import VisionPhotos
import VisionVideo
import XCTest

@testable import openvision

/// The documents that `openvision text --format` writes, of a page that was made up.
final class TextDocumentTests: XCTestCase {
    private func page(_ scratch: Scratch) throws -> TextPage {
        let buffer = try CVPixelBuffer.make(width: 300, height: 150, format: kCVPixelFormatType_32BGRA, path: "test")
        let path = scratch.path("a<b.png")
        try ImageFile.write(buffer, to: path)
        func quad(_ x: Double, _ width: Double) throws -> PixelQuad {
            try XCTUnwrap(PixelQuad("\(x),40,\(x + width),40,\(x + width),60,\(x),60"))
        }
        let words = [TextWord(text: "Größe", quad: try quad(20, 50)), TextWord(text: "<7&日", quad: try quad(80, 40))]
        return TextPage(
            path: FilePath(path), photo: try Photo(FilePath(path)),
            lines: [TextLine(text: "Größe <7&日", confidence: 0.875, quad: try quad(20, 100), words: words)])
    }

    func testHOCRHasTheBoxesOfPagesLinesAndWords() throws {
        let scratch = try Scratch()
        let text = HOCRDocument.text([try page(scratch)])
        XCTAssertTrue(text.contains("bbox 0 0 300 150; ppageno 0"), text)
        XCTAssertTrue(text.contains("<span class=\"ocr_line\" id=\"line_1_1\" title=\"bbox 20 40 120 60\">"), text)
        XCTAssertTrue(text.contains("bbox 80 40 120 60; x_wconf 88\">&lt;7&amp;日</span>"), text)
        XCTAssertFalse(text.contains("a<b"), text)
    }

    func testALTOIsXMLWithTheWords() throws {
        let scratch = try Scratch()
        let text = ALTODocument.text([try page(scratch), try page(scratch)])
        XCTAssertEqual(text.components(separatedBy: "<Page ").count, 3)
        XCTAssertTrue(
            text.contains(
                "<String HPOS=\"20\" VPOS=\"40\" WIDTH=\"50\" HEIGHT=\"20\" CONTENT=\"Größe\" WC=\"0.875\"/>"),
            text)
        XCTAssertEqual(XML.escaped("a\u{1}b\"\n"), "ab&quot; ")
    }

    func testThePDFIsWellFormedAndHoldsTheWordsInUnicode() throws {
        let scratch = try Scratch()
        let page = try page(scratch)
        let pdf = try SearchablePDF.document(of: [page, page])
        XCTAssertEqual(pdf.prefix(8), Data("%PDF-1.5".utf8))
        // Bytes of images are no text; every byte becomes a character here, so that positions agree.
        let text = String(pdf.map { Character(UnicodeScalar($0)) })
        let bytes = Array(pdf)
        XCTAssertTrue(text.contains("/Count 2"))
        // Every entry of the table of objects points at its object.
        let table = try XCTUnwrap(text.components(separatedBy: "\nxref\n").last).split(separator: "\n")
        let count = try XCTUnwrap(Int(table[0].split(separator: " ")[1]))
        for object in 1..<count {
            let offset = try XCTUnwrap(Int(table[object + 1].prefix(10)))
            let wanted = Array("\(object) 0 obj".utf8)
            XCTAssertEqual(Array(bytes[offset..<offset + wanted.count]), wanted)
        }
        // "Größe" and "<7&日" in UTF-16. The first is 20 pixels high and 50 wide, at 150 pixels per inch.
        XCTAssertTrue(text.contains("<0047007200F600DF0065> Tj"), text)
        XCTAssertTrue(text.contains("<003C0037002665E5> Tj"), text)
        XCTAssertTrue(text.contains("/F0 20 Tf\n100 Tz\n0.48 0 0 0.48 9.6"), text)
        XCTAssertTrue(text.contains("3 Tr"))
    }

    func testDocumentsOfSeveralPhotosAreWrittenToAFile() throws {
        let scratch = try Scratch()
        let page = try page(scratch)
        _ = try requireModel { try page.photo.perform([VNRecognizeTextRequest()]) }
        let path = page.path.text
        try Data("none".utf8).write(to: URL(fileURLWithPath: scratch.path("broken.jpg")))
        for format in ["pdf", "hocr", "alto", "json", "text"] {
            let output = scratch.path("out.\(format)")
            let run = try openvision(["text", path, path, "--format", format, "--output", output])
            XCTAssertEqual(run.code, 0, run.errors)
            // A photo that cannot be read does not cost the others.
            let size = try Data(contentsOf: URL(fileURLWithPath: output)).count
            try FileManager.default.removeItem(atPath: output)
            let partly = try openvision(
                ["text", path, scratch.path("broken.jpg"), path, "--format", format, "--output", output])
            XCTAssertEqual(partly.code, 1, format)
            XCTAssertGreaterThanOrEqual(try Data(contentsOf: URL(fileURLWithPath: output)).count, size, format)
            XCTAssertEqual(run.output, "", format)
            XCTAssertGreaterThan(size, 20, format)
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        XCTAssertEqual(try openvision(["text", path, "--output", path]).code, 1)
        XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)
        XCTAssertEqual(try openvision(["text", path, "--json", "--format", "hocr"]).code, 64)
    }
}
