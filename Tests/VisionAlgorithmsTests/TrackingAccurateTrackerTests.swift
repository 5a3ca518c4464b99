import VisionImage
import XCTest

@testable import VisionAlgorithms

final class TrackingAccurateTrackerTests: XCTestCase {
    private let scene = TrackingScene()

    private func start(x: Double, y: Double) throws -> AccurateTracker {
        try AccurateTracker(frame: scene.colourFrame(x: x, y: y), box: scene.box(x: x, y: y))
    }

    private func overlap(_ a: PixelRegion, _ b: PixelRegion) -> Double {
        let width = max(0, min(a.x + a.width, b.x + b.width) - max(a.x, b.x))
        let height = max(0, min(a.y + a.height, b.y + b.height) - max(a.y, b.y))
        return width * height / (a.width * a.height + b.width * b.height - width * height)
    }

    // MARK: Tracking

    func testATargetThatMovesSteadilyIsTrackedWithinTwoPixels() throws {
        let tracker = try start(x: 60, y: 50)
        for index in 1...15 {
            let x = 60 + 5.3 * Double(index), y = 50 + 2.1 * Double(index)
            let result = try tracker.update(frame: scene.colourFrame(x: x, y: y))
            XCTAssertEqual(result.box.x + result.box.width / 2, x + scene.size / 2, accuracy: 2)
            XCTAssertEqual(result.box.y + result.box.height / 2, y + scene.size / 2, accuracy: 2)
            XCTAssertGreaterThan(result.confidence, 0.5)
        }
    }

    func testATargetThatRotatesInThePlaneIsTracked() throws {
        let tracker = try start(x: 120, y: 90)
        for index in 1...24 {
            let angle = Double(index) * .pi / 48
            let result = try tracker.update(frame: scene.colourFrame(x: 120, y: 90, angle: angle))
            XCTAssertGreaterThan(overlap(result.box, scene.box(x: 120, y: 90)), 0.5, "rotated by \(angle)")
        }
    }

    func testTheBoxFollowsAChangeOfTheAspectRatio() throws {
        for wider in [true, false] {
            let tracker = try start(x: 120, y: 90)
            var ratio = 1.0
            for step in 1...60 {
                let stretch = pow(wider ? 1.4 : 1 / 1.4, Double(step) / 60)
                let box = try tracker.update(frame: scene.colourFrame(x: 120, y: 90, stretch: stretch)).box
                XCTAssertEqual(box.x + box.width / 2, 120 + scene.size / 2, accuracy: 4)
                ratio = box.width / box.height
            }
            XCTAssertGreaterThan(wider ? ratio : 1 / ratio, 1.15)
        }
    }

    func testAHiddenTargetHasLowConfidenceAndIsRedetectedElsewhere() throws {
        let tracker = try start(x: 60, y: 60)
        for index in 1...8 { _ = try tracker.update(frame: scene.colourFrame(x: 60 + Double(index), y: 60)) }
        let cover = PixelRegion(x: 50, y: 40, width: 90, height: 90)
        for index in 1...15 {
            let hidden = try tracker.update(frame: scene.colourFrame(x: 70, y: 60, coveredAt: cover))
            XCTAssertTrue(hidden.box.isFinite)
            if index > 1 { XCTAssertLessThan(hidden.confidence, 0.5, "frame \(index)") }
        }
        // It reappears outside of the search window around the position where it vanished.
        var found: (box: PixelRegion, confidence: Float)?
        for _ in 1...40 {
            let result = try tracker.update(frame: scene.colourFrame(x: 250, y: 170, coveredAt: cover))
            if result.confidence > 0.5 {
                found = result
                break
            }
        }
        XCTAssertGreaterThan(overlap(try XCTUnwrap(found).box, scene.box(x: 250, y: 170)), 0.5)
    }

