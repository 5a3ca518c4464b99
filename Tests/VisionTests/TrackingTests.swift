import Vision
import XCTest

final class TrackingTests: XCTestCase {
    private let background = Scene(seed: 11, contrast: 0.5)
    private let object = Scene(seed: 12)
    private let size = (width: 200, height: 150)

    /// These tests are about what all trackers have in common and need no network: the default here is revision 1.
    override func setUp() { Profile.current = .iOS12 }
    override func tearDown() { Profile.current = .default }

    private func frame(_ x: Int, _ y: Int) -> GreyFrame {
        var frame = background.frame(width: size.width, height: size.height)
        frame.draw(object, centreX: x, centreY: y, side: 32)
        return frame
    }

    private func box(_ x: Int, _ y: Int, side: Int = 32) -> CGRect {
        VNNormalizedRectForImageRect(
            CGRect(x: x - side / 2, y: size.height - y - side / 2, width: side, height: side), size.width, size.height)
    }

    /// Boxes of 16 pixels in a grid.
    private func observations(_ count: Int) -> [VNDetectedObjectObservation] {
        (0..<count).map { index in
            VNDetectedObjectObservation(boundingBox: box(20 + index % 6 * 30, 20 + index / 6 * 30, side: 16))
        }
    }

    private func track(
        _ input: VNDetectedObjectObservation, _ handler: VNSequenceRequestHandler, on frame: GreyFrame,
        isLast: Bool = false
    ) throws -> VNDetectedObjectObservation {
        let request = VNTrackObjectRequest(detectedObjectObservation: input)
        request.isLastFrame = isLast
        try handler.perform([request], on: frame.pixelBuffer())
        XCTAssertEqual(request.results?.count, 1)
        return try XCTUnwrap(request.results?.first)
    }

    // MARK: - One track

    func testTheFirstFrameOnlySelects() throws {
        let input = VNDetectedObjectObservation(boundingBox: box(100, 75))
        let result = try track(input, VNSequenceRequestHandler(), on: frame(100, 75))
        XCTAssertEqual(result.boundingBox, input.boundingBox)
        XCTAssertEqual(result.confidence, 1)
        XCTAssertEqual(result.uuid, input.uuid)
        XCTAssertFalse(result === input)
        XCTAssertEqual(result.requestRevision, VNTrackObjectRequestRevision1)
        XCTAssertEqual(input.requestRevision, VNRequestRevisionUnspecified, "the input is not changed")
    }

    func testTheTrackFollowsAndKeepsItsUuid() throws {
        let handler = VNSequenceRequestHandler()
        let start = VNDetectedObjectObservation(boundingBox: box(60, 90))
        var observation = start
        for step in 0..<12 {
            observation = try track(observation, handler, on: frame(60 + 4 * step, 90 - 2 * step))
        }
        XCTAssertEqual(observation.uuid, start.uuid)
        assertEqual(observation.boundingBox, box(104, 68), accuracy: 0.025)
        XCTAssertGreaterThan(observation.confidence, 0.5)
        XCTAssertLessThanOrEqual(observation.confidence, 1)
    }

    func testTheConfidenceFallsWhenTheTargetIsGone() throws {
        let handler = VNSequenceRequestHandler()
        var observation = VNDetectedObjectObservation(boundingBox: box(100, 75))
        for _ in 0..<6 { observation = try track(observation, handler, on: frame(100, 75)) }
        let present = observation.confidence
        // Another scene, without the target.
        let elsewhere = Scene(seed: 99).frame(width: size.width, height: size.height)
        for _ in 0..<3 { observation = try track(observation, handler, on: elsewhere) }
        XCTAssertLessThan(observation.confidence, 0.5)
        XCTAssertLessThan(observation.confidence, present - 0.2)
    }

