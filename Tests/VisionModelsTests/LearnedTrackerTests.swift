import ModelTestSupport
import Foundation
import VisionAlgorithms
import VisionImage
import VisionInference
import XCTest

@testable import VisionModels

/// With the real network of the store, as in `InstalledModelTests`.
final class LearnedTrackerTests: XCTestCase {
    private func networks() throws -> TrackerNetworks {
        return try requireModel { try TrackerNetworks.shared() }
    }

    private typealias Pose = TrackedScene.Pose

    // MARK: Following

    func testSidesStayBetweenAFewPixelsAndTheFrameUnlessTheyBeganBeyond() {
        XCTAssertEqual(LearnedTracker.limited(3, first: 40, 640), 4)
        XCTAssertEqual(LearnedTracker.limited(700, first: 40, 640), 640)
        XCTAssertEqual(LearnedTracker.limited(50, first: 40, 640), 50)
        XCTAssertEqual(LearnedTracker.limited(2.5, first: 2, 640), 2.5, "what has grown a little may shrink again")
        XCTAssertEqual(LearnedTracker.limited(1, first: 2, 640), 2)
        XCTAssertEqual(LearnedTracker.limited(700, first: 800, 640), 700)
    }

    func testAMovingTargetIsFollowed() throws {
        let scene = TrackedScene()
        let tracker = try LearnedTracker(
            frame: scene.frame(Pose(x: 60, y: 60)), box: scene.box(Pose(x: 60, y: 60)), networks: networks())
        for index in 1...25 {
            let pose = Pose(x: 60 + 7 * Double(index), y: 60 + 4 * Double(index))
            let found = try tracker.update(frame: scene.frame(pose))
            XCTAssertGreaterThan(found.box.overlap(scene.box(pose)), 0.6, "frame \(index)")
            XCTAssertGreaterThan(found.confidence, 0.5, "frame \(index)")
        }
    }

    func testTheBoxFollowsSizeAndAspect() throws {
        let scene = TrackedScene()
        for (scale, stretch) in [(1.03, 1.0), (0.975, 1.0), (1.0, 1.025), (1.0, 0.975)] {
            var pose = Pose(x: 160, y: 120)
            let tracker = try LearnedTracker(
                frame: scene.frame(pose), box: scene.box(pose), networks: networks())
            var found = scene.box(pose)
            for _ in 1...20 {
                pose.scale *= scale
                pose.stretch *= stretch
                found = try tracker.update(frame: scene.frame(pose)).box
            }
            XCTAssertGreaterThan(found.overlap(scene.box(pose)), 0.7, "\(scale), \(stretch)")
        }
    }

    // MARK: Loss and return

    func testAHiddenTargetIsReportedAndFoundAgainWhereItComesOut() throws {
        let scene = TrackedScene()
        let start = Pose(x: 80, y: 120)
        let tracker = try LearnedTracker(
            frame: scene.frame(start), box: scene.box(start), networks: networks())
        for index in 1...10 { _ = try tracker.update(frame: scene.frame(Pose(x: 80 + 3 * Double(index), y: 120))) }
        for index in 11...25 {
            let found = try tracker.update(frame: scene.frame(Pose(x: 80 + 3 * Double(index), y: 120, isHidden: true)))
            XCTAssertLessThan(found.confidence, 0.3, "frame \(index)")
        }
        var last: (box: PixelRegion, confidence: Float)?
        let end = Pose(x: 170, y: 120)
        for _ in 26...30 { last = try tracker.update(frame: scene.frame(end)) }
        XCTAssertGreaterThan(last?.confidence ?? 0, 0.5)
        XCTAssertGreaterThan(last?.box.overlap(scene.box(end)) ?? 0, 0.6)
    }

    func testATargetThatComesBackElsewhereIsFoundAgain() throws {
        var scene = TrackedScene()
        scene.width = 480
        scene.height = 360
        let start = Pose(x: 90, y: 90)
        let tracker = try LearnedTracker(
            frame: scene.frame(start), box: scene.box(start), networks: networks())
        for _ in 0..<3 { _ = try tracker.update(frame: scene.frame(start)) }
        for _ in 0..<12 { _ = try tracker.update(frame: scene.frame(Pose(x: 90, y: 90, isHidden: true))) }
        let elsewhere = Pose(x: 380, y: 270)
        var last: (box: PixelRegion, confidence: Float)?
        for _ in 0..<30 { last = try tracker.update(frame: scene.frame(elsewhere)) }
        XCTAssertGreaterThan(last?.confidence ?? 0, 0.5)
        XCTAssertGreaterThan(last?.box.overlap(scene.box(elsewhere)) ?? 0, 0.6)
    }

    // MARK: Determinism

