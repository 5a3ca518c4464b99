import VisionImage
import XCTest

@testable import VisionAlgorithms

final class QuadCredibilityTests: XCTestCase {
    private func quad(_ corners: [(Double, Double)]) -> PlanarQuad {
        let points = corners.map { PlanarPoint(x: $0.0, y: $0.1) }
        return PlanarQuad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
    }

    private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PlanarQuad {
        quad([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    }

    // MARK: Quads

    func testOrdinaryViewsHaveFullCredit() {
        for view in [
            PlanarScene.start, PlanarScene.quad(14), box(10, 10, 200, 14), box(10, 10, 14, 200), box(5, 5, 6, 6),
            quad([(100, 40), (220, 90), (220, 150), (100, 200)]), quad([(160, 20), (260, 120), (160, 220), (60, 120)]),
        ] { XCTAssertEqual(view.credibility, 1, "\(view)") }
    }

    func testDegenerateQuadsHaveLittleCredit() {
        for view in [
            box(10, 10, 300, 3), box(10, 10, 0.5, 0.5), quad([(10, 10), (90, 10), (10, 90), (90, 90)]),
            quad([(10, 10), (90, 10), (30, 30), (10, 90)]), quad([(10, 10), (200, 12), (390, 10), (200, 11)]),
            quad([(0, 0), (300, 0), (301, 100), (299, 99)]), quad([(.nan, 10), (90, 10), (90, 90), (10, 90)]),
        ] { XCTAssertLessThan(view.credibility, 0.2, "\(view)") }
    }

    func testTheVisibleShareIsTheClippedArea() {
        XCTAssertEqual(box(-50, -50, 100, 100).visibleShare(width: 320, height: 240), 0.25, accuracy: 1e-12)
        XCTAssertEqual(box(-320, -240, 960, 720).visibleShare(width: 320, height: 240), 1.0 / 9, accuracy: 1e-12)
        XCTAssertEqual(box(10, 10, 50, 60).visibleShare(width: 320, height: 240), 1, accuracy: 1e-12)
        XCTAssertEqual(box(-90, 10, 50, 60).visibleShare(width: 320, height: 240), 0)
        let diamond = quad([(0, -10), (10, 0), (0, 10), (-10, 0)])
        XCTAssertEqual(diamond.visibleShare(width: 320, height: 240), 0.25, accuracy: 1e-12)
    }

    func testQuadsOutsideOfTheFrameOrSeenFromBehindHaveLittleCredit() {
        let start = (area: PlanarScene.start.area, visibleShare: 1.0)
        func credit(_ view: PlanarQuad) -> Double { view.credibility(startingAt: start, width: 320, height: 240) }
        XCTAssertEqual(credit(PlanarScene.start), 1)
        XCTAssertEqual(credit(box(-60, 20, 120, 90)), 1, "half of it is seen")
        XCTAssertLessThan(credit(box(-118, 20, 120, 90)), 0.2)
        XCTAssertLessThan(credit(box(700, 500, 120, 90)), 0.2)
        XCTAssertLessThan(credit(quad([(220, 75), (100, 75), (100, 165), (220, 165)])), 0.2, "mirrored")
        let large = box(-800, -600, 2000, 1500)
        let share = large.visibleShare(width: 320, height: 240)
        XCTAssertEqual(
            large.credibility(startingAt: (large.area, share), width: 320, height: 240), 1, "as large at the start")
    }

    // MARK: Tracking

    /// Returns the plane seen at an angle about its vertical axis: only its width changes.
    private func turned(_ part: Double) -> PlanarQuad { box(160 - 60 * part, 75, 120 * part, 90) }

    func testAStartThatIsNearlyEdgeOnGivesLowConfidence() throws {
        let scene = PlanarScene()
        for (part, isSeen) in [(1.0, true), (0.5, true), (0.012, false)] {
            let tracker = try QuadTracker(frame: scene.frame(turned(part)), quad: turned(part), level: .accurate)
            for _ in 0..<3 {
                let found = try tracker.update(frame: scene.frame(turned(part)))
                if isSeen {
                    XCTAssertGreaterThan(found.confidence, 0.7, "\(part)")
                } else {
                    XCTAssertLessThan(found.confidence, 0.2, "\(part)")
                }
            }
        }
    }

    func testAPlaneThatLeavesTheFrameLosesItsConfidence() throws {
        let scene = PlanarScene()
        let tracker = try QuadTracker(frame: scene.frame(PlanarScene.start), quad: PlanarScene.start, level: .fast)
        var confidences: [Float] = []
        for step in 1...34 {
            confidences.append(
                try tracker.update(frame: scene.frame(box(100 - 7 * Double(step), 75, 120, 90))).confidence)
        }
        XCTAssertGreaterThan(confidences[10], 0.7, "the whole of it is seen")
        XCTAssertLessThan(confidences.suffix(3).max() ?? 1, 0.5, "nothing of it is seen")
    }
}