    func testTheSameVideoGivesTheSameTrackWhateverRunsInParallel() throws {
        let videos = (0..<4).map { video in (0..<5).map { frame(50 + video * 30 + $0 * 3, 75).pixelBuffer() } }
        let alone = try videos.map { video in
            try run([VNDetectedObjectObservation(boundingBox: box(100, 75))], in: video)
        }
        let again = try videos.map { video in
            try run([VNDetectedObjectObservation(boundingBox: box(100, 75))] + observations(7), in: video)
        }
        for (first, second) in zip(alone, again) { XCTAssertEqual(first[0], second[0]) }
    }

    /// The boxes and confidences of each input, frame by frame.
    private func run(_ inputs: [VNDetectedObjectObservation], in video: [CVPixelBuffer]) throws -> [[String]] {
        let handler = VNSequenceRequestHandler()
        var current = inputs
        var log = [[String]](repeating: [], count: inputs.count)
        for frame in video {
            let requests = current.map { VNTrackObjectRequest(detectedObjectObservation: $0) }
            try handler.perform(requests, on: frame)
            current = requests.compactMap { $0.results?.first }
            for (index, result) in current.enumerated() {
                log[index].append("\(result.boundingBox) \(result.confidence)")
            }
        }
        return log
    }

    func testFeedingTheFirstObservationAgainStartsTheTrackerAnew() throws {
        let handler = VNSequenceRequestHandler()
        let start = VNDetectedObjectObservation(boundingBox: box(60, 75))
        _ = try track(start, handler, on: frame(60, 75))
        let moved = try track(start, handler, on: frame(80, 75))
        XCTAssertEqual(moved.boundingBox, start.boundingBox)
    }

    func testAResultOfAnotherHandlerStartsATrackHereWithTheSameUuid() throws {
        let first = VNSequenceRequestHandler()
        let start = VNDetectedObjectObservation(boundingBox: box(60, 75))
        let result = try track(track(start, first, on: frame(60, 75)), first, on: frame(64, 75))
        let second = VNSequenceRequestHandler()
        let continued = try track(result, second, on: frame(64, 75))
        XCTAssertEqual(continued.boundingBox, result.boundingBox)
        XCTAssertEqual(continued.uuid, start.uuid)
        let next = try track(continued, second, on: frame(70, 75))
        assertEqual(next.boundingBox, box(70, 75), accuracy: 0.03)
    }

    func testAnArchivedResultContinuesTheTrack() throws {
        let handler = VNSequenceRequestHandler()
        let start = VNDetectedObjectObservation(boundingBox: box(60, 75))
        let result = try track(start, handler, on: frame(60, 75))
        let data = try NSKeyedArchiver.archivedData(withRootObject: result, requiringSecureCoding: true)
        let read = try XCTUnwrap(
            NSKeyedUnarchiver.unarchivedObject(ofClass: VNDetectedObjectObservation.self, from: data))
        let next = try track(read, handler, on: frame(66, 75))
        assertEqual(next.boundingBox, box(66, 75), accuracy: 0.03)
    }

    func testAnImageHandlerTracksTooWithStateOfItsOwn() throws {
        let handler = VNImageRequestHandler(cvPixelBuffer: frame(60, 75).pixelBuffer())
        let request = VNTrackObjectRequest(
            detectedObjectObservation: VNDetectedObjectObservation(boundingBox: box(60, 75)))
        try handler.perform([request])
        let first = try XCTUnwrap(request.results?.first)
        request.inputObservation = first
        try handler.perform([request])
        assertEqual(try XCTUnwrap(request.results?.first).boundingBox, box(60, 75), accuracy: 0.02)
    }

    // MARK: - The pool