    func testTheSameFramesGiveTheSameBitsInEveryLayoutOfPixels() throws {
        let scene = TrackedScene()
        func run(_ format: Raster.Format) throws -> [PixelRegion] {
            let tracker = try LearnedTracker(
                frame: scene.frame(Pose(x: 60, y: 60)).converted(to: format), box: scene.box(Pose(x: 60, y: 60)),
                networks: networks())
            return try (1...5).map { index in
                try tracker.update(
                    frame: scene.frame(Pose(x: 60 + 5 * Double(index), y: 60)).converted(to: format)
                ).box
            }
        }
        let expected = try run(.rgb8)
        XCTAssertEqual(try run(.rgb8), expected)
        XCTAssertEqual(try run(.bgra8), expected)
    }

    // MARK: Odd input

    func testOddTargetsAndFramesGiveFiniteBoxes() throws {
        let scene = TrackedScene()
        let frame = try scene.frame(Pose(x: 160, y: 120))
        let boxes = [
            PixelRegion(x: 100, y: 100, width: 1e-9, height: 3), PixelRegion(x: 100, y: 100, width: 2, height: 90),
            PixelRegion(x: -500, y: -500, width: 2000, height: 2000), PixelRegion(x: -20, y: 50, width: 40, height: 40),
            PixelRegion(x: 310, y: 230, width: 60, height: 60), PixelRegion(x: -1e12, y: 0, width: 2e12, height: 9),
        ]
        let black = try Raster(width: scene.width, height: scene.height, format: .grey8) { pixels, rowBytes in
            for index in 0..<rowBytes * scene.height { pixels.storeBytes(of: 0, toByteOffset: index, as: UInt8.self) }
        }
        for box in boxes {
            let tracker = try LearnedTracker(frame: frame, box: box, networks: networks())
            for index in 0..<8 {
                let found = try tracker.update(frame: index % 2 == 0 ? black : frame)
                XCTAssertTrue(found.box.isFinite, "\(box)")
                XCTAssertGreaterThan(found.box.width, 0, "\(box)")
                XCTAssertGreaterThan(found.box.height, 0, "\(box)")
                XCTAssertTrue((0...1).contains(found.confidence), "\(box)")
            }
        }
    }

    func testAFrameOfOnePixelCanBeTracked() throws {
        let dot = try Raster(width: 1, height: 1, format: .grey8) { pixels, _ in
            pixels.storeBytes(of: 90, as: UInt8.self)
        }
        let tracker = try LearnedTracker(
            frame: dot, box: PixelRegion(x: 0, y: 0, width: 1, height: 1), networks: networks())
        for _ in 0..<7 { XCTAssertTrue(try tracker.update(frame: dot).box.isFinite) }
    }

    func testABlackFrameLosesTheTarget() throws {
        let scene = TrackedScene()
        let pose = Pose(x: 160, y: 120)
        let tracker = try LearnedTracker(frame: scene.frame(pose), box: scene.box(pose), networks: networks())
        let black = try Raster(width: scene.width, height: scene.height, format: .grey8) { pixels, rowBytes in
            for index in 0..<rowBytes * scene.height { pixels.storeBytes(of: 0, toByteOffset: index, as: UInt8.self) }
        }
        for _ in 0..<3 { XCTAssertLessThan(try tracker.update(frame: black).confidence, 0.3) }
        _ = try tracker.update(frame: scene.frame(pose))
        XCTAssertGreaterThan(try tracker.update(frame: scene.frame(pose)).confidence, 0.5)
    }

    func testBoxesWithoutAreaOrOutsideAreRefused() throws {
        let scene = TrackedScene()
        let frame = try scene.frame(Pose(x: 160, y: 120))
        for box in [
            PixelRegion(x: 10, y: 10, width: 0, height: 20), PixelRegion(x: 10, y: 10, width: 20, height: -1),
            PixelRegion(x: .nan, y: 10, width: 20, height: 20), PixelRegion(x: 400, y: 10, width: 20, height: 20),
        ] {
            XCTAssertThrowsError(try LearnedTracker(frame: frame, box: box, networks: networks())) { error in
                XCTAssertTrue(error is TrackingError, "\(error)")
            }
        }
    }

    // MARK: Weights

    func testNetworksInEachOthersPlacesAreRefused() throws {
        let url = try { () throws -> URL in
            return try requireModel { try InstalledModels().url(for: "efficientnet-lite0") }
        }()
        let lite0 = try ONNXModel(contentsOf: url)
        XCTAssertThrowsError(try TrackerGraphs(lite0: lite0) { _ in try BuiltInNetwork.faceVerifier.model() })
        XCTAssertNoThrow(try TrackerGraphs(lite0: lite0))
    }

    func testANetworkOfOtherLayersIsRefused() {
        XCTAssertThrowsError(try TrackerNetworks(lite0: ONNXModel())) { error in
            guard (error as? ModelError)?.kind == .invalid else { return XCTFail("\(error)") }
        }
    }
}
