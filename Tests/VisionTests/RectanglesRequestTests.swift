import Vision
import VisionImage
import XCTest

final class RectanglesRequestTests: XCTestCase {
    /// Quads of one grey each over a slope of grey; corners clockwise in pixels from the top left.
    private func frame(
        _ quads: [(corners: [CGPoint], grey: Double)], width: Int = 320, height: Int = 240
    ) -> GreyFrame {
        let shapes = quads.map { (edges: Self.edges($0.corners), grey: $0.grey) }
        return GreyFrame(width: width, height: height) { column, row in
            let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
            var value = 60 + 40 * x / Double(width)
            for shape in shapes {
                var inside = 1.0
                for edge in shape.edges {
                    inside = min(inside, edge.x * x + edge.y * y + edge.z + 0.5)
                }
                if inside > 0 { value += (shape.grey - value) * inside }
            }
            return UInt8(value.rounded())
        }
    }

    /// For each side a function for the distance of a point from it, positive inside.
    private static func edges(_ corners: [CGPoint]) -> [SIMD3<Double>] {
        corners.indices.map { index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            let (dx, dy) = (Double(b.x - a.x), Double(b.y - a.y))
            let length = (dx * dx + dy * dy).squareRoot()
            return SIMD3(-dy, dx, dy * Double(a.x) - dx * Double(a.y)) / length
        }
    }

    private func upright(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> [CGPoint] {
        [
            CGPoint(x: x, y: y), CGPoint(x: x + width, y: y), CGPoint(x: x + width, y: y + height),
            CGPoint(x: x, y: y + height),
        ]
    }

    /// A page in perspective.
    private let page = [
        CGPoint(x: 92.4, y: 58.7), CGPoint(x: 221.3, y: 71.2), CGPoint(x: 204.8, y: 183.5), CGPoint(x: 80.1, y: 164.9),
    ]

    private func find(
        _ frame: GreyFrame, orientation: CGImagePropertyOrientation = .up,
        _ change: (VNDetectRectanglesRequest) -> Void = { _ in }
    ) throws -> [VNRectangleObservation] {
        let request = VNDetectRectanglesRequest()
        request.maximumObservations = 0
        change(request)
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer(), orientation: orientation).perform([request])
        return try XCTUnwrap(request.results)
    }

    /// Clockwise from the top left, in pixels of an image from its top left.
    private func corners(_ observation: VNRectangleObservation, _ width: Int = 320, _ height: Int = 240) -> [CGPoint] {
        [observation.topLeft, observation.topRight, observation.bottomRight, observation.bottomLeft].map {
            CGPoint(x: $0.x * CGFloat(width), y: (1 - $0.y) * CGFloat(height))
        }
    }

    private func assertCorners(
        _ found: [CGPoint], _ wanted: [CGPoint], within distance: CGFloat, line: UInt = #line
    ) {
        for (a, b) in zip(found, wanted) {
            XCTAssertLessThan(hypot(a.x - b.x, a.y - b.y), distance, "\(found) is not \(wanted)", line: line)
        }
    }

    func testASideOfFewGreyLevelsIsFoundWhereTheOthersEnd() throws {
        // The background reaches 87.5 at the right side.
        let corners = upright(80, 60, 140, 100)
        let found = try find(frame([(corners, 92)]))
        XCTAssertEqual(found.count, 1)
        assertCorners(self.corners(try XCTUnwrap(found.first)), corners, within: 1)
    }

    func testDefaults() {
        let request = VNDetectRectanglesRequest()
        XCTAssertEqual(request.minimumAspectRatio, 0.5)
        XCTAssertEqual(request.maximumAspectRatio, 1)
        XCTAssertEqual(request.quadratureTolerance, 30)
        XCTAssertEqual(request.minimumSize, 0.2)
        XCTAssertEqual(request.minimumConfidence, 0)
        XCTAssertEqual(request.maximumObservations, 1)
        XCTAssertEqual(request.revision, VNDetectRectanglesRequestRevision1)
        XCTAssertEqual(VNDetectRectanglesRequest.supportedRevisions, IndexSet(integer: 1))
    }

    func testACopyHasTheParameters() throws {
        let request = VNDetectRectanglesRequest()
        request.minimumAspectRatio = 0.1
        request.maximumAspectRatio = 0.9
        request.quadratureTolerance = 12
        request.minimumSize = 0.3
        request.minimumConfidence = 0.4
        request.maximumObservations = 7
        let copy = try XCTUnwrap(request.copy() as? VNDetectRectanglesRequest)
        XCTAssertEqual(copy.minimumAspectRatio, 0.1)
        XCTAssertEqual(copy.maximumAspectRatio, 0.9)
        XCTAssertEqual(copy.quadratureTolerance, 12)
        XCTAssertEqual(copy.minimumSize, 0.3)
        XCTAssertEqual(copy.minimumConfidence, 0.4)
        XCTAssertEqual(copy.maximumObservations, 7)
    }