    func testTheSeventeenthTrackerIsAnErrorAndTheOthersGoOn() throws {
        let handler = VNSequenceRequestHandler()
        let requests = observations(17).map { VNTrackObjectRequest(detectedObjectObservation: $0) }
        XCTAssertEqual(try requests[0].supportedNumberOfTrackers(), 16)
        XCTAssertThrowsError(try handler.perform(requests, on: frame(100, 75).pixelBuffer())) { error in
            assert(error, is: .internalError)
            let message = (error as NSError).localizedDescription
            XCTAssertTrue(
                message.hasPrefix(
                    "Internal error: Exceeded maximum allowed number of Trackers for a tracker type: "
                        + "VNObjectTrackerType"
                ),
                message)
            XCTAssertTrue(message.contains("16 of 16"), message)
        }
        XCTAssertEqual(requests.filter { $0.results?.count == 1 }.count, 16)
        XCTAssertNil(requests[16].results)

        let next = requests[0..<16].compactMap { $0.results?.first }
            .map { VNTrackObjectRequest(detectedObjectObservation: $0) }
        try handler.perform(next, on: frame(100, 75).pixelBuffer())
        XCTAssertTrue(next.allSatisfy { $0.results?.count == 1 })
    }

    func testTheLastFrameIsProcessedAndReleasesTheTracker() throws {
        let handler = VNSequenceRequestHandler()
        let all = observations(17)
        var results: [VNDetectedObjectObservation] = []
        for observation in all.prefix(16) { results.append(try track(observation, handler, on: frame(100, 75))) }
        assertThrows(.internalError) { _ = try track(all[16], handler, on: frame(100, 75)) }
        let last = try track(results[3], handler, on: frame(100, 75), isLast: true)
        XCTAssertEqual(last.uuid, all[3].uuid)
        XCTAssertNoThrow(try track(all[16], handler, on: frame(100, 75)))
        // The released track starts again where there is a slot, and there is none.
        assertThrows(.internalError) { _ = try track(last, handler, on: frame(100, 75)) }
    }

    func testASlotThatALastFrameFreesIsUsedByLaterRequestsOfTheSamePerform() throws {
        let handler = VNSequenceRequestHandler()
        let all = observations(17)
        var results: [VNDetectedObjectObservation] = []
        for observation in all.prefix(16) { results.append(try track(observation, handler, on: frame(100, 75))) }
        let last = VNTrackObjectRequest(detectedObjectObservation: results[0])
        last.isLastFrame = true
        let new = VNTrackObjectRequest(detectedObjectObservation: all[16])
        try handler.perform([last, new], on: frame(100, 75).pixelBuffer())
        XCTAssertNotNil(last.results)
        XCTAssertNotNil(new.results)
    }

    func testATrackThatBeginsAndEndsInOneFrameTakesNoSlot() throws {
        let handler = VNSequenceRequestHandler()
        for observation in observations(20) {
            _ = try track(observation, handler, on: frame(100, 75), isLast: true)
        }
        for observation in observations(16) { _ = try track(observation, handler, on: frame(100, 75)) }
    }

    func testAStartThatFailsTakesNoSlot() throws {
        let handler = VNSequenceRequestHandler()
        for observation in observations(20) {
            let request = VNTrackObjectRequest(detectedObjectObservation: observation)
            assertThrows(.invalidImage) { try handler.perform([request], onImageData: Data([1, 2, 3])) }
        }
        for observation in observations(16) { _ = try track(observation, handler, on: frame(100, 75)) }
    }

    func testEachHandlerHasAPoolOfItsOwn() throws {
        for _ in 0..<3 {
            let handler = VNSequenceRequestHandler()
            for observation in observations(16) { _ = try track(observation, handler, on: frame(100, 75)) }
        }
    }

    /// A long video in short runs, each from a new detection: the pool does not fill up, and the track goes on.
    func testALongVideoInShortRuns() throws {
        let handler = VNSequenceRequestHandler()
        var uuids = Set<UUID>()
        for run in 0..<20 {
            func x(_ step: Int) -> Int { 40 + (run * 5 + step) }
            var observation = VNDetectedObjectObservation(boundingBox: box(x(0), 75))
            for step in 0..<5 {
                observation = try track(observation, handler, on: frame(x(step), 75), isLast: step == 4)
            }
            assertEqual(observation.boundingBox, box(x(4), 75), accuracy: 0.025)
            uuids.insert(observation.uuid)
        }
        XCTAssertEqual(uuids.count, 20)
        XCTAssertNoThrow(try observations(16).forEach { _ = try track($0, handler, on: frame(100, 75)) })
    }

