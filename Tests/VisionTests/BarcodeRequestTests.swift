import BarcodeTestSupport
import Vision
import VisionAlgorithms
import XCTest

final class BarcodeRequestTests: XCTestCase {
    private func barcodes(
        _ frame: GreyFrame, revision: Int = VNDetectBarcodesRequestRevision4,
        _ symbologies: [VNBarcodeSymbology]? = nil,
        region: CGRect = VNNormalizedIdentityRect
    ) throws -> [VNBarcodeObservation] {
        let request = VNDetectBarcodesRequest()
        request.revision = revision
        if let symbologies { request.symbologies = symbologies }
        request.regionOfInterest = region
        try VNImageRequestHandler(cvPixelBuffer: frame.greyPixelBuffer()).perform([request])
        return try XCTUnwrap(request.results)
    }

    // MARK: - Kinds of codes

    func testEachKindIsReadWithItsPayload() throws {
        let cases: [(DrawnCode.Kind, String, VNBarcodeSymbology, String)] = [
            (.qr, "https://example.org/ä", .qr, "https://example.org/ä"),
            (.aztec, "Aztec text", .aztec, "Aztec text"),
            (.dataMatrix, "Data Matrix 123", .dataMatrix, "Data Matrix 123"),
            (.pdf417, "PDF417 text", .pdf417, "PDF417 text"),
            (.ean13, "5901234123457", .ean13, "5901234123457"),
            (.ean8, "96385074", .ean8, "96385074"),
            (.upca, "012345678905", .ean13, "0012345678905"),
            (.upce, "01234565", .upce, "01234565"),
            (.code128, "Code 128", .code128, "Code 128"),
            (.code39, "CODE-39", .code39, "CODE-39"),
            (.code93, "CODE-93", .code93, "CODE-93"),
            (.itf, "30712345000010", .itf14, "30712345000010"),
            (.itf, "1234567895", .i2of5, "1234567895"),
            (.codabar, "A31117B", .codabar, "A31117B"),
        ]
        for (kind, text, symbology, payload) in cases {
            let found = try barcodes(BarcodeScene(try DrawnCode(kind, text)).frame())
            XCTAssertEqual(found.map(\.symbology), [symbology], "\(kind) \(text)")
            XCTAssertEqual(found.map(\.payloadStringValue), [payload], "\(kind) \(text)")
            XCTAssertEqual(found.first?.requestRevision, 4)
            XCTAssertEqual(found.first?.isColorInverted, false)
            XCTAssertEqual(found.first?.payloadData, Data(payload.utf8), "\(kind) \(text)")
        }
    }

    func testVariantsCountWhereTheyAreAskedFor() throws {
        let full = BarcodeScene(try DrawnCode(.code39, "12+A+B")).frame()
        XCTAssertEqual(try barcodes(full).map(\.symbology), [.code39FullASCII])
        XCTAssertEqual(try barcodes(full).map(\.payloadStringValue), ["12ab"])
        XCTAssertEqual(try barcodes(full, [.code39]).map(\.payloadStringValue), ["12+A+B"])
        XCTAssertEqual(try barcodes(full, [.code39Checksum]).count, 0)

        let checked = BarcodeScene(try DrawnCode(.code39, "CODE 39R")).frame()
        XCTAssertEqual(try barcodes(checked, [.code39Checksum]).map(\.payloadStringValue), ["CODE 39R"])
        XCTAssertEqual(try barcodes(checked).map(\.symbology), [.code39])

        let digits = BarcodeScene(try DrawnCode(.itf, "1234567895")).frame()
        XCTAssertEqual(try barcodes(digits, [.itf14]).count, 0)
        XCTAssertEqual(try barcodes(digits, [.i2of5Checksum]).map(\.symbology), [.i2of5Checksum])
    }

    // MARK: - Positions

    func testCornersAreThoseOfTheCodeInItsOwnOrientation() throws {
        for (kind, text) in [(DrawnCode.Kind.qr, "corners"), (.dataMatrix, "corners"), (.code128, "corners")] {
            for rotation in [0.0, 90, 180, 270, 8, -172]
            where kind != .code128 || rotation.truncatingRemainder(dividingBy: 90) == 0 {
                let scene = BarcodeScene(try DrawnCode(kind, text), rotation: rotation)
                let found = try barcodes(scene.frame())
                XCTAssertEqual(found.count, 1, "\(kind) at \(rotation)°")
                guard let code = found.first else { continue }
                let corners = [code.topLeft, code.topRight, code.bottomRight, code.bottomLeft]
                for (number, corner) in corners.enumerated() {
                    let wanted = scene.normalized(scene.codes[0].corner(number))
                    let (dx, dy) = (Double(corner.x - wanted.x) * 640, Double(corner.y - wanted.y) * 480)
                    XCTAssertLessThan(
                        (dx * dx + dy * dy).squareRoot(), 6, "corner \(number) of \(kind) at \(rotation)°")
                }
            }
        }
    }

