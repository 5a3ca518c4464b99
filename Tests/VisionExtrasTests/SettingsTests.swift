import Vision
import VisionExtras
import VisionImage
import XCTest
import VisionThreads

final class SettingsTests: XCTestCase {
    override func tearDown() {
        VisionProfile.use(.latest)
        VisionSettings.resetThreadCount()
        VisionSettings.trackerLimit = VisionSettings.defaultTrackerLimit
        VisionSettings.maximumPixelCount = 256 << 20
        VisionSettings.maximumPixelsInFlight = VisionSettings.defaultMaximumPixelsInFlight
    }

    func testPerformsBeyondTheLimitOfPixelsInFlightWaitAndGiveTheSameResults() throws {
        func boxes() -> [String] {
            let results = Locked([String](repeating: "", count: 48))
            DispatchQueue.concurrentPerform(iterations: 48) { index in
                let request = VNTrackObjectRequest(
                    detectedObjectObservation: VNDetectedObjectObservation(
                        boundingBox: CGRect(x: 0.01 * Double(index), y: 0.3, width: 0.3, height: 0.4)))
                request.revision = VNTrackObjectRequestRevision1
                try? VNImageRequestHandler(cvPixelBuffer: patternBuffer()).perform([request])
                let box = request.results?.first.map { "\($0.boundingBox)" } ?? "none"
                results.withLock { $0[index] = box }
            }
            return results.withLock { $0 }
        }
        XCTAssertGreaterThanOrEqual(VisionSettings.maximumPixelsInFlight, 64 << 20)
        let free = boxes()
        VisionSettings.maximumPixelsInFlight = -5
        XCTAssertEqual(VisionSettings.maximumPixelsInFlight, 1)
        XCTAssertEqual(boxes(), free)
        XCTAssertFalse(free.contains("none"))
    }

    func testImagesOverTheLimitOfPixelsAreRefused() throws {
        let context = try XCTUnwrap(
            CGContext(
                data: nil, width: 40, height: 30, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGImageAlphaInfo.none.rawValue))
        let file = NSMutableData()
        let destination = try XCTUnwrap(CGImageDestinationCreateWithData(file, "public.png", 1, nil))
        CGImageDestinationAddImage(destination, try XCTUnwrap(context.makeImage()), nil)
        XCTAssertTrue(CGImageDestinationFinalize(destination))
        let data = Data(referencing: file)

        XCTAssertEqual(VisionSettings.maximumPixelCount, 256 << 20)
        XCTAssertNoThrow(try VNImageRequestHandler(data: data).perform(trackers(1)))
        VisionSettings.maximumPixelCount = 40 * 30 - 1
        XCTAssertThrowsError(try VNImageRequestHandler(data: data).perform(trackers(1))) { error in
            XCTAssertEqual((error as NSError).code, VNErrorCode.invalidImage.rawValue)
        }
        XCTAssertNil(CIImage(data: data))
    }

    private func trackers(_ count: Int) -> [VNTrackObjectRequest] {
        (0..<count).map { index in
            let request = VNTrackObjectRequest(
                detectedObjectObservation: VNDetectedObjectObservation(
                    boundingBox: CGRect(x: 0.05 * Double(index % 10), y: 0.3, width: 0.3, height: 0.4)))
            request.revision = VNTrackObjectRequestRevision1
            return request
        }
    }

    func testTheProfileIsTheLatestUnlessAnotherIsChosen() {
        XCTAssertEqual(VisionProfile.current, .latest)
        XCTAssertEqual(VNVisionVersionNumber, 3)
        for profile in VisionProfile.allCases {
            VisionProfile.use(profile)
            XCTAssertEqual(VisionProfile.current, profile)
            XCTAssertTrue(VNTrackObjectRequest.supportedRevisions.contains(VNTrackObjectRequest.defaultRevision))
        }
        VisionProfile.use(.iOS12)
        XCTAssertEqual(VNVisionVersionNumber, 2)
        XCTAssertEqual(VNTrackObjectRequest.defaultRevision, VNTrackObjectRequestRevision1)
    }

    func testTheThreadCountHasNoEffectOnResults() throws {
        var logs: [[String]] = []
        for count in [1, 2, 7] {
            VisionSettings.threadCount = count
            XCTAssertEqual(VisionSettings.threadCount, count)
            let handler = VNSequenceRequestHandler()
            var requests = trackers(9)
            var log: [String] = []
            for step in 0..<3 {
                try handler.perform(requests, on: patternBuffer(x: Double(step) * 1.5))
                let results = requests.compactMap { $0.results?.first }
                log += results.map { "\($0.boundingBox) \($0.confidence)" }
                requests = results.map { VNTrackObjectRequest(detectedObjectObservation: $0) }
            }
            logs.append(log)
        }
        XCTAssertEqual(logs[0].count, 27)
        XCTAssertEqual(logs[0], logs[1])
        XCTAssertEqual(logs[0], logs[2])
        VisionSettings.threadCount = -3
        XCTAssertEqual(VisionSettings.threadCount, 1)
        VisionSettings.threadCount = .max
        XCTAssertEqual(VisionSettings.threadCount, 1024)
    }

    func testTheTrackerLimitCanBeSet() throws {
        VisionSettings.trackerLimit = 3
        let handler = VNSequenceRequestHandler()
        let requests = trackers(5)
        XCTAssertEqual(try requests[0].supportedNumberOfTrackers(), 3)
        XCTAssertThrowsError(try handler.perform(requests, on: patternBuffer())) { error in
            XCTAssertEqual((error as NSError).code, VNErrorCode.internalError.rawValue)
            XCTAssertTrue((error as NSError).localizedDescription.contains("3 of 3"))
        }
        XCTAssertEqual(handler.objectTrackersInUse, 3)
        VisionSettings.trackerLimit = 32
        let more = VNSequenceRequestHandler()
        try more.perform(trackers(20), on: patternBuffer())
        XCTAssertEqual(more.objectTrackersInUse, 20)
    }

    func testDerivativesAreMadeOnceForAllRequestsOfAHandler() throws {
        let handler = VNImageRequestHandler(cvPixelBuffer: patternBuffer())
        XCTAssertNil(handler.derivativeCounters)
        try handler.perform([trackers(1)[0]])
        let first = try XCTUnwrap(handler.derivativeCounters)
        XCTAssertGreaterThan(first.misses, 0)
        XCTAssertGreaterThan(first.bytes, 0)
        try handler.perform(trackers(6))
        let second = try XCTUnwrap(handler.derivativeCounters)
        XCTAssertEqual(second.misses, first.misses, "nothing is converted again")
        XCTAssertGreaterThan(second.hits, first.hits)
    }
}
