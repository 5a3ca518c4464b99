import VisionImage
import XCTest

@testable import VisionAlgorithms

final class TrackingCorrelationTrackerTests: XCTestCase {
    // MARK: Following

    func testATargetThatMovesSteadilyIsFollowedBelowAPixel() throws {
        let scene = Scene()
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
        let scene = Scene()
        let tracker = try CorrelationTracker(frame: scene.frame(x: 100, y: 80), box: scene.box(x: 100, y: 80))
        let result = try tracker.update(frame: scene.frame(x: 138, y: 62))
        XCTAssertEqual(result.box.x, scene.box(x: 138, y: 62).x, accuracy: 2.5)
        XCTAssertEqual(result.box.y, scene.box(x: 138, y: 62).y, accuracy: 2.5)
    }

    func testTheBoxGrowsAndShrinksWithTheTarget() throws {
        for rate in [1.01, 0.99] {
            let scene = Scene()
            let tracker = try CorrelationTracker(frame: scene.frame(x: 120, y: 90), box: scene.box(x: 120, y: 90))
            var scale = 1.0
            var box = tracker.box
            for _ in 1...30 {
                scale *= rate
                box = try tracker.update(frame: scene.frame(x: 120, y: 90, scale: scale)).box
            }
            XCTAssertEqual(box.width / scene.size, scale, accuracy: 0.08)
        }
    }

    func testSixteenTrackersInOneFrameFollowTheirOwnTargets() throws {
        let width = 480, height = 400
        func frame(_ step: Double) throws -> Raster {
            try grey(width, height) { x, y in
                // Every square has a texture of its own.
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
        func place(_ index: Int, _ step: Double) -> PixelRegion {
            let left: Int = index % 4 * 120 + 40
            let top: Int = index / 4 * 100 + 35
            return PixelRegion(x: Double(left) + step, y: Double(top) - step / 2, width: 32, height: 32)
        }
        var trackers: [CorrelationTracker] = []
        for index in 0..<16 { trackers.append(try CorrelationTracker(frame: first, box: place(index, 0))) }
        for step in stride(from: 1.5, through: 15, by: 1.5) {
            let next = try frame(step)
            for (index, tracker) in trackers.enumerated() {
                let box = try tracker.update(frame: next).box
                XCTAssertEqual(box.x, place(index, step).x, accuracy: 2.5)
                XCTAssertEqual(box.y, place(index, step).y, accuracy: 2.5)
            }
        }
    }

    func testTheSameFramesGiveTheSameBits() throws {
        let scene = Scene()
        func run() throws -> [PixelRegion] {
            let tracker = try CorrelationTracker(frame: scene.frame(x: 60, y: 60), box: scene.box(x: 60, y: 60))
            return try (1...8).map { try tracker.update(frame: scene.frame(x: 60 + Double($0) * 3, y: 60)).box }
        }
        XCTAssertEqual(try run(), try run())
    }

    // MARK: Confidence

    func testConfidenceFallsWhenTheTargetIsGoneAndComesBackWithIt() throws {
        let scene = Scene()
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
            let flat = try grey(160, 120) { _, _ in Double(level) }
            let tracker = try CorrelationTracker(frame: flat, box: PixelRegion(x: 50, y: 40, width: 30, height: 20))
            for _ in 0..<3 { assertSound(try tracker.update(frame: flat), confidenceBelow: 0.5) }
        }
        let scene = Scene()
        let tracker = try CorrelationTracker(frame: scene.frame(x: 100, y: 80), box: scene.box(x: 100, y: 80))
        assertSound(
            try tracker.update(frame: grey(320, 240) { _, _ in 0 }), confidenceBelow: 0.5)
    }

    // MARK: Odd input

    func testTargetsOfAnySizeAndPlaceGiveFiniteBoxes() throws {
        let scene = Scene()
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
                assertSound(try tracker.update(frame: scene.frame(x: 100 + Double(step), y: 80)), "\(box)")
            }
        }
    }

    func testFramesMayChangeTheirSizeAndBeTiny() throws {
        let scene = Scene()
        let tracker = try CorrelationTracker(frame: scene.frame(x: 280, y: 200), box: scene.box(x: 280, y: 200))
        for (width, height) in [(320, 240), (64, 48), (1, 1), (1, 200), (200, 1), (640, 480)] {
            let frame = try grey(width, height) { x, y in texture(Double(x), Double(y), seed: 5) }
            let result = try tracker.update(frame: frame)
            assertSound(result)
            XCTAssertLessThanOrEqual(result.box.x + result.box.width / 2, Double(width))
            XCTAssertLessThanOrEqual(result.box.y + result.box.height / 2, Double(height))
        }
        let tiny = try grey(1, 1) { _, _ in 77 }
        let small = try CorrelationTracker(frame: tiny, box: PixelRegion(x: 0, y: 0, width: 1, height: 1))
        assertSound(try small.update(frame: tiny))
    }

    func testABoxWithoutAreaIsRefused() throws {
        let frame = Scene().frame(x: 100, y: 80)
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

    func testFramesThatAreNotGreyAreRefused() throws {
        let colour = try Raster(width: 8, height: 8, format: .rgb8) { pixels, rowBytes in
            pixels.initializeMemory(as: UInt8.self, repeating: 9, count: rowBytes * 8)
        }
        XCTAssertThrowsError(
            try CorrelationTracker(frame: colour, box: PixelRegion(x: 0, y: 0, width: 4, height: 4))
        ) { error in
            guard case TrackingError.unsupportedFrame = error else { return XCTFail("\(error)") }
        }
    }
}

