import ModelTestSupport
import Vision
import VisionModels
import XCTest

/// Many learned trackers in one perform, with the network of the store. They share forward passes over the frame.
final class TrackerBatchTests: XCTestCase {
    private static let size = (width: 400, height: 300)

    override func setUpWithError() throws {
        _ = try requireModel { try TrackerNetworks.shared() }
    }

    override func tearDown() { Settings.setThreadCount(nil) }

    /// Where target `index` is in frame `step`.
    private static func position(_ index: Int, _ step: Int) -> (x: Int, y: Int) {
        (50 + index % 4 * 100 + (index % 3 - 1) * step, 37 + index / 4 * 75 + (index % 2 == 0 ? 1 : -1) * step)
    }

    private func box(_ index: Int, _ step: Int) -> CGRect {
        let (x, y) = Self.position(index, step)
        let (width, height) = Self.size
        return VNNormalizedRectForImageRect(
            CGRect(x: x - 18, y: height - y - 18, width: 36, height: 36), width, height)
    }

    /// Sixteen squares with textures of their own that move over a ground.
    private static let video: [CVPixelBuffer] = {
        let ground = Scene(seed: 5, contrast: 0.4)
        let objects = (0..<16).map { Scene(seed: 100 + $0, wavelengths: 6...40) }
        return (0..<7).map { step in
            var frame = ground.frame(width: size.width, height: size.height)
            for (index, object) in objects.enumerated() {
                let (x, y) = position(index, step)
                frame.draw(object, centreX: x, centreY: y, side: 36)
            }
            return frame.pixelBuffer()
        }
    }()

    /// What these targets' requests find in each frame; nil where one fails.
    private func track(
        _ targets: [Int], change: (_ step: Int, _ requests: [VNTrackObjectRequest]) -> Void = { _, _ in }
    ) throws -> [[VNDetectedObjectObservation?]] {
        let handler = VNSequenceRequestHandler()
        var observations = targets.map { VNDetectedObjectObservation(boundingBox: box($0, 0)) }
        return Self.video.enumerated().map { step, frame in
            let requests = observations.map { VNTrackObjectRequest(detectedObjectObservation: $0) }
            change(step, requests)
            try? handler.perform(requests, on: frame)
            let found = requests.map { $0.results?.first }
            for (index, found) in found.enumerated() { observations[index] = found ?? observations[index] }
            return found
        }
    }

    private func overlap(_ a: CGRect, _ b: CGRect) -> Double {
        let both = a.intersection(b)
        guard !both.isNull else { return 0 }
        let common = both.width * both.height
        return common / (a.width * a.height + b.width * b.height - common)
    }

    private func text(_ found: [[VNDetectedObjectObservation?]]) -> [[String]] {
        found.map { $0.map { $0.map { "\($0.boundingBox) \($0.confidence)" } ?? "-" } }
    }

    func testSixteenTargetsAreFoundTogetherWhereTheyAreFoundAlone() throws {
        let together = try track(Array(0..<16))
        var same = 0
        for target in 0..<16 {
            let alone = try track([target])
            same += together.last?[target]?.boundingBox == alone.last?[0]?.boundingBox ? 1 : 0
            for step in Self.video.indices {
                let one = try XCTUnwrap(alone[step][0]), several = try XCTUnwrap(together[step][target])
                XCTAssertGreaterThan(
                    overlap(one.boundingBox, several.boundingBox), 0.8, "target \(target), frame \(step)")
                XCTAssertEqual(one.confidence, several.confidence, accuracy: 0.25, "target \(target), frame \(step)")
                XCTAssertGreaterThan(
                    overlap(several.boundingBox, box(target, step)), 0.6, "target \(target), frame \(step)")
            }
        }
        XCTAssertLessThan(same, 8, "they share forward passes, which changes the last digits")
    }

    func testTheNumberOfThreadsChangesNothing() throws {
        let all = try [1, 2, 5].map { threads in
            Settings.setThreadCount(threads)
            return text(try track(Array(0..<16)))
        }
        XCTAssertEqual(all[0], all[1])
        XCTAssertEqual(all[0], all[2])
    }

    func testATrackerThatFailsDoesNotDisturbTheOthers() throws {
        let targets = [0, 1, 4, 5, 8, 9]
        let found = try track(targets) { step, requests in
            // Not the region in which the track began.
            if step == 3 { requests[2].regionOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 0.5) }
        }
        XCTAssertNil(found[3][2])
        for step in Self.video.indices {
            for (index, target) in targets.enumerated() where (step, index) != (3, 2) {
                let one = try XCTUnwrap(found[step][index], "target \(target), frame \(step)")
                XCTAssertGreaterThan(
                    overlap(one.boundingBox, box(target, step)), 0.6, "target \(target), frame \(step)")
            }
        }
    }

    func testTwoRequestsForOneTrackFollowEachOtherInABatch() throws {
        let handler = VNSequenceRequestHandler()
        var observations = [0, 1, 4, 5, 8, 9].map { VNDetectedObjectObservation(boundingBox: box($0, 0)) }
        for frame in Self.video {
            let requests = (observations + [observations[1]]).map {
                VNTrackObjectRequest(detectedObjectObservation: $0)
            }
            try handler.perform(requests, on: frame)
            let again = try XCTUnwrap(requests[6].results?.first)
            observations = try requests.prefix(6).map { try XCTUnwrap($0.results?.first) }
            XCTAssertGreaterThan(overlap(again.boundingBox, observations[1].boundingBox), 0.8)
        }
    }

    func testCancellingSomeLeavesTheOthersResultsAsTheyWere() throws {
        let targets = [0, 1, 2, 4, 5, 6, 8, 9, 10]
        let expected = text(try track(targets))
        let last = Self.video.count - 1
        for delay in [0, 1, 2, 4, 8, 16] {
            let cancellers = DispatchGroup()
            let found = try track(targets) { step, requests in
                guard step == last else { return }
                for request in [requests[1], requests[4]] {
                    let canceller = Canceller(request)
                    cancellers.enter()
                    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) {
                        canceller.cancel()
                        cancellers.leave()
                    }
                }
            }
            cancellers.wait()
            for index in targets.indices where index != 1 && index != 4 {
                XCTAssertEqual(text(found)[last][index], expected[last][index], "after \(delay) ms")
            }
        }
    }
}

/// Cancels a request on another thread.
private final class Canceller: @unchecked Sendable {
    // Unchecked: `cancel` may be called on any thread.
    private let request: VNRequest
    init(_ request: VNRequest) { self.request = request }
    func cancel() { request.cancel() }
}
