import Foundation
import Vision
import XCTest

@testable import TrackingApp
@testable import openvision

/// Tracking in a video of a street, where the demonstration has fetched one (`Scripts/fetch-footage.sh`); the other
/// tests of this folder draw their videos.
final class RealVideoTests: XCTestCase {
    /// Frames 40 to 99 of the video: people walk through a street.
    private func street() throws -> [CVPixelBuffer] {
        let environment = ProcessInfo.processInfo.environment
        let caches = environment["XDG_CACHE_HOME"] ?? NSHomeDirectory() + "/.cache"
        let folder = environment["OPENVISION_FOOTAGE"] ?? caches + "/openvision/footage"
        let path = folder + "/vtest.avi"
        guard FileManager.default.fileExists(atPath: path) else {
            throw XCTSkip("No video at \(path); Scripts/fetch-footage.sh fetches it.")
        }
        let video = try OpenVideo.open(path, range: FrameRange(start: 40))
        return try (0..<60).map { _ in try XCTUnwrap(video.next()) }
    }

    private func observation(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> VNDetectedObjectObservation {
        VNDetectedObjectObservation(
            boundingBox: VNNormalizedRectForImageRect(
                CGRect(x: x, y: 576 - y - height, width: width, height: height), 768, 576))
    }

    func testPeopleInAStreetAreFollowedByTheirUuidsAtBothLevels() throws {
        let video = try street()
        for level in [VNRequestTrackingLevel.fast, .accurate] {
            // Their boxes in the first of these frames, and below in the last.
            let people = [observation(568, 233, 39, 100), observation(380, 178, 24, 80)]
            var shown = 0
            var last = VisionTracker.Drawing()
            let tracker = VisionTracker(targets: people, level: level, revision: VNTrackObjectRequestRevision1)
            XCTAssertNil(
                tracker.track(video) { frame, drawing in
                    XCTAssertTrue(frame === video[shown])
                    XCTAssertEqual(Set(drawing.keys), Set(people.map(\.uuid)))
                    for drawn in drawing.values {
                        XCTAssertEqual(drawn.style, drawn.confidence > 0.5 ? .solid : .dashed)
                    }
                    shown += 1
                    last = drawing
                })
            XCTAssertEqual(shown, 60)
            for (person, end) in zip(people, [CGPoint(x: 503, y: 186), CGPoint(x: 392, y: 217)]) {
                let drawn = try XCTUnwrap(last[person.uuid])
                let middle = CGPoint(
                    x: (drawn.corners[0].x + drawn.corners[2].x) / 2 * 768,
                    y: (1 - (drawn.corners[0].y + drawn.corners[2].y) / 2) * 576)
                XCTAssertEqual(middle.x, end.x, accuracy: 20, "\(level)")
                XCTAssertEqual(middle.y, end.y, accuracy: 20, "\(level)")
            }
        }
    }

    func testCancellingARealVideoStopsAtOnce() throws {
        let video = try street()
        let tracker = VisionTracker(
            targets: [observation(568, 233, 39, 100)], level: .fast, revision: VNTrackObjectRequestRevision1)
        var shown = 0
        XCTAssertNil(
            tracker.track(video) { _, _ in
                shown += 1
                if shown == 5 { tracker.cancel() }
            })
        XCTAssertEqual(shown, 5)
    }
}
