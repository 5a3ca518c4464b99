import VisionImage
import XCTest

@testable import VisionAlgorithms

final class BoxPresenceTests: XCTestCase {
    private let scene = TrackingScene()

    /// Calls `body` with the window that an accurate tracker samples around the target's box at (x, y).
    private func withWindow<Result>(
        of frame: Raster, x: Double, y: Double, _ body: (TranslationFilter, TrackingWorkspace.Window) throws -> Result
    ) throws -> Result {
        let filter = try TranslationFilter(width: scene.size, height: scene.size, settings: .accurate)
        return try filter.workspaces.with { space in
            let pixels = FramePixels(
                frame: frame, space: space,
                colour: try frame.colour(covering: PixelRegion(width: frame.width, height: frame.height)))
            try filter.sample(pixels, at: TargetState(scene.box(x: x, y: y), in: frame))
            return try body(filter, space.window)
        }
    }

    private func presence() throws -> BoxPresence {
        try withWindow(of: scene.colourFrame(x: 130, y: 90), x: 130, y: 90) { filter, window in
            BoxPresence(boxes: filter.shiftedBoxes(), window: window, settings: .accurate)
        }
    }

    func testTheTargetIsPresentInItsBoxAndNowhereElse() throws {
        let presence = try presence()
        let frame = try scene.colourFrame(x: 150, y: 100)
        let there = try withWindow(of: frame, x: 150, y: 100) { _, window in
            presence.evidence(of: presence.boxes.features(of: window))
        }
        XCTAssertGreaterThan(there.presence, 0.7)
        XCTAssertLessThan(there.elsewhere, 0.4)
        let beside = try withWindow(of: frame, x: 100, y: 100) { _, window in
            presence.evidence(of: presence.boxes.features(of: window))
        }
        XCTAssertLessThan(beside.presence, 0.3)
        XCTAssertGreaterThan(beside.elsewhere, 0.6)
        XCTAssertLessThan(beside.recentPresence, there.recentPresence)
    }

    func testResponsesAreAddedWhereTheTargetIs() throws {
        let presence = try presence()
        // The target is one cell, 4 pixels, to the right and two cells below the middle of the window.
        try withWindow(of: scene.colourFrame(x: 154, y: 108), x: 150, y: 100) { _, window in
            window.merged.fill(with: 0)
            presence.add(1, to: window)
            let cells = 40
            let best = try XCTUnwrap((0..<cells * cells).max { window.merged[$0] < window.merged[$1] })
            // Boxes are two or three cells apart.
            XCTAssertEqual(best % cells < 20 ? best % cells : best % cells - cells, 1, accuracy: 2)
            XCTAssertEqual(best / cells < 20 ? best / cells : best / cells - cells, 2, accuracy: 2)
            XCTAssertGreaterThan(window.merged[best], 0.5)
            XCTAssertLessThan(window.merged[cells / 2], 0.3)
        }
    }

    func testABoxHasTheMeansOfItsQuarters() throws {
        try withWindow(of: scene.colourFrame(x: 130, y: 90), x: 130, y: 90) { _, window in
            let boxes = ShiftedBoxes(columns: 16..<24, rows: 17..<22, cells: 40)
            let features = boxes.features(of: window)
            XCTAssertEqual(features.count, boxes.overlaps.count * ShiftedBoxes.channels)
            XCTAssertEqual(boxes.overlaps[boxes.centre], 1)
            XCTAssertTrue(boxes.elsewhere.allSatisfy { boxes.overlaps[$0] <= 0.1 })
            // The second gradient direction in the upper right quarter of the box in the middle.
            var sum: Float = 0
            for row in 17..<19 {
                for column in 20..<24 {
                    let cell = row * 40 + column
                    sum += window.features[1600 + cell] / window.weights[cell]
                }
            }
            let first = boxes.centre * ShiftedBoxes.channels + ShiftedBoxes.channels / 4
            XCTAssertEqual(features[first + 1], sum / 8, accuracy: 1e-3)
        }
    }

    func testBoxesOfAnySizeFitTheWindow() {
        for (columns, rows) in [(0..<40, 0..<40), (19..<20, 3..<37), (18..<21, 18..<21)] {
            let boxes = ShiftedBoxes(columns: columns, rows: rows, cells: 40)
            XCTAssertEqual(boxes.overlaps.count, boxes.columnShifts.count * boxes.rowShifts.count)
            XCTAssertTrue(boxes.overlaps.indices.contains(boxes.centre))
        }
    }
}
