import VisionImage
import XCTest

@testable import VisionAlgorithms

final class TrackingCorrelationTrackerTests: XCTestCase {
    // MARK: Tracking

    func testATargetThatMovesSteadilyIsTrackedWithinAPixel() throws {
        let scene = TrackingScene()
        let tracker = try CorrelationTracker(frame: scene.frame(x: 60, y: 50), box: scene.box(x: 60, y: 50))
        for index in 1...40 {
            let x = 60 + 2.3 * Double(index), y = 50 + 1.1 * Double(index)
            let result = try tracker.update(frame: scene.frame(x: x, y: y))
            let wanted = scene.box(x: x, y: y)
            XCTAssertEqual(result.box.x + result.box.width / 2, wanted.x + wanted.width / 2, accuracy: 1)
            XCTAssertEqual(result.box.y + result.box.height / 2, wanted.y + wanted.height / 2, accuracy: 1)
            XCTAssertGreaterThan(result.confidence, 0.5)
        }
    }

    func testATargetThatJumpsByItsOwnSizeIsFound() throws {
        let scene = TrackingScene()
        let tracker = try CorrelationTracker(frame: scene.frame(x: 100, y: 80), box: scene.box(x: 100, y: 80))
        let result = try tracker.update(frame: scene.frame(x: 138, y: 62))
        XCTAssertEqual(result.box.x, scene.box(x: 138, y: 62).x, accuracy: 2.5)
        XCTAssertEqual(result.box.y, scene.box(x: 138, y: 62).y, accuracy: 2.5)
    }

    func testTheBoxGrowsAndShrinksWithTheTarget() throws {
        for rate in [1.01, 0.99] {
            let scene = TrackingScene()
            let tracker = try CorrelationTracker(frame: scene.frame(x: 120, y: 90), box: scene.box(x: 120, y: 90))
            var scale = 1.0
            var box = scene.box(x: 120, y: 90)
            for _ in 1...30 {
                scale *= rate
                box = try tracker.update(frame: scene.frame(x: 120, y: 90, scale: scale)).box
            }
            XCTAssertEqual(box.width / scene.size, scale, accuracy: 0.08)
        }
    }

    func testSixteenTrackersInOneFrameTrackTheirOwnTargets() throws {
        let width = 480, height = 400
        func frame(_ step: Double) throws -> Raster {
            try greyFrame(width, height) { x, y in
                // Every square has its own texture.
                let column: Int = min(3, x / 120)
                let row: Int = min(3, y / 100)
                let u = Double(x) - Double(column * 120 + 40) - step
                let v = Double(y) - Double(row * 100 + 35) + step / 2
                let isOnSquare = u >= 0 && v >= 0 && u < 32 && v < 32
                if isOnSquare { return texture(u, v, seed: UInt64(row * 4 + column + 1)) }
                return texture(Double(x), Double(y), seed: 99) / 3
            }
        }
        let first = try frame(0)
        func targetBox(_ index: Int, _ step: Double) -> PixelRegion {
            let left: Int = index % 4 * 120 + 40
            let top: Int = index / 4 * 100 + 35
            return PixelRegion(x: Double(left) + step, y: Double(top) - step / 2, width: 32, height: 32)
        }
        var trackers: [CorrelationTracker] = []
        for index in 0..<16 { trackers.append(try CorrelationTracker(frame: first, box: targetBox(index, 0))) }
        for step in stride(from: 1.5, through: 15, by: 1.5) {
            let next = try frame(step)
            for (index, tracker) in trackers.enumerated() {
                let box = try tracker.update(frame: next).box
                XCTAssertEqual(box.x, targetBox(index, step).x, accuracy: 2.5)
                XCTAssertEqual(box.y, targetBox(index, step).y, accuracy: 2.5)
            }
        }
    }

    func testTheSameFramesGiveTheSameBits() throws {
        let scene = TrackingScene()
        func run() throws -> [PixelRegion] {
            let tracker = try CorrelationTracker(frame: scene.frame(x: 60, y: 60), box: scene.box(x: 60, y: 60))
            return try (1...8).map { try tracker.update(frame: scene.frame(x: 60 + Double($0) * 3, y: 60)).box }
        }
        XCTAssertEqual(try run(), try run())
    }

    // MARK: Confidence

