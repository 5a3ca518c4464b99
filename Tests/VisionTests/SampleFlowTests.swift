import Vision
import XCTest

final class SampleFlowTests: XCTestCase {
    private let background = Scene(seed: 1, contrast: 0.5)
    private let object = Scene(seed: 2)

    /// A square of 40 pixels on a 240 × 180 background, its centre at a position.
    private func frame(_ centres: [(x: Int, y: Int)]) -> GreyFrame {
        var frame = background.frame(width: 240, height: 180)
        for centre in centres { frame.draw(object, centreX: centre.x, centreY: centre.y, side: 40) }
        return frame
    }

    private func box(_ centre: (x: Int, y: Int)) -> CGRect {
        let pixels = CGRect(x: centre.x - 20, y: 180 - centre.y - 20, width: 40, height: 40)
        return VNNormalizedRectForImageRect(pixels, 240, 180)
    }

    func testTheFiveFrameLoopFollowsTheObject() throws {
        // Revision 1, which needs no network.
        Profile.current = .iOS12
        defer { Profile.current = .default }
        let centres = (0..<5).map { (x: 80 + 5 * $0, y: 100 - 3 * $0) }
        let start = box(centres[0])
        let track = try trackThroughFiveFrames(
            startingAt: start, in: centres.map { frame([$0]).pixelBuffer() })

        XCTAssertEqual(track.count, 5)
        XCTAssertEqual(track.first?.boundingBox, start)
        XCTAssertEqual(Set(track.map(\.uuid)).count, 1)
        for (observation, centre) in zip(track, centres) {
            assertEqual(observation.boundingBox, box(centre), accuracy: 0.02)
            XCTAssertGreaterThan(observation.confidence, 0.5)
            XCTAssertEqual(observation.requestRevision, 1)
        }
    }

    func testSeveralObjectsAreKeptApartByTheirUuids() {
        let first = (0..<6).map { (x: 60 + 4 * $0, y: 60) }
        let second = (0..<6).map { (x: 180 - 3 * $0, y: 120 + $0) }
        let inputs = [first, second].map { VNDetectedObjectObservation(boundingBox: box($0[0])) }
        let tracker = MultiObjectTracker(objects: inputs)
        for index in 0..<6 {
            tracker.process(
                frame([first[index], second[index]]).pixelBuffer(), orientation: .up, isLast: index == 5)
        }

        XCTAssertFalse(tracker.trackingFailed)
        XCTAssertEqual(Set(tracker.drawn.keys), Set(inputs.map(\.uuid)))
        for (input, centres) in zip(inputs, [first, second]) {
            guard let drawn = tracker.drawn[input.uuid] else { return XCTFail("an object is lost") }
            // By default the learned tracker follows, which finds no outline around these patterns: their size is
            // inexact.
            let (found, wanted) = (drawn.box, box(centres[5]))
            XCTAssertEqual(found.midX, wanted.midX, accuracy: 0.03)
            XCTAssertEqual(found.midY, wanted.midY, accuracy: 0.03)
            let common = found.intersection(wanted)
            let area = common.width * common.height
            let union = found.width * found.height + wanted.width * wanted.height - area
            XCTAssertGreaterThan(area / union, 0.5)
        }
    }

    func testTheSceneIsStableOnlyAfterFifteenQuietFrames() {
        let watcher = SceneStabilityWatcher()
        var answers: [Bool] = []
        // The camera sweeps for 10 frames, 6 pixels each, then is held with a tremor of half a pixel.
        for index in 0..<40 {
            let x = index < 10 ? Double(index) * 6 : 54 + (index % 2 == 0 ? 0.5 : 0)
            answers.append(watcher.captured(background.frame(width: 160, height: 120, x: x).pixelBuffer()))
        }
        // Frame 0 only starts; frame n is the n-th shift. The last shift of 6 pixels is that of frame 9: the sum of
        // fifteen shifts falls below 20 when at most three of them are such, in frame 21.
        XCTAssertEqual(answers.firstIndex(of: true), 21)
        XCTAssertTrue(answers[21...].allSatisfy { $0 })
    }

    func testTheShiftHasTheSignOfMovingTheNewFrameOntoTheOld() {
        let watcher = SceneStabilityWatcher()
        _ = watcher.captured(background.frame(width: 160, height: 120).pixelBuffer())
        // The content lies 5 pixels further right and 3 further up: the camera points further left and down.
        _ = watcher.captured(background.frame(width: 160, height: 120, x: -5, y: 3).pixelBuffer())
        XCTAssertEqual(watcher.lastTransposition.x, -5, accuracy: 0.1)
        XCTAssertEqual(watcher.lastTransposition.y, -3, accuracy: 0.1)
    }
}
