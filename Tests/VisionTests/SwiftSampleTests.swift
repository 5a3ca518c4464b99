import ModelTestSupport
import Vision
import VisionModels
import XCTest

/// Programs written for Apple's samples of 2020 to 2024 compile and give sensible results.
final class SwiftSampleTests: XCTestCase {
    private func cgImage(_ buffer: CVPixelBuffer) throws -> CGImage {
        let image = CIImage(cvPixelBuffer: buffer)
        return try XCTUnwrap(CIContext().createCGImage(image, from: image.extent))
    }

    func testSelfiesAreRankedByTheirQuality() async throws {
        _ = try requireModel { try FaceDetector(.upright) }
        let large = DrawnFace.buffer([DrawnFace(x: 300, y: 200, size: 120)], width: 600, height: 400).png()
        let empty = GreyFrame(width: 300, height: 200) { _, _ in 120 }.pixelBuffer().png()
        let ranked = try await SelfieRanking.processAll([empty, large])
        XCTAssertEqual(ranked.map(\.faces.count), [1, 0])
        XCTAssertEqual(ranked.first?.photo, large)
        XCTAssertGreaterThan(try XCTUnwrap(ranked.first).score, 0)
        let size = CGSize(width: 600, height: 400)
        let face = try XCTUnwrap(ranked.first?.faces.first)
        let box = Box(observation: face).rect(in: size)
        XCTAssertTrue(box.contains(CGPoint(x: 300, y: 200)), "\(box)")
        let outlines = SelfieRanking.outlines(of: face, in: size)
        XCTAssertEqual(outlines.count, 5)
        for point in outlines.joined() {
            XCTAssertTrue(box.insetBy(dx: -30, dy: -40).contains(point), "\(point) is far from \(box)")
        }
    }

    func testTextIsReadAndLocated() async throws {
        _ = try requireModel {
            _ = try TextNetwork.shared()
            for size in TextNetworkSize.allCases { _ = try TextRecognitionNetwork.shared(size) }
        }
        let frame = DrawnText.frame(
            [DrawnText(text: "NORTH LANE", x: 300, y: 90, height: 34)], width: 640, height: 240)
        let ocr = OCR()
        for level in [RecognizeTextRequest.RecognitionLevel.accurate, .fast] {
            ocr.request.recognitionLevel = level
            try await ocr.performOCR(imageData: frame.pixelBuffer().png())
            XCTAssertEqual(ocr.transcript, ["NORTH LANE"])
            let box = Box(observation: try XCTUnwrap(ocr.observations.first)).rect(
                in: CGSize(width: 640, height: 240))
            XCTAssertEqual(box.midX, 300, accuracy: 20)
            XCTAssertEqual(box.midY, 90, accuracy: 12)
        }
    }

    func testAnImageWithoutPeopleHasNoJointsAndNoPinch() throws {
        _ = try requireModel { (try KeypointFinder(), try HandFinder()) }
        let plain = GreyFrame(width: 320, height: 240) { x, y in UInt8(100 + (x / 16 + y / 16) % 2 * 20) }
        let points = BodyPoints(imageSize: CGSize(width: 320, height: 240))
        points.find(in: try cgImage(plain.pixelBuffer()))
        XCTAssertEqual(points.imagePoints, [])
        let pinch = HandPinch()
        pinch.captureOutput(CMSampleBuffer(imageBuffer: plain.pixelBuffer()))
        XCTAssertEqual(pinch.state, .unknown)
    }
}