    func testConfidenceFallsWhenTheTargetIsGoneAndRisesWhenItReturns() throws {
        let scene = TrackingScene()
        let tracker = try CorrelationTracker(frame: scene.frame(x: 100, y: 80), box: scene.box(x: 100, y: 80))
        for _ in 0..<5 {
            XCTAssertGreaterThan(try tracker.update(frame: scene.frame(x: 100, y: 80)).confidence, 0.5)
        }
        for _ in 0..<5 {
            XCTAssertLessThan(try tracker.update(frame: scene.frame(x: nil, y: 0)).confidence, 0.5)
        }
        let back = try (0..<5).map { _ in try tracker.update(frame: scene.frame(x: 100, y: 80)) }
        XCTAssertGreaterThan(back[4].confidence, 0.5)
        XCTAssertEqual(back[4].box.x, scene.box(x: 100, y: 80).x, accuracy: 3)
    }

    func testFlatFramesGiveLowConfidenceAndFiniteBoxes() throws {
        for level in [UInt8(0), 128, 255] {
            let flat = try greyFrame(160, 120) { _, _ in Double(level) }
            let tracker = try CorrelationTracker(frame: flat, box: PixelRegion(x: 50, y: 40, width: 30, height: 20))
            for _ in 0..<3 { assertSoundTrack(try tracker.update(frame: flat), confidenceBelow: 0.5) }
        }
        let scene = TrackingScene()
        let tracker = try CorrelationTracker(frame: scene.frame(x: 100, y: 80), box: scene.box(x: 100, y: 80))
        assertSoundTrack(
            try tracker.update(frame: greyFrame(320, 240) { _, _ in 0 }), confidenceBelow: 0.5)
    }

    // MARK: Edge cases

    func testTargetsOfAnySizeAndPositionGiveFiniteBoxes() throws {
        let scene = TrackingScene()
        let boxes = [
            PixelRegion(x: 100, y: 80, width: 0.5, height: 0.25), PixelRegion(x: 100, y: 80, width: 3, height: 5),
            PixelRegion(x: -400, y: -300, width: 2000, height: 1500),
            PixelRegion(x: -20, y: -10, width: 40, height: 30),
            PixelRegion(x: 310, y: 230, width: 90, height: 80), PixelRegion(x: 0, y: 100, width: 320, height: 1),
            PixelRegion(x: 160, y: 0, width: 1, height: 240), PixelRegion(x: -1e8, y: -1e8, width: 1e9, height: 1e9),
        ]
        for box in boxes {
            let tracker = try CorrelationTracker(frame: scene.frame(x: 100, y: 80), box: box)
            for step in 1...3 {
                assertSoundTrack(try tracker.update(frame: scene.frame(x: 100 + Double(step), y: 80)), "\(box)")
            }
        }
    }

    func testFramesMayChangeTheirSizeAndBeTiny() throws {
        let scene = TrackingScene()
        let tracker = try CorrelationTracker(frame: scene.frame(x: 280, y: 200), box: scene.box(x: 280, y: 200))
        for (width, height) in [(320, 240), (64, 48), (1, 1), (1, 200), (200, 1), (640, 480)] {
            let frame = try greyFrame(width, height) { x, y in texture(Double(x), Double(y), seed: 5) }
            let result = try tracker.update(frame: frame)
            assertSoundTrack(result)
            XCTAssertLessThanOrEqual(result.box.x + result.box.width / 2, Double(width))
            XCTAssertLessThanOrEqual(result.box.y + result.box.height / 2, Double(height))
        }
        let tiny = try greyFrame(1, 1) { _, _ in 77 }
        let small = try CorrelationTracker(frame: tiny, box: PixelRegion(x: 0, y: 0, width: 1, height: 1))
        assertSoundTrack(try small.update(frame: tiny))
    }

    func testABoxWithoutAreaThrows() throws {
        let frame = TrackingScene().frame(x: 100, y: 80)
        for box in [
            PixelRegion(x: 10, y: 10, width: 0, height: 5), PixelRegion(x: 10, y: 10, width: 5, height: -1),
            PixelRegion(x: 10, y: 10, width: .nan, height: 5), PixelRegion(x: .infinity, y: 0, width: 5, height: 5),
            PixelRegion(x: 400, y: 10, width: 5, height: 5), PixelRegion(x: -5, y: 10, width: 5, height: 5),
        ] {
            XCTAssertThrowsError(try CorrelationTracker(frame: frame, box: box), "\(box)") { error in
                guard case TrackingError.invalidBox = error else { return XCTFail("\(error)") }
            }
        }
    }

    func testFramesInColourAreTrackedByTheirGrey() throws {
        let scene = TrackingScene()
        func box(_ format: Raster.Format) throws -> PixelRegion {
            let tracker = try CorrelationTracker(
                frame: try scene.frame(x: 60, y: 60).converted(to: format), box: scene.box(x: 60, y: 60))
            return try tracker.update(frame: scene.frame(x: 64, y: 61).converted(to: format)).box
        }
        XCTAssertEqual(try box(.rgb8), try box(.grey8))
    }
}
