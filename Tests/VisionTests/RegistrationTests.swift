import Vision
import XCTest

final class RegistrationTests: XCTestCase {
    private let scene = Scene(seed: 21)

    private func register(
        _ floating: GreyFrame, onto reference: GreyFrame, region: CGRect = VNNormalizedIdentityRect
    ) throws -> VNImageTranslationAlignmentObservation {
        let request = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: floating.greyPixelBuffer())
        request.regionOfInterest = region
        try VNImageRequestHandler(cvPixelBuffer: reference.greyPixelBuffer()).perform([request])
        return try XCTUnwrap(request.results?.first)
    }

    func testContentFurtherRightAndUpGivesNegativeShifts() throws {
        let reference = scene.frame(width: 160, height: 120)
        let floating = scene.frame(width: 160, height: 120, x: -5, y: 3)
        let observation = try register(floating, onto: reference)
        let transform = observation.alignmentTransform
        XCTAssertEqual(transform.tx, -5, accuracy: 0.05)
        XCTAssertEqual(transform.ty, -3, accuracy: 0.05)
        XCTAssertEqual([transform.a, transform.b, transform.c, transform.d], [1, 0, 0, 1])
        XCTAssertGreaterThan(observation.confidence, 0.3)
        XCTAssertEqual(observation.requestRevision, VNTranslationalImageRegistrationRequestRevision1)
    }

    func testPartsOfAPixelAreFound() throws {
        let reference = scene.frame(width: 160, height: 120)
        for (x, y) in [(0.5, 0.0), (-2.25, 1.75), (10.4, -7.6)] {
            let transform = try register(
                scene.frame(width: 160, height: 120, x: x, y: y), onto: reference
            ).alignmentTransform
            // The camera moved right by x and down by y: the content moved left and up.
            XCTAssertEqual(transform.tx, x, accuracy: 0.1)
            XCTAssertEqual(transform.ty, -y, accuracy: 0.1)
        }
    }

    func testTheSameImageTwiceGivesNoShift() throws {
        let frame = scene.frame(width: 97, height: 61)
        let transform = try register(frame, onto: frame).alignmentTransform
        XCTAssertEqual(transform.tx, 0, accuracy: 0.01)
        XCTAssertEqual(transform.ty, 0, accuracy: 0.01)
    }

    func testTinyAndOddSizesGiveNumbers() throws {
        for (width, height) in [(1, 1), (2, 3), (7, 1), (1, 40), (15, 17), (16, 16), (300, 3)] {
            let observation = try register(
                scene.frame(width: width, height: height, x: 1),
                onto: scene.frame(width: width, height: height))
            XCTAssertTrue(observation.alignmentTransform.tx.isFinite, "\(width) × \(height)")
            XCTAssertTrue(observation.alignmentTransform.ty.isFinite, "\(width) × \(height)")
            XCTAssertTrue((0...1).contains(observation.confidence), "\(width) × \(height)")
        }
        let small = try register(scene.frame(width: 32, height: 32, x: 2), onto: scene.frame(width: 32, height: 32))
        XCTAssertEqual(small.alignmentTransform.tx, 2, accuracy: 0.2)
    }

    func testFlatImagesGiveNoConfidenceAndNoShift() throws {
        let flat = GreyFrame(width: 64, height: 64) { _, _ in 90 }
        for pair in [(flat, flat), (flat, scene.frame(width: 64, height: 64))] {
            let observation = try register(pair.0, onto: pair.1)
            XCTAssertEqual(observation.confidence, 0)
            XCTAssertEqual(observation.alignmentTransform, .identity)
        }
    }

    func testDifferentSizesAreRefused() {
        let floating = scene.frame(width: 100, height: 120)
        XCTAssertThrowsError(try register(floating, onto: scene.frame(width: 160, height: 120))) { error in
            assert(error, is: .invalidArgument)
            let message = (error as NSError).localizedDescription
            XCTAssertTrue(message.contains("100 × 120") && message.contains("160 × 120"), message)
        }
    }

    func testOnlyTheRegionOfInterestIsCompared() throws {
        // The upper half moves left by 4, the lower half right by 6.
        let reference = scene.frame(width: 160, height: 128)
        let (up, down) = (
            scene.frame(width: 160, height: 128, x: 4), scene.frame(width: 160, height: 128, x: -6)
        )
        let floating = GreyFrame(width: 160, height: 128) { x, y in y < 64 ? up[x, y] : down[x, y] }
        let upper = try register(
            floating, onto: reference, region: CGRect(x: 0, y: 0.5, width: 1, height: 0.5))
        XCTAssertEqual(upper.alignmentTransform.tx, 4, accuracy: 0.1)
        let lower = try register(
            floating, onto: reference, region: CGRect(x: 0, y: 0, width: 1, height: 0.5))
        XCTAssertEqual(lower.alignmentTransform.tx, -6, accuracy: 0.1)
    }

    func testTheRegionOfALargerFloatingImageMayMatchTheReference() throws {
        let floating = scene.frame(width: 200, height: 100)
        let reference = scene.frame(width: 100, height: 100, x: 102)
        let observation = try register(
            floating, onto: reference, region: CGRect(x: 0.5, y: 0, width: 0.5, height: 1))
        XCTAssertEqual(observation.alignmentTransform.tx, -2, accuracy: 0.1)
    }

    /// A camera that writes each frame into one of two buffers, as double buffering does: what was computed of a
    /// buffer's old content must not be used for the new.
    func testABufferThatIsUsedAgainGivesFreshResults() throws {
        for locking in [true, false] {
            let handler = VNSequenceRequestHandler()
            let buffers = (0..<2).map { _ in scene.frame(width: 96, height: 64).greyPixelBuffer() }
            var position = 0.0
            scene.frame(width: 96, height: 64, x: position).write(to: buffers[0], locking: locking)
            for step in 1...8 {
                let shift = Double(step % 4) - 1.5
                position += shift
                let (previous, current) = (buffers[(step + 1) % 2], buffers[step % 2])
                scene.frame(width: 96, height: 64, x: position).write(to: current, locking: locking)
                let request = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: current)
                try handler.perform([request], on: previous)
                let found = try XCTUnwrap(request.results?.first).alignmentTransform
                XCTAssertEqual(found.tx, shift, accuracy: 0.15, "step \(step), locking \(locking)")
            }
        }
    }

    /// The previous frame itself is overwritten between two calls.
    func testAPreviousFrameThatWasOverwrittenCountsAsItIsNow() throws {
        let handler = VNSequenceRequestHandler()
        let first = scene.frame(width: 96, height: 64).greyPixelBuffer()
        let second = scene.frame(width: 96, height: 64, x: 2).greyPixelBuffer()
        let request = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: second)
        try handler.perform([request], on: first)
        scene.frame(width: 96, height: 64, x: 7).write(to: second, locking: false)
        let next = VNTranslationalImageRegistrationRequest(
            targetedCVPixelBuffer: scene.frame(width: 96, height: 64, x: 10).greyPixelBuffer())
        try handler.perform([next], on: second)
        XCTAssertEqual(try XCTUnwrap(next.results?.first).alignmentTransform.tx, 3, accuracy: 0.1)
    }

    func testASequenceGivesTheSameBitsAsSinglePairs() throws {
        let frames = (0..<6).map { scene.frame(width: 120, height: 90, x: Double($0 * $0) * 0.3, y: Double($0)) }
        let handler = VNSequenceRequestHandler()
        for (previous, current) in zip(frames, frames.dropFirst()) {
            let request = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: current.greyPixelBuffer())
            try handler.perform([request], on: previous.greyPixelBuffer())
            let inSequence = try XCTUnwrap(request.results?.first)
            let alone = try register(current, onto: previous)
            XCTAssertEqual(inSequence.alignmentTransform, alone.alignmentTransform)
            XCTAssertEqual(inSequence.confidence, alone.confidence)
        }
    }

    func testSeveralTargetsInOnePerform() throws {
        let reference = scene.frame(width: 96, height: 64)
        let requests = (0..<5).map { index in
            VNTranslationalImageRegistrationRequest(
                targetedCVPixelBuffer: scene.frame(width: 96, height: 64, x: Double(index)).greyPixelBuffer())
        }
        try VNImageRequestHandler(cvPixelBuffer: reference.pixelBuffer()).perform(requests)
        for (index, request) in requests.enumerated() {
            let transform = try XCTUnwrap(request.results?.first).alignmentTransform
            XCTAssertEqual(transform.tx, CGFloat(index), accuracy: 0.1)
        }
    }

    func testAnObservationOfRegistrationSurvivesAnArchive() throws {
        let observation = try register(
            scene.frame(width: 64, height: 64, x: 3), onto: scene.frame(width: 64, height: 64))
        let data = try NSKeyedArchiver.archivedData(withRootObject: observation, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: VNImageTranslationAlignmentObservation.self, from: data)
        XCTAssertEqual(read, observation)
        XCTAssertEqual(read?.alignmentTransform, observation.alignmentTransform)
    }

    func testTheTimeOfASampleBufferIsThatOfTheObservation() throws {
        let time = CMTime(value: 5, timescale: 30)
        let reference = CMSampleBuffer(
            imageBuffer: scene.frame(width: 64, height: 64).pixelBuffer(), presentationTimeStamp: time,
            duration: CMTime(value: 1, timescale: 30))
        let request = VNTranslationalImageRegistrationRequest(
            targetedCVPixelBuffer: scene.frame(width: 64, height: 64).pixelBuffer())
        try VNSequenceRequestHandler().perform([request], on: reference)
        XCTAssertEqual(request.results?.first?.timeRange.start, time)
    }
}
