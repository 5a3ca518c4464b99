import ModelTestSupport
import Vision
import VisionModels
import VisionThreads
import XCTest

final class RecognizeTextTests: XCTestCase {
    private func requireNetworks() throws {
        _ = try requireModel {
            for size in TextNetworkSize.allCases { _ = try TextNetwork.shared(size) }
            for size in TextNetworkSize.allCases { _ = try TextRecognitionNetwork.shared(size) }
        }
    }

    private func read(
        _ drawn: [DrawnText], width: Int = 640, height: Int = 480, change: (VNRecognizeTextRequest) -> Void = { _ in }
    ) throws -> [VNRecognizedTextObservation] {
        let request = VNRecognizeTextRequest()
        change(request)
        let frame = DrawnText.frame(drawn, width: width, height: height)
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()).perform([request])
        return try XCTUnwrap(request.results)
    }

    private func text(_ observations: [VNRecognizedTextObservation]) -> [String] {
        observations.compactMap { $0.topCandidates(1).first?.string }
    }

    func testLinesAreReadFromTopToBottomAtBothLevels() throws {
        try requireNetworks()
        let drawn = [
            DrawnText(text: "NORTH LANE", x: 300, y: 90, height: 34),
            DrawnText(text: "MARKET", x: 220, y: 240, height: 50), DrawnText(text: "TEN", x: 420, y: 400, height: 30),
        ]
        for level in [VNRequestTextRecognitionLevel.accurate, .fast] {
            let found = try read(
                drawn.map { drawn in
                    var drawn = drawn
                    drawn.text = drawn.text.replacingOccurrences(of: "C", with: "O")
                    return drawn
                }
            ) { $0.recognitionLevel = level }
            XCTAssertEqual(text(found).count, 3, "\(level)")
            XCTAssertEqual(text(found).first?.replacingOccurrences(of: " ", with: ""), "NORTHLANE", "\(level)")
            XCTAssertTrue(found.allSatisfy { (0...1).contains($0.confidence) && $0.requestRevision > 0 })
        }
    }

    func testRotatedAndReversedLinesAreReadInTheirDirection() throws {
        try requireNetworks()
        for angle in [-75.0, -30, 0, 30, 90, 180, 200] {
            let found = try read(
                [DrawnText(text: "HALTER LAMM", x: 320, y: 320, height: 40, angle: angle)], height: 640)
            XCTAssertEqual(
                text(found).first?.replacingOccurrences(of: " ", with: ""), "HALTERLAMM", "\(angle)°")
            guard let line = found.first else { continue }
            // The reading direction is that of the drawing; y points up.
            let (dx, dy) = (line.topRight.x - line.topLeft.x, line.topLeft.y - line.topRight.y)
            let read = atan2(Double(dy), Double(dx)) * 180 / .pi
            let difference = (read - angle).remainder(dividingBy: 360)
            XCTAssertEqual(difference, 0, accuracy: 8, "\(angle)°")
        }
    }

    func testTheBoxOfAWordIsWhereItStands() throws {
        try requireNetworks()
        let found = try read([DrawnText(text: "NORTH LANE", x: 320, y: 200, height: 40)])
        let top = try XCTUnwrap(found.first?.topCandidates(1).first)
        let space = try XCTUnwrap(top.string.firstIndex(of: " "), top.string)
        let line = try XCTUnwrap(found.first).boundingBox
        let first = try XCTUnwrap(try top.boundingBox(for: top.string.startIndex..<space)).boundingBox
        let second = try XCTUnwrap(
            try top.boundingBox(for: top.string.index(after: space)..<top.string.endIndex)
        ).boundingBox
        // Five letters, a space of half a letter, four letters.
        XCTAssertEqual(first.minX, line.minX, accuracy: 0.02)
        XCTAssertEqual(second.maxX, line.maxX, accuracy: 0.02)
        XCTAssertEqual((first.maxX - line.minX) / line.width, 0.51, accuracy: 0.06)
        XCTAssertEqual((second.minX - line.minX) / line.width, 0.58, accuracy: 0.06)
        XCTAssertNil(try top.boundingBox(for: space..<space))
    }

    func testTheBoxOfALineThatWasReadHasABorderAroundThatOfTheDetector() throws {
        try requireNetworks()
        let frame = DrawnText.frame(
            [DrawnText(text: "NORTH LANE", x: 320, y: 200, height: 40)], width: 640, height: 480)
        let (read, find) = (VNRecognizeTextRequest(), VNDetectTextRectanglesRequest())
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()).perform([read, find])
        let outer = try XCTUnwrap(read.results?.first).boundingBox
        let inner = try XCTUnwrap(find.results?.first).boundingBox
        // Lines to read are found in 8 bits where those are fast, which moves an edge by a pixel.
        XCTAssertEqual(outer.height / inner.height, 1.16, accuracy: 0.05)
        XCTAssertTrue(outer.contains(inner))
    }

    func testCandidatesAreAtMostTenAndDistinct() throws {
        try requireNetworks()
        let found = try read([DrawnText(text: "ZONE FOLK", x: 320, y: 200, height: 14)])
        let line = try XCTUnwrap(found.first)
        let all = line.topCandidates(99)
        XCTAssertLessThanOrEqual(all.count, 10)
        XCTAssertEqual(Set(all.map(\.string)).count, all.count)
        XCTAssertEqual(line.topCandidates(0).count, 0)
        XCTAssertEqual(line.topCandidates(-3).count, 0)
        XCTAssertEqual(line.topCandidates(1).first, all.first)
    }

    func testSmallTextIsLeftOutOnDemandAndProgressRunsToTheEnd() throws {
        try requireNetworks()
        let progress = Locked<[Double]>([])
        let drawn = [
            DrawnText(text: "MARKET", x: 220, y: 100, height: 60), DrawnText(text: "FLOOR", x: 420, y: 300, height: 16),
        ]
        let found = try read(drawn) {
            $0.minimumTextHeight = 0.08
            $0.progressHandler = { _, share, _ in progress.withLock { $0.append(share) } }
        }
        XCTAssertEqual(found.count, 1)
        XCTAssertEqual(progress.current, progress.current.sorted())
        XCTAssertEqual(progress.current.last, 1)
        XCTAssertFalse(VNRecognizeTextRequest().indeterminate)
    }

    func testResultsDoNotDependOnTheNumberOfThreads() throws {
        try requireNetworks()
        defer { Settings.setThreadCount(nil) }
        let drawn = [
            DrawnText(text: "NORTH LANE", x: 300, y: 90, height: 34),
            DrawnText(text: "MARKET", x: 220, y: 240, height: 50),
        ]
        Settings.setThreadCount(1)
        let one = try read(drawn).map { $0.topCandidates(10).map { "\($0.string) \($0.confidence)" } }
        Settings.setThreadCount(3)
        XCTAssertEqual(try read(drawn).map { $0.topCandidates(10).map { "\($0.string) \($0.confidence)" } }, one)
    }

    func testImagesWithoutTextAndOddSizesHaveNoLines() throws {
        try requireNetworks()
        for (width, height) in [(1, 1), (1, 900), (900, 1), (320, 240)] {
            let image = try OddFrames.flat(width, height, format: kCVPixelFormatType_32BGRA, value: 128)
            let request = VNRecognizeTextRequest()
            try VNImageRequestHandler(cvPixelBuffer: image).perform([request])
            XCTAssertEqual(request.results?.count, 0, "\(width) × \(height)")
        }
    }

    func testObservationsOutliveAnArchive() throws {
        try requireNetworks()
        let line = try XCTUnwrap(try read([DrawnText(text: "NORTH LANE", x: 320, y: 200, height: 40)]).first)
        let data = try NSKeyedArchiver.archivedData(withRootObject: line, requiringSecureCoding: true)
        let again = try XCTUnwrap(
            NSKeyedUnarchiver.unarchivedObject(ofClass: VNRecognizedTextObservation.self, from: data))
        XCTAssertEqual(again.topCandidates(10).map(\.string), line.topCandidates(10).map(\.string))
        XCTAssertEqual(again.boundingBox, line.boundingBox)
        let (old, new) = (try XCTUnwrap(line.topCandidates(1).first), try XCTUnwrap(again.topCandidates(1).first))
        let range = old.string.startIndex..<old.string.index(after: old.string.startIndex)
        XCTAssertEqual(
            try new.boundingBox(for: range)?.boundingBox, try old.boundingBox(for: range)?.boundingBox)
        let text = try XCTUnwrap(
            NSKeyedUnarchiver.unarchivedObject(
                ofClass: VNRecognizedText.self,
                from: NSKeyedArchiver.archivedData(withRootObject: old, requiringSecureCoding: true)))
        XCTAssertEqual(text.string, old.string)
        XCTAssertEqual(text.confidence, old.confidence)
    }

    // MARK: - Parameters, without networks

    func testLanguagesDependOnTheRevisionAndTheLevel() throws {
        typealias Request = VNRecognizeTextRequest
        XCTAssertEqual(try Request.supportedRecognitionLanguages(for: .accurate, revision: 1), ["en-US"])
        let second = try Request.supportedRecognitionLanguages(for: .fast, revision: 2)
        XCTAssertTrue(second.contains("zh-Hans") && !second.contains("ja-JP"))
        XCTAssertTrue(try Request.supportedRecognitionLanguages(for: .accurate, revision: 3).contains("ja-JP"))
        XCTAssertFalse(try Request.supportedRecognitionLanguages(for: .fast, revision: 3).contains("ja-JP"))
        XCTAssertThrowsError(try Request.supportedRecognitionLanguages(for: .fast, revision: 9)) {
            XCTAssertEqual(($0 as NSError).code, VNErrorCode.unsupportedRevision.rawValue)
        }
    }

    func testDefaultsCopiesAndWrongParameters() throws {
        let request = VNRecognizeTextRequest()
        XCTAssertEqual(request.recognitionLevel, .accurate)
        XCTAssertEqual(request.recognitionLanguages, ["en-US"])
        XCTAssertTrue(request.usesLanguageCorrection)
        XCTAssertFalse(request.automaticallyDetectsLanguage)
        XCTAssertEqual(request.minimumTextHeight, 0)
        request.customWords = ["quay"]
        request.recognitionLevel = .fast
        request.minimumTextHeight = 0.5
        let copy = try XCTUnwrap(request.copy() as? VNRecognizeTextRequest)
        XCTAssertEqual(copy.customWords, ["quay"])
        XCTAssertEqual(copy.recognitionLevel, .fast)
        XCTAssertEqual(copy.minimumTextHeight, 0.5)
        let image = try OddFrames.flat(32, 32, format: kCVPixelFormatType_32BGRA, value: 0)
        request.recognitionLanguages = ["tlh-KL"]
        XCTAssertThrowsError(try VNImageRequestHandler(cvPixelBuffer: image).perform([request])) {
            XCTAssertEqual(($0 as NSError).code, VNErrorCode.invalidArgument.rawValue)
            XCTAssertTrue(($0 as NSError).localizedDescription.contains("tlh-KL"))
        }
        request.recognitionLanguages = ["en"]
        request.minimumTextHeight = .nan
        XCTAssertThrowsError(try VNImageRequestHandler(cvPixelBuffer: image).perform([request])) {
            XCTAssertEqual(($0 as NSError).code, VNErrorCode.invalidArgument.rawValue)
        }
    }
}