    func testTwoRequestsForOneTrackInOnePerformFollowEachOther() throws {
        let handler = VNSequenceRequestHandler()
        let start = try track(
            VNDetectedObjectObservation(boundingBox: box(100, 75)), handler, on: frame(100, 75))
        let requests = (0..<2).map { _ in VNTrackObjectRequest(detectedObjectObservation: start) }
        try handler.perform(requests, on: frame(104, 75).pixelBuffer())
        for request in requests {
            assertEqual(try XCTUnwrap(request.results?.first).boundingBox, box(104, 75), accuracy: 0.03)
        }
    }

    // MARK: - What is refused

    func testRevisionThreeDoesNotExist() {
        let request = VNTrackObjectRequest(
            detectedObjectObservation: VNDetectedObjectObservation(boundingBox: box(100, 75)))
        request.revision = 3
        assertThrows(.unsupportedRevision) {
            try VNSequenceRequestHandler().perform([request], on: frame(100, 75).pixelBuffer())
        }
    }

    func testBoxesThatCannotBeTrackedAreRefused() {
        let buffer = frame(100, 75).pixelBuffer()
        let boxes = [
            CGRect(x: 0.5, y: 0.5, width: 0, height: 0.1), CGRect(x: 0.5, y: 0.5, width: 0.1, height: -0.1),
            CGRect(x: CGFloat.nan, y: 0.5, width: 0.1, height: 0.1),
            CGRect(x: 0.5, y: 0.5, width: CGFloat.infinity, height: 0.1),
            CGRect(x: 1.5, y: 0.5, width: 0.1, height: 0.1), CGRect(x: 20, y: 30, width: 64, height: 64),
        ]
        for box in boxes {
            let request = VNTrackObjectRequest(
                detectedObjectObservation: VNDetectedObjectObservation(boundingBox: box))
            XCTAssertThrowsError(
                try VNSequenceRequestHandler().perform([request], on: buffer), "\(box) was accepted"
            ) { error in
                XCTAssertEqual((error as NSError).domain, VNErrorDomain)
                let codes = [VNErrorCode.invalidArgument, .outOfBoundsError].map(\.rawValue)
                XCTAssertTrue(codes.contains((error as NSError).code), "\(error)")
            }
            XCTAssertNil(request.results)
        }
    }

    func testExtremeBoxesAndFramesGiveBoxesThatAreNumbers() throws {
        let boxes = [
            CGRect(x: -5, y: -5, width: 11, height: 11), CGRect(x: -1e9, y: 0.2, width: 2e9, height: 0.1),
            CGRect(x: 0.5, y: 0.5, width: 1e-9, height: 1e-9), CGRect(x: 0, y: 0, width: 1, height: 1),
            CGRect(x: 0.99, y: 0.99, width: 0.5, height: 0.5), CGRect(x: 0.2, y: 0, width: 0.001, height: 1),
        ]
        let frames = [
            frame(100, 75), background.frame(width: 1, height: 1), background.frame(width: 3, height: 200),
            GreyFrame(width: 64, height: 64) { _, _ in 0 },
        ]
        for box in boxes {
            for frame in frames {
                let handler = VNSequenceRequestHandler()
                var observation = VNDetectedObjectObservation(boundingBox: box)
                for _ in 0..<3 { observation = try track(observation, handler, on: frame) }
                let found = observation.boundingBox
                for value in [found.origin.x, found.origin.y, found.size.width, found.size.height] {
                    XCTAssertTrue(value.isFinite, "\(box) in \(frame.width) × \(frame.height): \(found)")
                }
                XCTAssertGreaterThan(found.size.width, 0)
                XCTAssertTrue((0...1).contains(observation.confidence))
            }
        }
    }