// MARK: - Scenes

/// A textured square in front of a fainter texture.
private struct Scene {
    let size = 40.0

    func box(x: Double, y: Double) -> PixelRegion { PixelRegion(x: x, y: y, width: size, height: size) }

    /// The square with its top left at (x, y) before it is scaled about its middle; none where x is nil.
    func frame(x: Double?, y: Double, scale: Double = 1) -> Raster {
        do {
            return try grey(320, 240) { column, row in
                let ground = 60 + texture(Double(column), Double(row), seed: 3) / 4
                guard let x else { return ground }
                let u = (Double(column) - x - size / 2) / scale + size / 2
                let v = (Double(row) - y - size / 2) / scale + size / 2
                return u >= 0 && v >= 0 && u < size && v < size ? texture(u, v, seed: 7) : ground
            }
        } catch {
            preconditionFailure("No memory for a frame: \(error)")
        }
    }
}

/// Smooth noise, 0 ... 255, with details of about six pixels.
private func texture(_ x: Double, _ y: Double, seed: UInt64) -> Double {
    let u = x / 6, v = y / 6
    let column = Int(u.rounded(.down)), row = Int(v.rounded(.down))
    let s = u - Double(column), t = v - Double(row)
    let top = noise(column, row, seed) * (1 - s) + noise(column + 1, row, seed) * s
    let bottom = noise(column, row + 1, seed) * (1 - s) + noise(column + 1, row + 1, seed) * s
    return top * (1 - t) + bottom * t
}

private func noise(_ column: Int, _ row: Int, _ seed: UInt64) -> Double {
    var bits = UInt64(truncatingIfNeeded: column &* 73_856_093 ^ row &* 19_349_663)
    bits = bits &+ seed &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) & 0xFF)
}

private func grey(_ width: Int, _ height: Int, value: (Int, Int) -> Double) throws -> Raster {
    try Raster(width: width, height: height, format: .grey8) { pixels, rowBytes in
        for y in 0..<height {
            for x in 0..<width {
                pixels.storeBytes(
                    of: UInt8(max(0, min(255, value(x, y)))), toByteOffset: y * rowBytes + x, as: UInt8.self)
            }
        }
    }
}

private func assertSound(
    _ result: (box: PixelRegion, confidence: Float), _ message: String = "", confidenceBelow limit: Float = 1.0001,
    line: UInt = #line
) {
    XCTAssertTrue(result.box.isFinite, message, line: line)
    XCTAssertGreaterThan(result.box.width, 0, message, line: line)
    XCTAssertGreaterThan(result.box.height, 0, message, line: line)
    XCTAssertGreaterThanOrEqual(result.confidence, 0, message, line: line)
    XCTAssertLessThan(result.confidence, limit, message, line: line)
}
