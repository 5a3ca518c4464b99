import ModelTestSupport
import Foundation
import VisionAlgorithms
import VisionImage
import XCTest

@testable import VisionModels

/// Trackers that share forward passes over a frame, with the real network of the store.
final class SharedForwardPassTests: XCTestCase {
    private func networks() throws -> TrackerNetworks {
        return try requireModel { try TrackerNetworks.shared() }
    }

    private func scene() -> TrackedScene {
        var scene = TrackedScene()
        scene.width = 480
        scene.height = 360
        return scene
    }

    func testPlacesFarFromTheEdgesAreSeenAsAlone() throws {
        let networks = try networks()
        let frame = try scene().frame(TrackedScene.Pose(x: 220, y: 180))
        // At whole positions of the view and at its scale, so that nothing moves.
        let requested = [(192.0, 176.0), (240.0, 176.0)].map { x, y in
            ImagePatch(centre: SIMD2(x, y), side: 256, size: TrackerGraphs.searchSide)
        }
        let view = try XCTUnwrap(SharedView.views(of: requested, width: frame.width, height: frame.height).first)
        let fill = try ImagePatch.meanColour(of: frame)
        for threads in [1, 2, 5] {
            let together = try networks.features(
                rows: view.rows, columns: view.columns, threads: threads,
                fill: { try view.patch.write(frame, fill: fill, to: $0) },
                read: { map in view.members.map { view.features(of: $0, in: map) } })
            for (window, features) in zip(requested, together) {
                let alone = try SearchWindow(window, in: frame, fill: fill, networks).features
                var difference: Float = 0, size: Float = 0, outside: Float = 0
                for position in 0..<256 {
                    for channel in 0..<64 {
                        let index = position * 64 + channel
                        let here = abs(alone[index] - features[index])
                        if (6...9).contains(position / 16), (6...9).contains(position % 16) {
                            difference = max(difference, here)
                            size = max(size, abs(alone[index]))
                        } else {
                            outside = max(outside, here)
                        }
                    }
                }
                XCTAssertLessThan(difference, 1e-3 * size, "the network sees less than 80 pixels to each side")
                XCTAssertGreaterThan(outside, 1e-2 * size, "at the edges there is more to see together")
            }
        }
    }

    func testTrackersFindTogetherWhatTheyFindAlone() throws {
        let networks = try networks()
        let scene = scene()
        func pose(_ index: Int) -> TrackedScene.Pose {
            TrackedScene.Pose(x: 150 + 6 * Double(index), y: 120 + 4 * Double(index))
        }
        // All of the same thing, boxed with more and less care.
        let first = scene.box(pose(0))
        let boxes = [(0.0, 0.0, 1.0), (0.06, 0.02, 1.06), (-0.05, 0.04, 0.95), (0.02, -0.06, 1.0)].map { x, y, size in
            PixelRegion(
                x: first.x + x * first.width, y: first.y + y * first.height, width: first.width * size,
                height: first.height * size)
        }
        let start = try scene.frame(pose(0))
        func trackers() throws -> [LearnedTracker] {
            try boxes.map { try LearnedTracker(frame: start, box: $0, networks: networks) }
        }
        let (alone, together) = (try trackers(), try trackers())
        var overlaps = (together: 0.0, alone: 0.0)
        for index in 1...15 {
            let frame = try scene.frame(pose(index))
            let passes = SharedForwardPass.passes(of: together, width: frame.width, height: frame.height)
            XCTAssertEqual(passes.map { $0.trackers.sorted() }, [[0, 1, 2, 3]], "frame \(index)")
            var seen = [SearchWindow?](repeating: nil, count: together.count)
            for pass in passes {
                for (tracker, window) in zip(pass.trackers, try pass.run(in: frame, threads: 2)) {
                    seen[tracker] = window
                }
            }
            let truth = scene.box(pose(index))
            for (number, seen) in seen.enumerated() {
                let found = try together[number].update(frame: frame, features: seen)
                let expected = try alone[number].update(frame: frame)
                // A position is 16 pixels of the patch, six of the frame, and windows move by up to half of that.
                XCTAssertGreaterThan(found.box.overlap(expected.box), 0.7, "tracker \(number), frame \(index)")
                XCTAssertEqual(found.confidence, expected.confidence, accuracy: 0.1)
                overlaps.together += found.box.overlap(truth)
                overlaps.alone += expected.box.overlap(truth)
            }
        }
        XCTAssertGreaterThan(overlaps.together / 60, overlaps.alone / 60 - 0.04)
    }

    func testAnOldForwardPassIsNotUsedForANewWindow() throws {
        let networks = try networks()
        let scene = scene()
        let start = try scene.frame(TrackedScene.Pose(x: 150, y: 120))
        let box = scene.box(TrackedScene.Pose(x: 150, y: 120))
        let trackers = try (0..<2).map { _ in try LearnedTracker(frame: start, box: box, networks: networks) }
        let pass = try XCTUnwrap(SharedForwardPass.passes(of: trackers, width: start.width, height: start.height).first)
        let seen = try pass.run(in: start, threads: 1)
        let moved = try scene.frame(TrackedScene.Pose(x: 158, y: 120))
        let expected = try trackers[0].update(frame: moved)
        _ = try trackers[1].update(frame: moved)
        // Both want another window now, so each runs a pass of its own.
        let next = try scene.frame(TrackedScene.Pose(x: 166, y: 120))
        XCTAssertGreaterThan(expected.box.x, box.x)
        XCTAssertEqual(
            try trackers[0].update(frame: next, features: seen[0]).box, try trackers[1].update(frame: next).box)
    }
}
