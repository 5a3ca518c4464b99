import ModelTestSupport
import Foundation
import Vision
import VisionImage
import VisionVideo
import XCTest

@testable import openvision

/// Runs `openvision barcodes` as its users do, with synthetic images.
final class BarcodeCommandTests: XCTestCase {
    /// The modules of the EAN-13 code 5901234123457, by GS1's General Specifications: guards, six digits, guards, six
    /// digits, guards.
    private static let modules =
        "101" + "0001011" + "0100111" + "0110011" + "0010011" + "0111101" + "0011101"
        + "01010" + "1100110" + "1101100" + "1000010" + "1011100" + "1001110" + "1000100" + "101"

    /// The code from x 65 to 255 and y 60 to 140, two pixels a module.
    private func makeImage(hasCode: Bool = true) throws -> CVPixelBuffer {
        let buffer = try CVPixelBuffer.make(width: 320, height: 200, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: 320, height: 200), Colour(red: 235, green: 235, blue: 235))
            guard hasCode else { return }
            for (index, module) in Self.modules.enumerated() where module == "1" {
                canvas.fill(
                    PixelRectangle(x: 65 + 2 * index, y: 60, width: 2, height: 80), Colour(red: 20, green: 20, blue: 20)
                )
            }
        }
        return buffer
    }

    private func write(_ name: String, hasCode: Bool = true, in scratch: Scratch) throws -> String {
        let path = scratch.path(name)
        try ImageFile.write(try makeImage(hasCode: hasCode), to: path)
        return path
    }

    func testABarcodeIsPrintedWithItsPosition() throws {
        XCTAssertEqual(Self.modules.count, 95)
        let scratch = try Scratch()
        let run = try openvision(["barcodes", try write("code.png", in: scratch), "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        let codes = try run.results(0)
        XCTAssertEqual(codes.count, 1)
        let code = try XCTUnwrap(codes.first)
        XCTAssertEqual(code["symbology"] as? String, "ean13")
        XCTAssertEqual(code["payload"] as? String, "5901234123457")
        XCTAssertEqual(code["isInverted"] as? Bool, false)
        let box = numbers(code["box"])
        XCTAssertEqual(box.count, 4)
        for (found, wanted) in zip(box, [65.0, 60, 190, 80]) { XCTAssertEqual(found, wanted, accuracy: 6) }
        XCTAssertEqual(numbers(code["corners"]).count, 8)
    }

    func testTextNamesTheKindAndThePayload() throws {
        let scratch = try Scratch()
        let run = try openvision(["barcodes", try write("code.png", in: scratch)])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.count, 2)
        XCTAssertTrue(run.output.contains("ean13"), run.output)
        XCTAssertTrue(run.output.contains("5901234123457"), run.output)
    }

    func testOnlyTheRequestedSymbologiesAreRead() throws {
        let scratch = try Scratch()
        let photo = try write("code.png", in: scratch)
        for (names, count) in [("qr,dataMatrix", 0), ("ean13", 1), ("EAN13, qr", 1)] {
            let run = try openvision(["barcodes", photo, "--symbologies", names, "--json"])
            XCTAssertEqual(try run.results(0).count, count, names)
        }
    }

    func testAPhotoWithoutABarcodeHasNoResult() throws {
        let scratch = try Scratch()
        let photo = try write("plain.png", hasCode: false, in: scratch)
        let run = try openvision(["barcodes", photo])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertTrue(run.output.contains("no code"), run.output)
        XCTAssertEqual(try openvision(["barcodes", photo, "--json"]).results(0).count, 0)
    }

    func testTheNamesOfAllSymbologiesAreListed() throws {
        let run = try openvision(["barcodes", "--list"])
        XCTAssertEqual(run.code, 0, run.errors)
        for name in ["ean13", "qr", "code128", "pdf417", "aztec", "dataMatrix"] {
            XCTAssertTrue(run.lines.contains(Substring(name)), name)
        }
        let older = try openvision(["barcodes", "--list", "--revision", "1"])
        XCTAssertFalse(older.lines.contains("codabar"))
        XCTAssertTrue(run.lines.contains("codabar"))
    }

    func testTheRenderedPhotoHasAnOutlineAroundTheBarcode() throws {
        let scratch = try Scratch()
        let rendered = scratch.path("found.png")
        let run = try openvision(["barcodes", try write("code.png", in: scratch), "--render", rendered])
        XCTAssertEqual(run.code, 0, run.errors)
        let source = ImageSource(data: try Data(contentsOf: URL(fileURLWithPath: rendered)))
        let size = try source.uprightSize()
        XCTAssertEqual([size.width, size.height], [320, 200])
        let image = try source.derivative(
            Derivative(region: PixelRegion(width: 320, height: 200), width: 320, height: 200, format: .bgra8))
        // The image is grey, so coloured pixels belong to the outline.
        let coloured = image.withUnsafePixels { pixels in
            (0..<320 * 200).filter { index in
                let pixel = pixels + index / 320 * image.rowBytes + index % 320 * 4
                let parts = (0..<3).map { pixel.load(fromByteOffset: $0, as: UInt8.self) }
                return (parts.max() ?? 0) - (parts.min() ?? 0) > 40
            }
        }
        XCTAssertGreaterThan(coloured.count, 400)
        // The label with the payload is above the outline.
        XCTAssertTrue(coloured.allSatisfy { (48...272).contains($0 % 320) && (20...156).contains($0 / 320) })
        XCTAssertTrue(coloured.contains { $0 / 320 < 44 })
    }

    func testFilesThatAreNotImagesAreReportedAndTheOthersAreRead() throws {
        let scratch = try Scratch()
        let photo = try write("a.png", in: scratch)
        let text = scratch.path("b.png")
        try Data("no photo".utf8).write(to: URL(fileURLWithPath: text))
        let run = try openvision(["barcodes", photo, text, scratch.path("missing.png"), "--json"])
        XCTAssertEqual(run.code, 1)
        XCTAssertEqual(try run.results(0).count, 1)
        XCTAssertNotNil(try run.object(1)["error"] as? String)
        XCTAssertNotNil(try run.object(2)["error"] as? String)
    }

    func testWrongCommandLinesExitWith64AndSayWhatIsWrong() throws {
        for (arguments, part) in [
            (["barcodes"], "image"), (["barcodes", "a.png", "--symbologies", "nonsense"], "nonsense"),
            (["barcodes", "a.png", "--render", "c.gif"], "c.gif"),
            (["barcodes", "a.png", "--revision", "99"], "revision"),
            (["barcodes", "a.png", "--threads", "0"], "--threads"),
        ] {
            let run = try openvision(arguments)
            XCTAssertEqual(run.code, 64, "\(arguments)")
            XCTAssertTrue(run.errors.contains(part), "\(arguments): \(run.errors)")
        }
    }
}