    func testBoxesAreNeverWithoutHeight() throws {
        // The bars have one row of pixels only.
        let code = try DrawnCode(.ean8, "96385074", barHeight: 1)
        let frame = GreyFrame(width: 90, height: 1) { x, _ in code.isDark(Double(x - 10), 0) ? 0 : 255 }
        let found = try barcodes(frame)
        XCTAssertEqual(found.map(\.payloadStringValue), ["96385074"])
        XCTAssertGreaterThan(found.first?.boundingBox.height ?? 0, 0.5)
        XCTAssertGreaterThan(found.first?.boundingBox.width ?? 0, 0.5)
    }

    func testRotatedLinearBarcodesAreRead() throws {
        for rotation in [15.0, 30, 45, 60, 110, 200] {
            let found = try barcodes(BarcodeScene(try DrawnCode(.code128, "slanted"), rotation: rotation).frame())
            XCTAssertEqual(found.map(\.payloadStringValue), ["slanted"], "\(rotation)°")
        }
    }

    func testLightOnDarkIsRead() throws {
        for (kind, text) in [(DrawnCode.Kind.qr, "inverted"), (.ean13, "5901234123457"), (.aztec, "inverted")] {
            let found = try barcodes(BarcodeScene(try DrawnCode(kind, text), isInverted: true).frame())
            XCTAssertEqual(found.map(\.payloadStringValue), [text], "\(kind)")
            XCTAssertEqual(found.first?.isColorInverted, true, "\(kind)")
        }
    }

    func testSeveralCodesAreOneObservationEach() throws {
        let (ean, qr) = (try DrawnCode(.ean13, "5901234123457"), try DrawnCode(.qr, "one of several"))
        let scene = BarcodeScene([
            .init(code: ean, x: 150, y: 100, scale: 2), .init(code: ean, x: 480, y: 100, scale: 2),
            .init(code: qr, x: 150, y: 330, scale: 4), .init(code: qr, x: 480, y: 330, scale: 4, isInverted: true),
        ])
        let found = try barcodes(scene.frame())
        XCTAssertEqual(found.filter { $0.symbology == .ean13 }.count, 2)
        XCTAssertEqual(found.filter { $0.symbology == .qr }.count, 2)
        XCTAssertEqual(found.filter(\.isColorInverted).count, 1)
        for (number, placed) in scene.codes.enumerated() {
            let middle = scene.normalized(CGPoint(x: placed.x, y: placed.y))
            XCTAssertEqual(found.filter { $0.boundingBox.contains(middle) }.count, 1, "code \(number)")
        }
    }

    func testACodeInALargeImageIsOneObservation() throws {
        // Large enough to be searched in two sizes.
        let scene = BarcodeScene(
            width: 1280, height: 960,
            [.init(code: try DrawnCode(.ean13, "5901234123457", barHeight: 60), x: 640, y: 480, scale: 8)])
        XCTAssertEqual(try barcodes(scene.frame()).map(\.payloadStringValue), ["5901234123457"])
    }

    func testOnlyTheRegionOfInterestIsSeen() throws {
        let (left, right) = (try DrawnCode(.qr, "left"), try DrawnCode(.qr, "right"))
        let scene = BarcodeScene([
            .init(code: left, x: 160, y: 240, scale: 5), .init(code: right, x: 480, y: 240, scale: 5),
        ])
        let found = try barcodes(scene.frame(), region: CGRect(x: 0.5, y: 0, width: 0.5, height: 1))
        XCTAssertEqual(found.map(\.payloadStringValue), ["right"])
        let box = try XCTUnwrap(found.first).boundingBox
        XCTAssertEqual(box.midX, 0.5, accuracy: 0.02)
        XCTAssertEqual(box.midY, 0.5, accuracy: 0.02)
        XCTAssertEqual(box.width, 5 * Double(right.width) / 320, accuracy: 0.02)
    }

