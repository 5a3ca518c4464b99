import ModelTestSupport
import Vision
import VisionModels
import XCTest

/// Unusual videos and boxes with revision 2: boxes stay finite, confidences between 0 and 1.
final class LearnedOddInputTests: XCTestCase {
    override func setUpWithError() throws {
        _ = try requireModel { try TrackerNetworks.shared() }
    }

    private func request(_ input: VNDetectedObjectObservation) -> VNTrackObjectRequest {
        let request = VNTrackObjectRequest(detectedObjectObservation: input)
        request.revision = VNTrackObjectRequestRevision2
        return request
    }

    private func track(
        _ start: CGRect, through video: [CVPixelBuffer], line: UInt = #line
    ) throws -> [VNDetectedObjectObservation] {
        let handler = VNSequenceRequestHandler()
        var observation = VNDetectedObjectObservation(boundingBox: start)
        return try video.map { buffer in
            let request = request(observation)
            try handler.perform([request], on: buffer)
            observation = try XCTUnwrap(request.results?.first, line: line)
            assertSound(observation, line: line)
            return observation
        }
    }

    private func assertSound(_ found: VNDetectedObjectObservation, line: UInt) {
        let box = found.boundingBox
        for value in [box.origin.x, box.origin.y, box.size.width, box.size.height] {
            XCTAssertTrue(value.isFinite, "\(box)", line: line)
        }
        XCTAssertTrue(box.size.width > 0 && box.size.height > 0, "\(box)", line: line)
        XCTAssertTrue((0...1).contains(found.confidence), "\(found.confidence)", line: line)
    }

    func testTargetsOfAllSizesAndPositionsAreTracked() throws {
        let video = (0..<3).map { OddFrames.frame(100 + $0, 75) }
        let boxes = [
            CGRect(x: -1, y: -1, width: 3, height: 3), CGRect(x: -0.1, y: 0.4, width: 0.2, height: 0.2),
            CGRect(x: 0.9, y: 0.95, width: 0.4, height: 0.4), CGRect(x: 0.5, y: 0.5, width: 1e-6, height: 1e-6),
            CGRect(x: 0.5, y: 0.5, width: 0.025, height: 0.033), CGRect(x: 0.1, y: 0.5, width: 0.8, height: 1e-3),
            CGRect(x: 0, y: 0, width: 1, height: 1), CGRect(x: -4e5, y: -4e5, width: 8e5, height: 8e5),
        ]
        for box in boxes { _ = try track(box, through: video) }
    }

    func testBoxesThatCannotBeTrackedAreErrors() throws {
        let cases: [(CGRect, VNErrorCode)] = [
            (CGRect(x: 0.2, y: 0.2, width: 0, height: 0.2), .invalidArgument),
            (CGRect(x: CGFloat.nan, y: 0.2, width: 0.1, height: 0.2), .invalidArgument),
            (CGRect(x: 0.2, y: 0.2, width: CGFloat.infinity, height: 0.2), .invalidArgument),
            (CGRect(x: 1.2, y: 0.2, width: 0.1, height: 0.2), .outOfBoundsError),
        ]
        let frame = OddFrames.frame(100, 75)
        for (box, code) in cases {
            assertThrows(code) {
                try VNSequenceRequestHandler().perform(
                    [request(VNDetectedObjectObservation(boundingBox: box))], on: frame)
            }
        }
    }

    func testAVideoThatGoesBlackLosesTheTargetAndFindsItAgain() throws {
        let black = try OddFrames.flat(200, 150, format: kCVPixelFormatType_OneComponent8, value: 0)
        let shown = (0..<5).map { OddFrames.frame(90 + 2 * $0, 75) }
        let again = (0..<8).map { OddFrames.frame(100 + $0, 75) }
        let found = try track(
            OddFrames.box(90, 75), through: shown + Array(repeating: black, count: 6) + again)
        XCTAssertLessThan(found[10].confidence, 0.3)
        let last = try XCTUnwrap(found.last)
        XCTAssertEqual(last.boundingBox.midX, OddFrames.box(107, 75).midX, accuracy: 0.05)
        XCTAssertEqual(last.boundingBox.midY, OddFrames.box(107, 75).midY, accuracy: 0.05)
    }

    func testFramesMayChangeTheirSizeAndFormatAtWill() throws {
        let video = try OddFrames.restless()
        _ = try track(OddFrames.box(100, 75), through: video)
        // From a frame of one pixel on.
        _ = try track(CGRect(x: 0, y: 0, width: 1, height: 1), through: Array(video[1...]))
    }

    func testFramesOf8KAreTracked() throws {
        let (large, box) = try OddFrames.large()
        let found = try track(box, through: [large, large, large])
        XCTAssertEqual(found[2].boundingBox.midX, box.midX, accuracy: 0.01)
        XCTAssertEqual(found[2].boundingBox.midY, box.midY, accuracy: 0.01)
        _ = try track(CGRect(x: 0, y: 0, width: 1, height: 1), through: [large, large])
        _ = try track(CGRect(x: 0.4, y: 0.5, width: 1e-3, height: 1e-3), through: [large, large])
    }

    func testTimesThatJumpAndRunBackwardsDoNotMatter() throws {
        let handler = VNSequenceRequestHandler()
        var observation = VNDetectedObjectObservation(boundingBox: OddFrames.box(90, 75))
        for sample in OddFrames.samples(of: (0..<6).map { OddFrames.frame(90 + 2 * $0, 75) }) {
            let request = request(observation)
            try handler.perform([request], on: sample)
            observation = try XCTUnwrap(request.results?.first)
            assertSound(observation, line: #line)
        }
        XCTAssertEqual(observation.boundingBox.midX, OddFrames.box(100, 75).midX, accuracy: 0.05)
    }
}