    func testAPageInPerspectiveIsFoundToPartsOfAPixel() throws {
        let found = try find(frame([(page, 220)]))
        XCTAssertEqual(found.count, 1)
        let observation = try XCTUnwrap(found.first)
        assertCorners(corners(observation), page, within: 0.35)
        XCTAssertGreaterThan(observation.confidence, 0.5)
        XCTAssertEqual(observation.requestRevision, 1)
        let points = [observation.topLeft, observation.topRight, observation.bottomLeft, observation.bottomRight]
        XCTAssertEqual(observation.boundingBox.minX, points.map(\.x).min())
        XCTAssertEqual(observation.boundingBox.maxY, points.map(\.y).max())
    }

    func testADarkPageWithACoveredCornerIsFoundWithThatCorner() throws {
        let finger = upright(200, 170, 40, 30)
        let found = try find(frame([(page, 20), (finger, 130)]))
        assertCorners(corners(try XCTUnwrap(found.first)), page, within: 1)
    }

    func testLargeImagesAreExactInTheirOwnPixels() throws {
        let large = page.map { CGPoint(x: $0.x * 2.5, y: $0.y * 2.5) }
        let found = try find(frame([(large, 220)], width: 800, height: 600))
        assertCorners(corners(try XCTUnwrap(found.first), 800, 600), large, within: 0.7)
    }

    func testAspectRatiosAreThoseOfTheObject() throws {
        let (square, strip) = (upright(20, 60, 100, 100), upright(150, 60, 150, 60))
        let both = frame([(square, 220), (strip, 210)])
        XCTAssertEqual(try find(both).count, 1, "0.4 is below the default")
        XCTAssertEqual(try find(both) { $0.minimumAspectRatio = 0.3 }.count, 2)
        let narrow = try find(both) {
            $0.minimumAspectRatio = 0.3
            $0.maximumAspectRatio = 0.6
        }
        XCTAssertEqual(narrow.count, 1)
        assertCorners(corners(try XCTUnwrap(narrow.first)), strip, within: 0.5)
        // A square rotated about its horizontal axis by 60 degrees, as a camera of the assumed angle of view sees it.
        let tilted = [
            CGPoint(x: 107.8, y: 97.4), CGPoint(x: 212.2, y: 97.4), CGPoint(x: 228.9, y: 149.8),
            CGPoint(x: 91.1, y: 149.8),
        ]
        XCTAssertEqual(try find(frame([(tilted, 220)])) { $0.minimumAspectRatio = 0.8 }.count, 1)
    }

    func testTheLeastSizeIsOfTheShorterSideAndTheSmallerDimension() throws {
        let quad = upright(100, 80, 90, 60)
        XCTAssertEqual(try find(frame([(quad, 220)])) { $0.minimumSize = 0.24 }.count, 1)
        XCTAssertEqual(try find(frame([(quad, 220)])) { $0.minimumSize = 0.27 }.count, 0)
    }

    func testTheQuadratureToleranceLimitsCorners() throws {
        let skewed = [CGPoint(x: 80, y: 60), CGPoint(x: 200, y: 60), CGPoint(x: 250, y: 150), CGPoint(x: 130, y: 150)]
        // 29 degrees.
        XCTAssertEqual(try find(frame([(skewed, 220)])) { $0.quadratureTolerance = 31 }.count, 1)
        XCTAssertEqual(try find(frame([(skewed, 220)])) { $0.quadratureTolerance = 25 }.count, 0)
    }

    func testResultsAreOrderedAndLimited() throws {
        let quads = [upright(15, 20, 80, 70), upright(120, 30, 80, 70), upright(225, 140, 80, 70)]
        let image = frame(quads.map { ($0, 220) })
        let all = try find(image)
        XCTAssertEqual(all.count, 3)
        XCTAssertEqual(all.map(\.confidence), all.map(\.confidence).sorted(by: >))
        let one = VNDetectRectanglesRequest()
        try VNImageRequestHandler(cvPixelBuffer: image.pixelBuffer()).perform([one])
        XCTAssertEqual(one.results?.count, 1)
        XCTAssertEqual(one.results?.first?.confidence, all.first?.confidence)
        XCTAssertEqual(try find(image) { $0.maximumObservations = 2 }.count, 2)
        let least = try XCTUnwrap(all.first).confidence
        let certain = try find(image) { $0.minimumConfidence = least }
        XCTAssertEqual(certain.count, all.count { $0.confidence >= least })
        XCTAssertTrue(try find(image) { $0.minimumConfidence = 1 }.allSatisfy { $0.confidence >= 1 })
    }

