import ModelTestSupport
import VisionAlgorithms
import VisionImage
import XCTest

@testable import VisionModels

/// With the real network of the store, as in `InstalledModelTests`.
final class LearnedTrackerClaimsTests: XCTestCase {
    private typealias Pose = TrackedScene.Pose

    private func tracker(of scene: TrackedScene, at pose: Pose) throws -> LearnedTracker {
        let networks = try requireModel { try TrackerNetworks.shared() }
        return try LearnedTracker(frame: scene.frame(pose), box: scene.box(pose), networks: networks)
    }

    /// The second tracker's target vanishes, and the only thing like it is the first one's.
    func testATrackerThatComesToTheTargetOfAnotherYields() throws {
        let scene = TrackedScene()
        let place = Pose(x: 120, y: 120), other = Pose(x: 190, y: 120)
        let trackers = [try tracker(of: scene, at: other), try tracker(of: scene, at: place)]
        var found: [(box: PixelRegion, confidence: Float)] = []
        for _ in 0..<4 {
            LearnedTracker.settleClaims(of: trackers)
            found = try trackers.map { try $0.update(frame: scene.frame(place)) }
        }
        XCTAssertGreaterThan(found[1].box.overlap(scene.box(place)), 0.6)
        XCTAssertGreaterThan(found[1].confidence, 0.5)
        XCTAssertLessThan(found[0].box.overlap(scene.box(place)), 0.5)
        XCTAssertLessThan(found[0].confidence, 0.5)
        // When the other is gone, the place is free.
        for _ in 0..<20 where found[0].box.overlap(scene.box(place)) <= 0.6 {
            found[0] = try trackers[0].update(frame: scene.frame(place))
        }
        XCTAssertGreaterThan(found[0].box.overlap(scene.box(place)), 0.6)
        // Alone it goes there, which is why it has to yield.
        let alone = try tracker(of: scene, at: other)
        var last = try alone.update(frame: scene.frame(place))
        for _ in 0..<3 { last = try alone.update(frame: scene.frame(place)) }
        XCTAssertGreaterThan(last.box.overlap(scene.box(place)), 0.6)
    }

    func testTrackersThatStartAtTheSamePlaceStayThere() throws {
        let scene = TrackedScene()
        let trackers = [
            try tracker(of: scene, at: Pose(x: 100, y: 120)), try tracker(of: scene, at: Pose(x: 100, y: 120)),
        ]
        for index in 1...6 {
            let pose = Pose(x: 100 + 5 * Double(index), y: 120)
            LearnedTracker.settleClaims(of: trackers)
            for tracker in trackers {
                let found = try tracker.update(frame: scene.frame(pose))
                XCTAssertGreaterThan(found.box.overlap(scene.box(pose)), 0.6)
                XCTAssertGreaterThan(found.confidence, 0.5)
            }
        }
    }
}
