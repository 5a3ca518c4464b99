import VisionImage
import XCTest

@testable import VisionAlgorithms

final class QuadTrackerTests: XCTestCase {
    private func tracker(
        _ scene: PlanarScene = PlanarScene(), level: QuadTracker.Level = .accurate
    ) throws -> QuadTracker {
        try QuadTracker(frame: scene.frame(PlanarScene.start), quad: PlanarScene.start, level: level)
    }

    // MARK: Tracking

    func testAPlaneInPerspectiveIsTrackedToSubpixelPrecision() throws {
        for level in [QuadTracker.Level.accurate, .fast] {
            let scene = PlanarScene(), tracker = try tracker(level: level)
            for step in 1...14 {
                let truth = PlanarScene.quad(Double(step))
                let found = try tracker.update(frame: scene.frame(truth))
                XCTAssertLessThan(found.quad.largestDistance(to: truth), 0.4, "\(level), step \(step)")
                XCTAssertGreaterThan(found.confidence, 0.7)
            }
        }
    }

    func testIlluminationMayChange() throws {
        var scene = PlanarScene()
        let tracker = try tracker()
        for step in 1...8 {
            scene.gain = 1 - 0.05 * Double(step)
            scene.offset = 4 * Double(step)
            let truth = PlanarScene.quad(Double(step))
            let found = try tracker.update(frame: scene.frame(truth))
            XCTAssertLessThan(found.quad.largestDistance(to: truth), 0.5)
        }
    }

    func testAnOccludedCornerStaysInPlace() throws {
        var scene = PlanarScene()
        let tracker = try tracker()
        for step in 1...8 {
            let truth = PlanarScene.quad(Double(step))
            // A hand enters from the right and covers a third of the plane.
            scene.cover = PixelRegion(x: 260 - 8 * Double(step), y: 60, width: 200, height: 55)
            let found = try tracker.update(frame: scene.frame(truth))
            XCTAssertLessThan(found.quad.largestDistance(to: truth), 1, "step \(step)")
        }
    }

    func testAPlainPageIsTrackedByItsBorder() throws {
        var scene = PlanarScene()
        scene.contrast = 0
        let tracker = try tracker(scene)
        for step in 1...10 {
            let truth = PlanarScene.quad(Double(step))
            let found = try tracker.update(frame: scene.frame(truth))
            XCTAssertLessThan(found.quad.largestDistance(to: truth), 1, "step \(step)")
            XCTAssertGreaterThan(found.confidence, 0.5)
        }
    }

    func testAScreenWithNewContentIsTrackedByItsBorder() throws {
        var scene = PlanarScene()
        let tracker = try tracker()
        for step in 1...12 {
            // A texture of another wavelength.
            if step == 4 { scene.seed = 100 }
            let truth = PlanarScene.quad(0.5 * Double(step))
            let found = try tracker.update(frame: scene.frame(truth))
            if step > 8 { XCTAssertLessThan(found.quad.largestDistance(to: truth), 2, "step \(step)") }
        }
    }

    func testTheConfidenceFallsWhenThePlaneIsGoneAndItIsRedetectedElsewhere() throws {
        let scene = PlanarScene(), tracker = try tracker()
        var truth = PlanarScene.quad(2)
        for step in 1...2 { _ = try tracker.update(frame: scene.frame(PlanarScene.quad(Double(step)))) }
        for _ in 0..<3 {
            let gone = try tracker.update(frame: scene.frame(nil))
            XCTAssertLessThan(gone.confidence, 0.5)
            XCTAssertLessThan(gone.quad.largestDistance(to: truth), 1, "it stays where it was")
        }
        truth = PlanarScene.quad(14)
        var found = try tracker.update(frame: scene.frame(truth))
        found = try tracker.update(frame: scene.frame(truth))
        XCTAssertGreaterThan(found.confidence, 0.5)
        XCTAssertLessThan(found.quad.largestDistance(to: truth), 1)
    }

    func testAJumpOfHalfItsSizeIsTracked() throws {
        let scene = PlanarScene(), tracker = try tracker()
        func moved(_ x: Double, _ y: Double) -> PlanarQuad {
            let (map, start) = (Homography.translation(x: x, y: y), PlanarScene.start)
            return PlanarQuad(
                topLeft: map.apply(start.topLeft), topRight: map.apply(start.topRight),
                bottomRight: map.apply(start.bottomRight), bottomLeft: map.apply(start.bottomLeft))
        }
        let found = try tracker.update(frame: scene.frame(moved(58, -31)))
        XCTAssertLessThan(found.quad.largestDistance(to: moved(58, -31)), 0.5)
    }