    func testOneHandlerTracksForManyThreads() throws {
        let handler = VNSequenceRequestHandler()
        let starts = observations(12)
        let buffers = (0..<3).map { frame(100 + $0 * 3, 75).pixelBuffer() }
        let lock = NSLock()
        nonisolated(unsafe) var ends: [UUID: VNDetectedObjectObservation] = [:]
        DispatchQueue.concurrentPerform(iterations: starts.count) { index in
            var observation = starts[index]
            for buffer in buffers {
                let request = VNTrackObjectRequest(detectedObjectObservation: observation)
                try? handler.perform([request], on: buffer)
                observation = request.results?.first ?? observation
            }
            lock.withLock { ends[observation.uuid] = observation }
        }
        XCTAssertEqual(Set(ends.keys), Set(starts.map(\.uuid)))
        for start in starts {
            let alone = VNSequenceRequestHandler()
            var observation = start
            for buffer in buffers {
                let request = VNTrackObjectRequest(detectedObjectObservation: observation)
                try alone.perform([request], on: buffer)
                observation = try XCTUnwrap(request.results?.first)
            }
            XCTAssertEqual(ends[start.uuid], observation)
        }
    }

    // MARK: - Regions of interest

    func testBoxesAreRelativeToTheRegionOfInterest() throws {
        // The right half of the image, in which the object is at three fifths of the height.
        let region = CGRect(x: 0.5, y: 0, width: 0.5, height: 1)
        func inRegion(_ x: Int, _ y: Int) -> CGRect {
            let whole = box(x, y)
            return CGRect(x: (whole.minX - 0.5) * 2, y: whole.minY, width: whole.width * 2, height: whole.height)
        }
        let handler = VNSequenceRequestHandler()
        var observation = VNDetectedObjectObservation(boundingBox: inRegion(140, 60))
        for step in 0..<6 {
            let request = VNTrackObjectRequest(detectedObjectObservation: observation)
            request.regionOfInterest = region
            try handler.perform([request], on: frame(140 + 3 * step, 60).pixelBuffer())
            observation = try XCTUnwrap(request.results?.first)
        }
        assertEqual(observation.boundingBox, inRegion(155, 60), accuracy: 0.05)
    }

    func testATrackGoesOnInFramesOfAnotherSizeAndFormat() throws {
        let handler = VNSequenceRequestHandler()
        var observation = VNDetectedObjectObservation(boundingBox: box(90, 75))
        for step in 0..<4 { observation = try track(observation, handler, on: frame(90 + 2 * step, 75)) }
        // The same video at twice the size, then at its own again, in colour.
        for step in 4..<8 {
            let source = CIImage(cvPixelBuffer: frame(90 + 2 * step, 75).pixelBuffer())
            let larger = try XCTUnwrap(
                CIContext().createCGImage(
                    source.transformed(by: CGAffineTransform(scaleX: 2, y: 2)),
                    from: CGRect(x: 0, y: 0, width: 400, height: 300)))
            let request = VNTrackObjectRequest(detectedObjectObservation: observation)
            try handler.perform([request], on: larger)
            observation = try XCTUnwrap(request.results?.first)
        }
        assertEqual(observation.boundingBox, box(104, 75), accuracy: 0.02)
        for step in 8..<10 { observation = try track(observation, handler, on: frame(90 + 2 * step, 75)) }
        assertEqual(observation.boundingBox, box(108, 75), accuracy: 0.02)
        XCTAssertGreaterThan(observation.confidence, 0.5)
    }

    func testATrackKeepsToTheRegionThatItStartedWith() throws {
        let handler = VNSequenceRequestHandler()
        let observation = try track(
            VNDetectedObjectObservation(boundingBox: box(100, 75)), handler, on: frame(100, 75))
        let request = VNTrackObjectRequest(detectedObjectObservation: observation)
        request.regionOfInterest = CGRect(x: 0, y: 0, width: 0.9, height: 0.9)
        assertThrows(.invalidArgument) { try handler.perform([request], on: frame(100, 75).pixelBuffer()) }
        // The track itself is not lost.
        let next = try track(observation, handler, on: frame(104, 75))
        assertEqual(next.boundingBox, box(104, 75), accuracy: 0.03)
    }
}
