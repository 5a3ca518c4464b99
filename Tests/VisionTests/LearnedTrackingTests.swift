import ModelTestSupport
import Vision
import VisionModels
import XCTest

/// Revision 2, with the network of the store.
final class LearnedTrackingTests: XCTestCase {
    private let background = Scene(seed: 11, contrast: 0.5)
    private let object = Scene(seed: 12)
    private let size = (width: 200, height: 150)

    override func setUpWithError() throws {
        _ = try requireModel { try TrackerNetworks.shared() }
    }

    private func box(_ x: Int, _ y: Int) -> CGRect {
        VNNormalizedRectForImageRect(
            CGRect(x: x - 16, y: size.height - y - 16, width: 32, height: 32), size.width, size.height)
    }

    private func track(level: VNRequestTrackingLevel) throws -> [VNDetectedObjectObservation] {
        let handler = VNSequenceRequestHandler()
        var observation = VNDetectedObjectObservation(boundingBox: box(60, 90))
        return try (0..<8).map { step in
            var frame = background.frame(width: size.width, height: size.height)
            frame.draw(object, centreX: 60 + 4 * step, centreY: 90 - 2 * step, side: 32)
            let request = VNTrackObjectRequest(detectedObjectObservation: observation)
            request.trackingLevel = level
            try handler.perform([request], on: frame.pixelBuffer())
            observation = try XCTUnwrap(request.results?.first)
            return observation
        }
    }

    func testItIsTheDefaultOfTheProfileOfIOS13AndFollows() throws {
        XCTAssertEqual(VNTrackObjectRequest.defaultRevision, VNTrackObjectRequestRevision2)
        let found = try track(level: .fast)
        XCTAssertEqual(Set(found.map(\.uuid)).count, 1)
        let last = try XCTUnwrap(found.last)
        XCTAssertEqual(last.requestRevision, VNTrackObjectRequestRevision2)
        assertEqual(last.boundingBox, box(88, 76), accuracy: 0.04)
        XCTAssertGreaterThan(last.confidence, 0.5)
    }

    func testTheLevelHasNoEffect() throws {
        let (fast, accurate) = (try track(level: .fast), try track(level: .accurate))
        XCTAssertEqual(fast.map(\.boundingBox), accurate.map(\.boundingBox))
        XCTAssertEqual(fast.map(\.confidence), accurate.map(\.confidence))
    }

    func testTheSeventeenthTrackerIsAnErrorAndRevisionOneHasSlotsOfItsOwn() throws {
        let handler = VNSequenceRequestHandler()
        let buffer = background.frame(width: size.width, height: size.height).pixelBuffer()
        func requests(_ count: Int) -> [VNTrackObjectRequest] {
            (0..<count).map { index in
                VNTrackObjectRequest(
                    detectedObjectObservation: VNDetectedObjectObservation(boundingBox: box(30 + 8 * index, 75)))
            }
        }
        let all = requests(17)
        XCTAssertThrowsError(try handler.perform(all, on: buffer)) { error in
            assert(error, is: .internalError)
            let message = (error as NSError).localizedDescription
            XCTAssertTrue(
                message.hasPrefix(
                    "Internal error: Exceeded maximum allowed number of Trackers for a tracker type: "
                        + "VNObjectTrackerRevision2Type"), message)
        }
        XCTAssertEqual(all.filter { $0.results?.count == 1 }.count, 16)
        let first = requests(1)[0]
        first.revision = VNTrackObjectRequestRevision1
        XCTAssertNoThrow(try handler.perform([first], on: buffer))
    }

    func testSeveralTargetsGetTheSameBoxesWhateverTheNumberOfThreads() throws {
        defer { Settings.setThreadCount(nil) }
        func run(_ threads: Int) throws -> [CGRect] {
            Settings.setThreadCount(threads)
            let handler = VNSequenceRequestHandler()
            var observations = [(50, 50), (110, 60), (150, 100), (70, 110)].map {
                VNDetectedObjectObservation(boundingBox: box($0.0, $0.1))
            }
            for step in 0..<4 {
                var frame = background.frame(width: size.width, height: size.height, x: Double(step))
                frame.draw(object, centreX: 50 + 2 * step, centreY: 50, side: 32)
                let requests = observations.map { VNTrackObjectRequest(detectedObjectObservation: $0) }
                try handler.perform(requests, on: frame.pixelBuffer())
                observations = try requests.map { try XCTUnwrap($0.results?.first) }
            }
            return observations.map(\.boundingBox)
        }
        XCTAssertEqual(try run(1), try run(4))
    }

    func testATrackThatRevisionOneStartedContinuesWithRevisionOne() throws {
        let handler = VNSequenceRequestHandler()
        let first = VNTrackObjectRequest(
            detectedObjectObservation: VNDetectedObjectObservation(boundingBox: box(60, 90)))
        first.revision = VNTrackObjectRequestRevision1
        var frame = background.frame(width: size.width, height: size.height)
        frame.draw(object, centreX: 60, centreY: 90, side: 32)
        try handler.perform([first], on: frame.pixelBuffer())
        let next = VNTrackObjectRequest(detectedObjectObservation: try XCTUnwrap(first.results?.first))
        next.isLastFrame = true
        try handler.perform([next], on: frame.pixelBuffer())
        assertEqual(try XCTUnwrap(next.results?.first).boundingBox, box(60, 90), accuracy: 0.02)
    }
}
