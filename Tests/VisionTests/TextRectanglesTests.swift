import ModelTestSupport
import Vision
import VisionExtras
import VisionImage
import VisionModels
import XCTest

final class TextRectanglesTests: XCTestCase {
    private func requireNetwork() throws {
        _ = try requireModel { try TextNetwork.shared() }
    }

    private func lines(
        _ frame: GreyFrame, orientation: CGImagePropertyOrientation = .up, region: CGRect = VNNormalizedIdentityRect,
        characters: Bool = false
    ) throws -> [VNTextObservation] {
        let request = VNDetectTextRectanglesRequest()
        request.reportCharacterBoxes = characters
        request.regionOfInterest = region
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer(), orientation: orientation).perform([request])
        return try XCTUnwrap(request.results)
    }

    /// Corners in pixels from the top left.
    private func corners(_ box: VNRectangleObservation, _ width: Int, _ height: Int) -> [CGPoint] {
        [box.topLeft, box.topRight, box.bottomRight, box.bottomLeft].map {
            CGPoint(x: $0.x * CGFloat(width), y: (1 - $0.y) * CGFloat(height))
        }
    }

    private func check(
        _ found: VNRectangleObservation, _ wanted: [CGPoint], within: Double, width: Int, height: Int, _ text: String,
        line: UInt = #line
    ) {
        for (a, b) in zip(corners(found, width, height), wanted) {
            XCTAssertEqual(a.x, b.x, accuracy: within, text, line: line)
            XCTAssertEqual(a.y, b.y, accuracy: within, text, line: line)
        }
    }

    func testLinesAreFoundFromTopToBottomWithTheirCorners() throws {
        try requireNetwork()
        let drawn = [
            DrawnText(text: "NORTH LANE", x: 300, y: 90, height: 34),
            DrawnText(text: "MARKET", x: 220, y: 240, height: 50),
            DrawnText(text: "FLOOR", x: 420, y: 400, height: 24),
        ]
        let found = try lines(DrawnText.frame(drawn, width: 640, height: 480))
        XCTAssertEqual(found.count, 3)
        for (line, wanted) in zip(found, drawn) {
            check(line, wanted.corners, within: 0.35 * wanted.height, width: 640, height: 480, wanted.text)
            XCTAssertEqual(line.confidence, 1)
            XCTAssertEqual(line.requestRevision, 1)
            XCTAssertNil(line.characterBoxes)
            XCTAssertTrue(line.boundingBox.contains(CGPoint(x: line.topLeft.x + 1e-4, y: line.topLeft.y - 1e-4)))
        }
    }

    func testLightLettersOnDarkAreFoundToo() throws {
        try requireNetwork()
        let drawn = DrawnText(text: "HOTEL ROMA", x: 300, y: 200, height: 40)
        var frame = DrawnText.frame([drawn], width: 600, height: 400)
        frame = GreyFrame(width: 600, height: 400) { 255 - frame[$0, $1] }
        let found = try lines(frame, characters: true)
        XCTAssertEqual(found.count, 1)
        XCTAssertEqual(found.first?.characterBoxes?.count, 9)
    }

    func testLinesAtAnyAngleHaveRotatedCornersInReadingOrder() throws {
        try requireNetwork()
        for angle in [-85.0, -60, -30, -12, 12, 30, 60, 85] {
            let drawn = DrawnText(text: "HARZ TRAFALN", x: 320, y: 320, height: 36, angle: angle)
            let found = try lines(DrawnText.frame([drawn], width: 640, height: 640))
            XCTAssertEqual(found.count, 1, "\(angle)°")
            guard let line = found.first else { continue }
            check(line, drawn.corners, within: 16, width: 640, height: 640, "\(angle)°")
        }
    }

    func testLettersThatFillTheImageAreFoundInAReducedImage() throws {
        try requireNetwork()
        let drawn = DrawnText(text: "HALF", x: 320, y: 240, height: 170)
        let request = VNDetectTextRectanglesRequest()
        let handler = VNImageRequestHandler(
            cvPixelBuffer: DrawnText.frame([drawn], width: 640, height: 480).pixelBuffer())
        try handler.perform([request])
        XCTAssertEqual(request.results?.count, 1)
        let line = try XCTUnwrap(request.results?.first)
        check(line, drawn.corners, within: 45, width: 640, height: 480, "HALF")
        XCTAssertEqual(handler.networkRuns, 2)
    }

    func testCharactersAreFoundInReadingOrder() throws {
        try requireNetwork()
        for angle in [0.0, 20, -80] {
            let drawn = DrawnText(text: "MARKT HALLE", x: 300, y: 300, height: 44, angle: angle)
            let found = try lines(DrawnText.frame([drawn], width: 600, height: 600), characters: true)
            let boxes = try XCTUnwrap(found.first?.characterBoxes)
            XCTAssertEqual(boxes.count, 10, "\(angle)°")
            for (box, wanted) in zip(boxes, drawn.letterCorners) {
                check(box, wanted, within: 9, width: 600, height: 600, "\(angle)°")
            }
        }
    }

    func testCornersAreNormalisedToTheRegionOfInterest() throws {
        try requireNetwork()
        let drawn = [
            DrawnText(text: "NORTH", x: 160, y: 120, height: 36), DrawnText(text: "KONTOR", x: 480, y: 360, height: 36),
        ]
        let frame = DrawnText.frame(drawn, width: 640, height: 480)
        // The lower right quarter.
        let region = CGRect(x: 0.5, y: 0, width: 0.5, height: 0.5)
        let found = try lines(frame, region: region)
        XCTAssertEqual(found.count, 1)
        let inRegion = drawn[1].corners.map { CGPoint(x: $0.x - 320, y: $0.y - 240) }
        check(try XCTUnwrap(found.first), inRegion, within: 12, width: 320, height: 240, "region")
    }

    func testTextInARotatedFileIsUpright() throws {
        try requireNetwork()
        let drawn = DrawnText(text: "KLEINE RETTER", x: 250, y: 120, height: 30)
        let frame = DrawnText.frame([drawn], width: 500, height: 300)
        for orientation in [CGImagePropertyOrientation.up, .right, .down, .left] {
            let found = try lines(frame.stored(for: orientation), orientation: orientation)
            XCTAssertEqual(found.count, 1)
            if let line = found.first {
                check(line, drawn.corners, within: 11, width: 500, height: 300, "\(orientation)")
            }
        }
    }

    func testAnImageWithoutTextGivesAnEmptyList() throws {
        try requireNetwork()
        XCTAssertEqual(try lines(DrawnText.frame([], width: 320, height: 240)).count, 0)
        XCTAssertEqual(try lines(GreyFrame(width: 64, height: 64) { _, _ in 0 }, characters: true).count, 0)
    }

    func testOddSizesAndNoiseEndWithBoundedLists() throws {
        try requireNetwork()
        var random = SystemRandomNumberGenerator()
        for (width, height) in [(1, 1), (2, 2_000), (3_000, 3), (33, 31)] {
            let noise = GreyFrame(width: width, height: height) { _, _ in UInt8.random(in: 0...255, using: &random) }
            for line in try lines(noise, characters: true) {
                for point in corners(line, width, height) { XCTAssertTrue(point.x.isFinite && point.y.isFinite) }
            }
        }
        let board = GreyFrame(width: 300, height: 200) { ($0 + $1) % 2 == 0 ? 0 : 255 }
        XCTAssertLessThan(try lines(board, characters: true).count, 200)
    }

    func testResultsDoNotDependOnTheNumberOfThreads() throws {
        try requireNetwork()
        defer { Settings.setThreadCount(nil) }
        let drawn = [
            DrawnText(text: "NORTH LANE", x: 300, y: 90, height: 34, angle: 7),
            DrawnText(text: "MARKET", x: 220, y: 240, height: 50),
        ]
        let frame = DrawnText.frame(drawn, width: 640, height: 480)
        let all = try [1, 2, 5].map { threads in
            Settings.setThreadCount(threads)
            return try lines(frame, characters: true).map { line in
                ([line] + (line.characterBoxes ?? [])).flatMap { box in
                    corners(box, 1, 1).flatMap { [Double($0.x).bitPattern, Double($0.y).bitPattern] }
                }
            }
        }
        XCTAssertFalse(all[0].isEmpty)
        XCTAssertEqual(all[0], all[1])
        XCTAssertEqual(all[0], all[2])
    }

    func testRequestsOfOneHandlerShareTheRun() throws {
        try requireNetwork()
        let frame = DrawnText.frame([DrawnText(text: "ROHRE", x: 160, y: 120, height: 30)], width: 320, height: 240)
        let (plain, detailed) = (VNDetectTextRectanglesRequest(), VNDetectTextRectanglesRequest())
        detailed.reportCharacterBoxes = true
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        try handler.perform([plain, detailed])
        XCTAssertEqual(handler.networkRuns, 1)
        XCTAssertNil(plain.results?.first?.characterBoxes)
        XCTAssertEqual(detailed.results?.first?.characterBoxes?.count, 5)
    }

    func testObservationsSurviveArchivesAndJSON() throws {
        try requireNetwork()
        let frame = DrawnText.frame([DrawnText(text: "TAFEL", x: 160, y: 120, height: 34)], width: 320, height: 240)
        for characters in [false, true] {
            let line = try XCTUnwrap(lines(frame, characters: characters).first)
            let data = try NSKeyedArchiver.archivedData(withRootObject: line, requiringSecureCoding: true)
            let read = try XCTUnwrap(NSKeyedUnarchiver.unarchivedObject(ofClass: VNTextObservation.self, from: data))
            XCTAssertEqual(read, line)
            XCTAssertEqual(read.characterBoxes?.count, characters ? 5 : nil)
            let json = try JSONEncoder().encode(CodableObservation(line))
            XCTAssertEqual(try JSONDecoder().decode(CodableObservation.self, from: json).observation, line)
        }
    }

    // MARK: - Without the network

    func testDefaultsAndCopies() throws {
        let request = VNDetectTextRectanglesRequest()
        XCTAssertFalse(request.reportCharacterBoxes)
        XCTAssertEqual(request.revision, VNDetectTextRectanglesRequestRevision1)
        XCTAssertEqual(VNDetectTextRectanglesRequest.supportedRevisions, IndexSet(integer: 1))
        XCTAssertEqual(VNDetectTextRectanglesRequest.defaultRevision, 1)
        XCTAssertEqual(request.regionOfInterest, VNNormalizedIdentityRect)
        XCTAssertNil(request.results)
        request.reportCharacterBoxes = true
        let copy = try XCTUnwrap(request.copy() as? VNDetectTextRectanglesRequest)
        XCTAssertTrue(copy.reportCharacterBoxes)
    }

    func testARevisionThatDoesNotExistFails() {
        let request = VNDetectTextRectanglesRequest()
        request.revision = 2
        let handler = VNImageRequestHandler(cvPixelBuffer: GreyFrame(width: 8, height: 8) { _, _ in 0 }.pixelBuffer())
        XCTAssertThrowsError(try handler.perform([request])) {
            XCTAssertEqual(($0 as NSError).code, VNErrorCode.unsupportedRevision.rawValue)
        }
        XCTAssertNil(request.results)
    }

    func testAMissingNetworkIsATypedErrorThatNamesTheCommand() throws {
        let empty = FileManager.default.temporaryDirectory.appendingPathComponent("no-models-\(UUID())")
        let store = InstalledModels(ModelLocations(writable: empty))
        XCTAssertThrowsError(try TextNetwork.shared(store: store)) { error in
            guard case ModelStoreError.notInstalled(let name, _) = error else { return XCTFail("\(error)") }
            XCTAssertEqual(name, TextNetworkSize.small.detector)
        }
    }

    // MARK: - Tiles

    /// Strips would cost a run of the network for every few pixels.
    func testLargeImagesButNoStripsAreProcessedInTiles() {
        let settings = TextDetector.Settings()
        for (width, height, isTiled) in [
            (10_000, 10_000, true), (5_001, 5_000, true), (128, 200_000, true), (5_000, 5_000, false),
            (127, 300_000, false), (200_000_000, 1, false),
        ] {
            XCTAssertEqual(settings.isTiled(PixelRegion(width: width, height: height)), isTiled, "\(width)×\(height)")
        }
    }

    /// Lines that lie across the borders of tiles are found as one, where the whole image has them.
    func testTilesFindTheLinesOfTheWhole() throws {
        try requireNetwork()
        let (width, height) = (1700, 1100)
        let drawn = (0..<11).map { index in
            DrawnText(
                text: index.isMultiple(of: 2) ? "NORTH LANE MARKET FLOOR HALTER LAMM TEN FARM" : "MARKET LANE",
                x: 850, y: 80 + 94 * Double(index), height: 30)
        }
        let frame = DrawnText.frame(drawn, width: width, height: height)
        let source = ImageSource(pixelBuffer: frame.pixelBuffer())
        var whole = TextDetector.Settings()
        (whole.largestScale, whole.pixelLimit) = (1, Double(width * height))
        var tiled = whole
        (tiled.wholeLimit, tiled.tileScale) = (1, 1)
        var runs = 0
        let found = try [whole, tiled].map { settings in
            try TextDetector(settings).lines(in: PixelRegion(width: width, height: height)) {
                runs += 1
            } pixels: {
                try source.derivative($0)
            }
        }
        XCTAssertEqual(runs, 1 + 4)
        XCTAssertEqual(found[0].count, drawn.count)
        XCTAssertEqual(found[1].count, drawn.count)
        for (a, b) in zip(found[0], found[1]) {
            XCTAssertEqual(a.box.centre.x, b.box.centre.x, accuracy: 3)
            XCTAssertEqual(a.box.centre.y, b.box.centre.y, accuracy: 3)
            XCTAssertEqual(a.box.length, b.box.length, accuracy: 6)
            // The network weighs its channels by their means over the whole input, which differ between tiles.
            XCTAssertEqual(a.box.height, b.box.height, accuracy: 6)
        }
    }
}