    func testAVideoThatChangesItsFrameSizeIsTracked() throws {
        let tracker = try tracker()
        var half = PlanarScene()
        half.width = 160
        half.height = 120
        // The same image at half the size: the texture of the plane is defined in its square.
        let truth = PlanarScene.start.corners.map { PlanarPoint(x: $0.x / 2, y: $0.y / 2) }
        let quad = PlanarQuad(topLeft: truth[0], topRight: truth[1], bottomRight: truth[2], bottomLeft: truth[3])
        let found = try tracker.update(frame: half.frame(quad))
        XCTAssertLessThan(found.quad.largestDistance(to: quad), 0.6)
        XCTAssertGreaterThan(found.confidence, 0.5)
    }

    func testTheSameFramesGiveTheSameQuads() throws {
        let scene = PlanarScene(), first = try tracker(), second = try tracker()
        for step in [1.0, 2, 9, 3] {
            let frame = try scene.frame(PlanarScene.quad(step))
            let one = try first.update(frame: frame), other = try second.update(frame: frame)
            XCTAssertEqual(one.quad, other.quad)
            XCTAssertEqual(one.confidence, other.confidence)
        }
    }

    // MARK: Edge cases

    func testInvalidQuadsThrow() throws {
        let frame = try PlanarScene().frame(nil)
        func quad(_ corners: [(Double, Double)]) -> PlanarQuad {
            let points = corners.map { PlanarPoint(x: $0.0, y: $0.1) }
            return PlanarQuad(
                topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
        }
        let wrong: [[(Double, Double)]] = [
            [(10, 10), (10, 10), (10, 10), (10, 10)],  // a point
            [(10, 10), (90, 10), (170, 10), (250, 10)],  // collinear
            [(10, 10), (90, 10), (10, 90), (90, 90)],  // self-crossing
            [(10, 10), (90, 10), (30, 30), (10, 90)],  // not convex
            [(.nan, 10), (90, 10), (90, 90), (10, 90)], [(10, 10), (.infinity, 10), (90, 90), (10, 90)],
            [(10, 10), (1e300, 10), (1e300, 90), (10, 90)],
            [(-90, 10), (-10, 10), (-10, 90), (-90, 90)],  // outside
        ]
        for corners in wrong {
            XCTAssertThrowsError(try QuadTracker(frame: frame, quad: quad(corners), level: .fast)) { error in
                guard case TrackingError.invalidQuad = error else { return XCTFail("\(error)") }
            }
        }
    }

    func testExtremePlanesAndFramesGiveFiniteResults() throws {
        let frames = try [
            PlanarScene().frame(PlanarScene.quad(3)), flat(320, 240, 0), flat(320, 240, 255), flat(1, 1, 9),
            flat(2, 1, 9),
            flat(1, 300, 3), flat(8, 8, 40), flat(333, 77, 128), PlanarScene().frame(PlanarScene.quad(1)),
        ]
        let boxes: [(Double, Double, Double, Double)] = [
            (100, 75, 120, 90), (100, 75, 3, 2), (100, 75, 0.5, 0.5), (-100, -100, 900, 700), (250, 200, 150, 150),
            (-60, 30, 61, 80), (0, 0, 320, 1), (10, 10, 2, 200),
        ]
        for (x, y, width, height) in boxes {
            let quad = PlanarQuad(
                topLeft: PlanarPoint(x: x, y: y), topRight: PlanarPoint(x: x + width, y: y),
                bottomRight: PlanarPoint(x: x + width, y: y + height), bottomLeft: PlanarPoint(x: x, y: y + height))
            let tracker = try QuadTracker(frame: frames[0], quad: quad, level: .fast)
            for frame in frames {
                let found = try tracker.update(frame: frame)
                XCTAssertTrue(found.quad.isFinite)
                XCTAssertTrue(found.quad.isConvex, "\(found.quad)")
                XCTAssertTrue(found.confidence >= 0 && found.confidence <= 1)
            }
        }
    }

    func testATrackMayStartInABlackFrame() throws {
        let tracker = try QuadTracker(frame: flat(320, 240, 0), quad: PlanarScene.start, level: .accurate)
        for frame in try [flat(320, 240, 0), PlanarScene().frame(PlanarScene.start)] {
            let found = try tracker.update(frame: frame)
            XCTAssertTrue(found.quad.isFinite)
        }
    }

    func testFramesThatAreNotGreyThrow() throws {
        let colour = try Raster(width: 32, height: 32, format: .rgb8) { pixels, rowBytes in
            for index in 0..<(32 * rowBytes) { pixels.storeBytes(of: 7, toByteOffset: index, as: UInt8.self) }
        }
        XCTAssertThrowsError(try QuadTracker(frame: colour, quad: PlanarScene.start, level: .fast))
        XCTAssertThrowsError(try tracker().update(frame: colour))
    }

    private func flat(_ width: Int, _ height: Int, _ value: UInt8) throws -> Raster {
        try Raster(width: width, height: height, format: .grey8) { pixels, rowBytes in
            for index in 0..<(height * rowBytes) { pixels.storeBytes(of: value, toByteOffset: index, as: UInt8.self) }
        }
    }
}