    func testOfOutlinesWithinEachOtherTwoAreFound() throws {
        for step in [6.0, 8] {
            let rims = (0..<5).map { rim in
                let margin = step * Double(rim)
                let rectangle = upright(40 + margin, 20 + margin, 240 - 2 * margin, 200 - 2 * margin)
                return (corners: rectangle, grey: [240.0, 60, 225, 70, 200][rim])
            }
            let found = try find(frame(rims)) { $0.minimumAspectRatio = 0.3 }
            XCTAssertEqual(found.count, 2, "\(found.map(\.boundingBox))")
            for (corner, wanted) in zip(corners(found[0]), rims[0].corners) {
                XCTAssertLessThan(hypot(corner.x - wanted.x, corner.y - wanted.y), 2, "the outline is found")
            }
        }
    }

    func testCornersAreNormalisedToTheRegionOfInterest() throws {
        let region = CGRect(x: 0.125, y: 0.1, width: 0.75, height: 0.8)
        let found = try find(frame([(page, 220)])) { $0.regionOfInterest = region }
        let points = corners(try XCTUnwrap(found.first), 240, 192).map { CGPoint(x: $0.x + 40, y: $0.y + 24) }
        assertCorners(points, page, within: 0.5)
        let elsewhere = CGRect(x: 0.75, y: 0.75, width: 0.25, height: 0.25)
        XCTAssertEqual(try find(frame([(page, 220)])) { $0.regionOfInterest = elsewhere }.count, 0)
    }

    func testTheOrientationIsThatOfTheUprightImage() throws {
        let image = frame([(page, 220)])
        for raw in 1...8 as ClosedRange<UInt32> {
            let orientation = try XCTUnwrap(CGImagePropertyOrientation(rawValue: raw))
            let found = try find(image.stored(for: orientation), orientation: orientation)
            assertCorners(corners(try XCTUnwrap(found.first)), page, within: 0.5)
        }
    }

    func testNothingIsFoundInEmptyImages() throws {
        XCTAssertEqual(try find(frame([])), [])
        XCTAssertEqual(try find(GreyFrame(width: 64, height: 64) { _, _ in 0 }), [])
    }

    func testOddAndNoisyImagesAreSearched() throws {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func byte() -> UInt8 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
        for (width, height) in [(1, 1), (2, 50), (50, 2), (7, 9), (12, 12), (3000, 5), (641, 37), (160, 120)] {
            let noise = GreyFrame(width: width, height: height) { _, _ in byte() }
            let found = try find(noise) {
                $0.minimumSize = 0
                $0.minimumAspectRatio = 0
                $0.quadratureTolerance = 45
            }
            for observation in found {
                XCTAssertTrue(corners(observation).allSatisfy { $0.x.isFinite && $0.y.isFinite })
            }
        }
        // A grid, all of whose lines cross one another.
        let grid = GreyFrame(width: 240, height: 180) { x, y in x / 12 % 2 == y / 12 % 2 ? 230 : 20 }
        _ = try find(grid) { $0.minimumSize = 0 }
    }

    func testWrongParametersAreRefused() {
        let image = frame([])
        for change: (VNDetectRectanglesRequest) -> Void in [
            { $0.minimumAspectRatio = -0.1 }, { $0.maximumAspectRatio = 1.5 }, { $0.quadratureTolerance = 46 },
            { $0.minimumSize = .nan }, { $0.minimumConfidence = 2 }, { $0.maximumObservations = -1 },
            {
                $0.minimumAspectRatio = 0.8
                $0.maximumAspectRatio = 0.7
            },
        ] {
            assertThrows(.invalidArgument) { _ = try find(image, change) }
        }
    }

    func testAResultStartsATracker() throws {
        let found = try XCTUnwrap(try find(frame([(page, 220)])).first)
        let handler = VNSequenceRequestHandler()
        let first = VNTrackRectangleRequest(rectangleObservation: found)
        try handler.perform([first], on: frame([(page, 220)]).pixelBuffer())
        let next = VNTrackRectangleRequest(rectangleObservation: try XCTUnwrap(first.results?.first))
        let moved = page.map { CGPoint(x: $0.x + 3, y: $0.y - 2) }
        try handler.perform([next], on: frame([(moved, 220)]).pixelBuffer())
        assertCorners(corners(try XCTUnwrap(next.results?.first)), moved, within: 1)
    }

    func testTheResultsDoNotDependOnTheNumberOfThreads() throws {
        let image = frame([(page, 220), (upright(20, 180, 60, 50), 200)])
        defer { Settings.setThreadCount(nil) }
        let results = try [1, 2, 5].map { threads in
            Settings.setThreadCount(threads)
            return try find(image).map { "\(corners($0)) \($0.confidence)" }
        }
        XCTAssertFalse(results[0].isEmpty)
        XCTAssertEqual(results[0], results[1])
        XCTAssertEqual(results[0], results[2])
    }
}
