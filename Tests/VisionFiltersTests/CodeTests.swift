import Vision
import VisionAlgorithms
import VisionFilters
import XCTest

final class CodeTests: XCTestCase {
    private func drawn(_ name: String, _ message: String, _ parameters: [String: Any] = [:]) throws -> CIImage {
        let filter = try XCTUnwrap(CIFilter(name: name, parameters: parameters))
        filter.setValue(Data(message.utf8), forKey: "inputMessage")
        return try XCTUnwrap(filter.outputImage)
    }

    /// The code eight times as large on white.
    private func onPage(_ code: CIImage) -> CIImage {
        let large = code.transformed(by: CGAffineTransform(scaleX: 8, y: 8))
        return large.transformed(by: CGAffineTransform(translationX: 60, y: 40)).composited(over: .white)
            .cropped(to: CGRect(x: 0, y: 0, width: large.extent.width + 120, height: large.extent.height + 80))
    }

    func testTheRequestReadsWhatTheGeneratorsDraw() throws {
        for (name, symbology, message) in [
            ("CIQRCodeGenerator", VNBarcodeSymbology.qr, "https://example.org/ä"),
            ("CIAztecCodeGenerator", .aztec, "Ticket 4711"), ("CIPDF417BarcodeGenerator", .pdf417, "Boarding pass"),
            ("CICode128BarcodeGenerator", .code128, "ABC-12345"),
        ] {
            let request = VNDetectBarcodesRequest()
            request.symbologies = [symbology]
            try VNImageRequestHandler(ciImage: onPage(try drawn(name, message))).perform([request])
            XCTAssertEqual(request.results?.map(\.payloadStringValue), [message], name)
        }
    }

    func testSizesAndLevels() throws {
        // Version 1 has 21 modules, and there is one of margin on each side.
        let small = try drawn("CIQRCodeGenerator", "A", ["inputCorrectionLevel": "L"])
        XCTAssertEqual(small.extent, CGRect(x: 0, y: 0, width: 23, height: 23))
        let text = String(repeating: "long ", count: 30)
        let (low, high) = (
            try drawn("CIQRCodeGenerator", text, ["inputCorrectionLevel": "L"]).extent.width,
            try drawn("CIQRCodeGenerator", text, ["inputCorrectionLevel": "H"]).extent.width
        )
        XCTAssertGreaterThan(high, low)
        let bars = try drawn("CICode128BarcodeGenerator", "1", ["inputQuietSpace": 3, "inputBarcodeHeight": 20])
        XCTAssertEqual(bars.extent.height, 20)
        assertRenders(bars, CGRect(x: 0, y: 0, width: 4, height: 1)) { x, _ in
            x < 3 ? Pixel(repeating: 255) : Pixel(0, 0, 0, 255)
        }
    }

    func testMessagesThatDoNotFitMakeNoImage() {
        for (name, message) in [
            ("CIQRCodeGenerator", Data()), ("CIQRCodeGenerator", Data(repeating: 65, count: 5000)),
            ("CIQRCodeGenerator", Data(repeating: 65, count: 100_000)), ("CICode128BarcodeGenerator", Data("ä".utf8)),
            ("CIAztecCodeGenerator", Data([0])),
        ] {
            let filter = CIFilter(name: name)
            filter?.setValue(message, forKey: "inputMessage")
            XCTAssertNil(filter?.outputImage, "\(name), \(message.count) bytes")
        }
        let filter = CIFilter(name: "CIQRCodeGenerator", parameters: ["inputCorrectionLevel": "Z"])
        filter?.setValue(Data("A".utf8), forKey: "inputMessage")
        XCTAssertNil(filter?.outputImage)
    }

    func testTheDetectorFindsCodesWhereTheyAre() throws {
        let page = onPage(try drawn("CIQRCodeGenerator", "detector"))
        let box = CGRect(x: 68, y: 48, width: page.extent.width - 136, height: page.extent.height - 96)
        let detector = try XCTUnwrap(
            CIDetector(
                ofType: CIDetectorTypeQRCode, context: nil, options: [CIDetectorAccuracy: CIDetectorAccuracyHigh]))
        let code = try XCTUnwrap(detector.features(in: page).first as? CIQRCodeFeature)
        XCTAssertEqual(code.messageString, "detector")
        XCTAssertEqual(code.type, CIFeatureTypeQRCode)
        XCTAssertEqual(code.symbolDescriptor != nil, BarcodeReader.givesCodewords)
        for (found, wanted) in [(code.bounds.minX, box.minX), (code.bounds.maxY, box.maxY)] {
            XCTAssertEqual(Double(found), Double(wanted), accuracy: 6)
        }
        // Turned images are read upright, and positions are those of the image as it is.
        for orientation in CGImagePropertyOrientation.allCases {
            let moved = page.transformed(by: CGAffineTransform(translationX: 100, y: -30))
            let options = [CIDetectorImageOrientation: orientation.rawValue]
            let turned = try XCTUnwrap(detector.features(in: moved, options: options).first as? CIQRCodeFeature)
            XCTAssertEqual(Double(turned.bounds.minX), Double(box.minX) + 100, accuracy: 6, "\(orientation)")
            XCTAssertEqual(Double(turned.bounds.midY), Double(box.midY) - 30, accuracy: 6, "\(orientation)")
        }
        XCTAssertTrue(detector.features(in: .empty()).isEmpty)
    }

    func testTheDetectorFindsRectangles() throws {
        let card = CIImage(color: .white).cropped(to: CGRect(x: 80, y: 60, width: 260, height: 170))
        let scene = card.composited(over: CIImage(color: CIColor(red: 0.1, green: 0.15, blue: 0.2)))
            .cropped(to: CGRect(x: 0, y: 0, width: 420, height: 300))
        let detector = CIDetector(ofType: CIDetectorTypeRectangle, context: CIContext())
        let found = try XCTUnwrap(detector?.features(in: scene).first as? CIRectangleFeature)
        XCTAssertEqual(Double(found.topLeft.x), 80, accuracy: 5)
        XCTAssertEqual(Double(found.bottomRight.y), 60, accuracy: 5)
        XCTAssertNil(CIDetector(ofType: "Cats", context: nil))
        let other = CIDetector(
            ofType: CIDetectorTypeRectangle, context: nil, options: [CIDetectorAspectRatio: 4.0])
        XCTAssertEqual(other?.features(in: scene).count, 0)
    }
}