    func testOrientationsGiveTheSameObservation() throws {
        let scene = BarcodeScene(
            width: 320, height: 240, [.init(code: try DrawnCode(.qr, "upright"), x: 100, y: 90, scale: 4)])
        let frame = scene.frame()
        let wanted = try XCTUnwrap(try barcodes(frame).first)
        for orientation in CGImagePropertyOrientation.allCases {
            let request = VNDetectBarcodesRequest()
            try VNImageRequestHandler(
                cvPixelBuffer: frame.stored(for: orientation).greyPixelBuffer(), orientation: orientation
            ).perform([request])
            XCTAssertEqual(request.results?.first?.topLeft, wanted.topLeft, "\(orientation)")
            XCTAssertEqual(request.results?.first?.bottomRight, wanted.bottomRight, "\(orientation)")
        }
    }

    func testAnEmptyImageHasNoCodes() throws {
        XCTAssertEqual(try barcodes(GreyFrame(width: 64, height: 48) { x, y in UInt8((x * 7 + y * 13) % 251) }), [])
        XCTAssertEqual(try barcodes(GreyFrame(width: 1, height: 1) { _, _ in 0 }), [])
    }

    func testBlurredAndSmallCodesAreRead() throws {
        // A module is 1.3 pixels wide and the lens is soft.
        let code = try DrawnCode(.ean13, "5901234123457", barHeight: 40)
        let sharp = BarcodeScene(width: 200, height: 120, [.init(code: code, x: 100, y: 60, scale: 1.3)]).frame()
        let soft = GreyFrame(width: 200, height: 120) { x, y in
            let columns = [-1, 0, 1].map { Int(sharp[min(199, max(0, x + $0)), y]) }
            return UInt8((columns[0] + 2 * columns[1] + columns[2]) / 4)
        }
        XCTAssertEqual(try barcodes(soft).map(\.payloadStringValue), ["5901234123457"])
    }

    // MARK: - Descriptors and archives

    func testDescriptorsOfQRCodesHaveVersionLevelAndMask() throws {
        try XCTSkipUnless(BarcodeReader.givesCodewords, "this ZXing-C++ gives no codewords")
        for (text, level) in [
            ("A", 1), ("A longer text with small letters", 4), (String(repeating: "x", count: 300), 2),
        ] {
            let code = try DrawnCode(.qr, text, level: level)
            for rotation in [0.0, 90, 12] {
                let found = try barcodes(BarcodeScene(code, rotation: rotation).frame(), [.qr])
                let qr = try XCTUnwrap(found.first?.barcodeDescriptor as? CIQRCodeDescriptor, "\(text) at \(rotation)°")
                XCTAssertEqual(17 + 4 * qr.symbolVersion, code.width)
                XCTAssertEqual(Int(qr.maskPattern), mask(of: code), "\(text) at \(rotation)°")
                // The first mode: alphanumeric, or the name of the character set.
                XCTAssertEqual(qr.errorCorrectedPayload.first.map { $0 >> 4 }, text == "A" ? 2 : 7)
            }
        }
    }

    /// The mask of the format information beside the upper left finder pattern.
    private func mask(of code: DrawnCode) -> Int {
        let bits = (2...4).reduce(0) { $0 << 1 | (code.isDark(Double($1), 8) ? 1 : 0) }
        return bits ^ 0b101
    }

    func testDescriptorsOfDataMatricesHaveTheirSize() throws {
        try XCTSkipUnless(BarcodeReader.givesCodewords, "this ZXing-C++ gives no codewords")
        let code = try DrawnCode(.dataMatrix, "Data Matrix 123")
        let found = try barcodes(BarcodeScene(code).frame())
        let descriptor = try XCTUnwrap(found.first?.barcodeDescriptor as? CIDataMatrixCodeDescriptor)
        XCTAssertEqual(descriptor.rowCount, code.height)
        XCTAssertEqual(descriptor.columnCount, code.width)
        XCTAssertEqual(descriptor.eccVersion, .v200)
        XCTAssertNil(try barcodes(BarcodeScene(try DrawnCode(.aztec, "Aztec")).frame()).first?.barcodeDescriptor)
    }