    func testATargetBehindAMovingOccluderIsRedetected() throws {
        let tracker = try start(x: 60, y: 60)
        for index in 1...20 { _ = try tracker.update(frame: scene.colourFrame(x: 60 + 2 * Double(index), y: 60)) }
        for index in 1...18 {
            let x = 100 + 3 * Double(index)
            let cover = PixelRegion(x: x - 8, y: 52, width: scene.size + 16, height: scene.size + 16)
            let hidden = try tracker.update(frame: scene.colourFrame(x: x, y: 60, coveredAt: cover))
            if index > 4 { XCTAssertLessThan(hidden.confidence, 0.5, "frame \(index)") }
        }
        var found = 0
        for index in 1...15 {
            let x = 154 + 3 * Double(index)
            let result = try tracker.update(frame: scene.colourFrame(x: x, y: 60))
            if overlap(result.box, scene.box(x: x, y: 60)) > 0.5, result.confidence > 0.5 { found += 1 }
        }
        XCTAssertGreaterThanOrEqual(found, 8)
    }

    func testTheSameFramesGiveTheSameBitsInEveryLayout() throws {
        func run(_ format: Raster.Format) throws -> [PixelRegion] {
            let tracker = try AccurateTracker(
                frame: scene.colourFrame(x: 60, y: 60, format: format), box: scene.box(x: 60, y: 60))
            return try (1...4).map {
                try tracker.update(frame: scene.colourFrame(x: 60 + Double($0) * 3, y: 60, format: format)).box
            }
        }
        let wanted = try run(.rgb8)
        for format in [Raster.Format.rgb8, .bgr8, .bgra8, .rgba8, .argb8] {
            XCTAssertEqual(try run(format), wanted, "\(format)")
        }
    }

    // MARK: Edge cases

    func testFlatFramesGiveLowConfidenceAndFiniteBoxes() throws {
        let tracker = try start(x: 100, y: 80)
        for _ in 0..<5 {
            assertSoundTrack(try tracker.update(frame: greyFrame(320, 240) { _, _ in 0 }), confidenceBelow: 0.5)
        }
        let flat = try greyFrame(160, 120) { _, _ in 128 }
        let blind = try AccurateTracker(frame: flat, box: PixelRegion(x: 50, y: 40, width: 30, height: 20))
        for _ in 0..<3 { assertSoundTrack(try blind.update(frame: flat)) }
    }

    func testTargetsOfAnySizeAndPositionGiveFiniteBoxes() throws {
        let boxes = [
            PixelRegion(x: 100, y: 80, width: 0.5, height: 0.25), PixelRegion(x: 100, y: 80, width: 3, height: 5),
            PixelRegion(x: -400, y: -300, width: 2000, height: 1500),
            PixelRegion(x: -20, y: -10, width: 40, height: 30), PixelRegion(x: 310, y: 230, width: 90, height: 80),
            PixelRegion(x: 0, y: 100, width: 320, height: 1), PixelRegion(x: 160, y: 0, width: 1, height: 240),
            PixelRegion(x: -1e8, y: -1e8, width: 1e9, height: 1e9),
        ]
        for box in boxes {
            let tracker = try AccurateTracker(frame: scene.colourFrame(x: 100, y: 80), box: box)
            for step in 1...2 {
                assertSoundTrack(try tracker.update(frame: scene.colourFrame(x: 100 + Double(step), y: 80)), "\(box)")
            }
            for _ in 1...4 {
                assertSoundTrack(try tracker.update(frame: greyFrame(320, 240) { _, _ in 0 }), "\(box)")
            }
        }
    }

    func testFramesMayChangeTheirSizeAndBeTiny() throws {
        let tracker = try start(x: 250, y: 180)
        for (width, height) in [(320, 240), (64, 48), (1, 1), (1, 200), (200, 1), (640, 480)] {
            assertSoundTrack(
                try tracker.update(
                    frame: greyFrame(width, height) { x, y in texture(Double(x), Double(y), seed: 5) }))
        }
    }

    func testABoxWithoutAreaThrows() throws {
        let frame = try scene.colourFrame(x: 100, y: 80)
        for box in [
            PixelRegion(x: 10, y: 10, width: 0, height: 5), PixelRegion(x: 10, y: 10, width: .nan, height: 5),
            PixelRegion(x: 400, y: 10, width: 5, height: 5),
        ] {
            XCTAssertThrowsError(try AccurateTracker(frame: frame, box: box), "\(box)") { error in
                guard case TrackingError.invalidBox = error else { return XCTFail("\(error)") }
            }
        }
    }
}
