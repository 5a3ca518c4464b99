import ModelTestSupport
import Foundation
import Vision
import VisionImage
import VisionVideo
import XCTest

@testable import openvision

final class ContactSheetTests: XCTestCase {
    private let sheet = ContactSheet()

    /// An image of one colour.
    private func makeImage(_ colour: Colour, width: Int, height: Int) throws -> CVPixelBuffer {
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: width, height: height), colour)
        }
        return buffer
    }

    private func thumbnail(_ colour: Colour, width: Int, height: Int) throws -> Raster {
        let scratch = try Scratch()
        try writePNG(try makeImage(colour, width: width, height: height), scratch.path("a.png"))
        return try sheet.thumbnail(of: try Data(contentsOf: scratch.url.appendingPathComponent("a.png")))
    }

    /// Columns and rows of pixels that are not white.
    private func extent(of buffer: CVPixelBuffer) throws -> (columns: Set<Int>, rows: Set<Int>) {
        var (columns, rows): (Set<Int>, Set<Int>) = ([], [])
        for y in 0..<CVPixelBufferGetHeight(buffer) {
            for x in 0..<CVPixelBufferGetWidth(buffer) where try pixel(buffer, x, y) != .white {
                columns.insert(x)
                rows.insert(y)
            }
        }
        return (columns, rows)
    }

    func testThumbnailsKeepTheirShapeAndAreNeverEnlarged() throws {
        let wide = try thumbnail(.black, width: 1000, height: 250)
        XCTAssertEqual([wide.width, wide.height], [224, 56])
        let high = try thumbnail(.black, width: 300, height: 600)
        XCTAssertEqual([high.width, high.height], [112, 224])
        let small = try thumbnail(.black, width: 20, height: 9)
        XCTAssertEqual([small.width, small.height], [20, 9])
        let line = try thumbnail(.black, width: 4000, height: 1)
        XCTAssertEqual([line.width, line.height], [224, 1])
    }

    func testThumbnailsAreUpright() throws {
        let scratch = try Scratch()
        let image = try XCTUnwrap(
            CIContext().createCGImage(
                CIImage(cvPixelBuffer: try makeImage(.black, width: 60, height: 30)),
                from: CGRect(x: 0, y: 0, width: 60, height: 30)))
        let path = scratch.path("a.jpg")
        let file = try XCTUnwrap(CGImageDestinationCreateWithURL(URL(fileURLWithPath: path), "public.jpeg", 1, nil))
        CGImageDestinationAddImage(file, image, nil)
        XCTAssertTrue(CGImageDestinationFinalize(file))
        // An EXIF segment with an orientation of 90°.
        let exif: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif".utf8) + [0, 0, 0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1]
            + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let rotated = try sheet.thumbnail(of: bytes.prefix(2) + Data(exif) + bytes.dropFirst(2))
        XCTAssertEqual([rotated.width, rotated.height], [30, 60])
    }

    func testBytesThatAreNotAnImageAreAnError() {
        XCTAssertThrowsError(try sheet.thumbnail(of: Data("no image".utf8)))
        XCTAssertThrowsError(try sheet.thumbnail(of: Data()))
    }

    func testImagesAreInRowsInTheirOrder() throws {
        let colours = (0..<7).map { Colour(red: UInt8(30 * $0), green: 100, blue: 50) }
        let entries = try colours.map { colour in
            ContactSheet.Entry(image: try thumbnail(colour, width: 224, height: 224), caption: "")
        }
        let columns = ContactSheet.columns(for: 7)
        XCTAssertEqual(columns, 4)
        let buffer = try sheet.render(entries)
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        for (index, colour) in colours.enumerated() {
            let x = width * (2 * (index % columns) + 1) / (2 * columns)
            let y = height * (2 * (index / columns) + 1) / 4 - 10
            assertClose(try pixel(buffer, x, y), colour, within: 1)
        }
        // The last cell of the second row is empty.
        XCTAssertEqual(try pixel(buffer, width * 7 / 8, height * 3 / 4), .white)
    }

    func testTheFirstImageIsFramed() throws {
        let entry = ContactSheet.Entry(image: try thumbnail(.black, width: 100, height: 50), caption: "")
        let buffer = try sheet.render([entry, entry])
        func isRed(_ colour: Colour) -> Bool { colour.red > 200 && colour.green < 60 }
        var red = 0
        for x in 0..<CVPixelBufferGetWidth(buffer) where isRed(try pixel(buffer, x, 12 + 112)) { red += 1 }
        XCTAssertEqual(red, 8, "four pixels on either side of the first, none at the second")
    }

    func testCaptionsAndMissingImagesAreDrawn() throws {
        let plain = try extent(of: sheet.render([.init(image: nil, caption: "")]))
        XCTAssertGreaterThanOrEqual(plain.columns.count, 224, "a missing image leaves a grey field")
        let captioned = try extent(of: sheet.render([.init(image: nil, caption: "12  0.345")]))
        XCTAssertGreaterThan(try XCTUnwrap(captioned.rows.max()), try XCTUnwrap(plain.rows.max()) + 5)
        XCTAssertEqual(captioned.columns, plain.columns, "a caption is no wider than its image")
    }

    func testSheetsAreWiderThanHighAndHoldManyImages() throws {
        XCTAssertEqual([0, 1, 2, 5, 20, 200].map { ContactSheet.columns(for: $0) }, [1, 1, 2, 3, 6, 10])
        let entries = [ContactSheet.Entry](repeating: .init(caption: "1"), count: ContactSheet.imageLimit)
        XCTAssertNoThrow(try sheet.render(entries))
        XCTAssertNoThrow(try sheet.render([]))
    }

    func testImagesAreWrittenAsTheirExtensionSays() throws {
        let scratch = try Scratch()
        let buffer = try makeImage(Colour(red: 10, green: 200, blue: 30), width: 40, height: 20)
        for (name, start) in [("a.jpg", [0xFF, 0xD8]), ("a.PNG", [0x89, 0x50]), ("b.jpeg", [0xFF, 0xD8])]
            as [(String, [UInt8])]
        {
            try ImageFile.write(buffer, to: scratch.path(name))
            let bytes = try Data(contentsOf: scratch.url.appendingPathComponent(name))
            XCTAssertEqual(Array(bytes.prefix(2)), start)
        }
        XCTAssertNil(ImageFile.check("a.jpg"))
        XCTAssertNil(ImageFile.check(nil))
        XCTAssertNotNil(ImageFile.check("a.gif"))
        XCTAssertThrowsError(try ImageFile.write(buffer, to: scratch.path("no/such/a.png")))
    }

    func testImagesAreClippedToTheCanvas() throws {
        let buffer = try makeImage(.white, width: 10, height: 10)
        let black = try thumbnail(.black, width: 8, height: 8)
        try Canvas.paint(on: buffer) { canvas in
            for (x, y) in [(-6, -6), (8, 8), (-20, 0), (0, 30)] { canvas.draw(black, x: x, y: y) }
        }
        var dark: Set<[Int]> = []
        for y in 0..<10 {
            for x in 0..<10 where try pixel(buffer, x, y) == .black { dark.insert([x, y]) }
        }
        XCTAssertEqual(dark, [[0, 0], [1, 0], [0, 1], [1, 1], [8, 8], [9, 8], [8, 9], [9, 9]])
    }
}