    func testObservationsSurviveArchives() throws {
        for kind in [DrawnCode.Kind.qr, .dataMatrix, .code128] {
            let found = try barcodes(BarcodeScene(try DrawnCode(kind, "archive")).frame())
            let observation = try XCTUnwrap(found.first)
            let data = try NSKeyedArchiver.archivedData(withRootObject: observation, requiringSecureCoding: true)
            let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: VNBarcodeObservation.self, from: data)
            XCTAssertEqual(back, observation)
            XCTAssertEqual(back?.payloadStringValue, "archive")
            XCTAssertEqual(back?.barcodeDescriptor, observation.barcodeDescriptor)
        }
    }

    // MARK: - Parameters

    func testRevisionsSetTheSymbologies() throws {
        let request = VNDetectBarcodesRequest()
        XCTAssertEqual(request.symbologies, VNDetectBarcodesRequest.supportedSymbologies)
        request.revision = 1
        XCTAssertEqual(request.symbologies.count, 17)
        XCTAssertFalse(request.symbologies.contains(.codabar))
        request.symbologies = [.qr]
        request.revision = 2
        XCTAssertTrue(request.symbologies.contains(.codabar))
        XCTAssertEqual(try request.supportedSymbologies(), request.symbologies)
        request.revision = 5
        XCTAssertThrowsError(try request.supportedSymbologies()) {
            XCTAssertEqual(($0 as NSError).code, VNErrorCode.unsupportedRevision.rawValue)
        }
        request.revision = 1
        request.symbologies = [.QR, .EAN13]
        let copy = try XCTUnwrap(request.copy() as? VNDetectBarcodesRequest)
        XCTAssertEqual(copy.symbologies, [.qr, .ean13])
        XCTAssertEqual(copy.revision, 1)
    }

    func testSymbologiesThatAreNotReadAreRefused() throws {
        let frame = GreyFrame(width: 8, height: 8) { _, _ in 0 }
        let cases: [(VNBarcodeSymbology, Int, VNErrorCode)] = [
            (.microPDF417, 4, .notImplemented), (.codabar, 1, .invalidArgument),
            (VNBarcodeSymbology(rawValue: "nothing"), 4, .invalidArgument),
        ]
        for (symbology, revision, code) in cases {
            XCTAssertThrowsError(try barcodes(frame, revision: revision, [symbology])) {
                XCTAssertEqual(($0 as NSError).code, code.rawValue, symbology.rawValue)
            }
        }
        XCTAssertEqual(try barcodes(BarcodeScene(try DrawnCode(.qr, "none")).frame(), []), [])
    }

    func testOnlyTheSymbologiesThatAreAskedForAreFound() throws {
        let scene = BarcodeScene([
            .init(code: try DrawnCode(.ean13, "5901234123457"), x: 150, y: 240, scale: 2),
            .init(code: try DrawnCode(.qr, "beside it"), x: 480, y: 240, scale: 5),
        ])
        XCTAssertEqual(try barcodes(scene.frame(), [.qr]).map(\.symbology), [.qr])
        XCTAssertEqual(try barcodes(scene.frame(), [.ean13]).map(\.symbology), [.ean13])
        XCTAssertEqual(try barcodes(scene.frame(), [.code128]), [])
    }

    func testDigitsBesideACodeComeWithRevision4() throws {
        // EAN-13 with the two digits 53, drawn by hand: 53 has the parity of 53 % 4 = 1, odd and even.
        let main = try DrawnCode(.ean13, "5901234123457")
        let addOn = "1011" + "0110001" + "01" + "0100001"
        let bars =
            (0..<main.width).map { main.isDark(Double($0), 0) } + [Bool](repeating: false, count: 9)
            + addOn.map { $0 == "1" }
        let frame = GreyFrame(width: 2 * (bars.count + 24), height: 80) { x, _ in
            let module = x / 2 - 12
            return bars.indices.contains(module) && bars[module] ? 10 : 245
        }
        let found = try barcodes(frame)
        XCTAssertEqual(found.map(\.payloadStringValue), ["5901234123457"])
        XCTAssertEqual(found.first?.supplementalPayloadString, "53")
        XCTAssertNil(try barcodes(frame, revision: 3).first?.supplementalPayloadString)
    }

    func testResultsDoNotDependOnTheNumberOfThreads() throws {
        let scene = BarcodeScene(try DrawnCode(.code128, "threads"), rotation: 33).frame()
        func told(_ threads: Int) throws -> [String] {
            Settings.setThreadCount(threads)
            defer { Settings.setThreadCount(nil) }
            return try barcodes(scene).map {
                "\($0.payloadStringValue ?? "") \($0.topLeft) \($0.bottomRight) \($0.confidence)"
            }
        }
        let one = try told(1)
        XCTAssertEqual(one.count, 1)
        XCTAssertEqual(try told(4), one)
    }
}
