import Foundation
import VisionExtras
import XCTest

@testable import Vision

final class ContoursRequestTests: XCTestCase {
    /// A dark ring with a dark square in its hole, and a dark bar.
    private func scene(_ dark: UInt8 = 20, _ light: UInt8 = 230) -> GreyFrame {
        GreyFrame(width: 120, height: 80) { x, y in
            let isInRing = (10..<60).contains(x) && (10..<60).contains(y)
            let isInHole = (20..<50).contains(x) && (20..<50).contains(y)
            let isInSquare = (30..<40).contains(x) && (30..<40).contains(y)
            let isInBar = (70..<110).contains(x) && (30..<34).contains(y)
            return isInRing && !isInHole || isInSquare || isInBar ? dark : light
        }
    }

    private func contours(
        _ frame: GreyFrame, orientation: CGImagePropertyOrientation = .up,
        _ change: (VNDetectContoursRequest) -> Void = { _ in }
    ) throws -> VNContoursObservation {
        let request = VNDetectContoursRequest()
        change(request)
        try VNImageRequestHandler(cvPixelBuffer: frame.greyPixelBuffer(), orientation: orientation).perform([request])
        XCTAssertEqual(request.results?.count, 1)
        return try XCTUnwrap(request.results?.first)
    }

    func testDefaultsAreThoseOfApple() {
        let request = VNDetectContoursRequest()
        XCTAssertEqual(request.contrastAdjustment, 2)
        XCTAssertEqual(request.contrastPivot, 0.5)
        XCTAssertTrue(request.detectsDarkOnLight)
        XCTAssertEqual(request.maximumImageDimension, 512)
    }

    func testRegionsHolesAndRegionsInHolesAreATree() throws {
        let found = try contours(scene())
        XCTAssertEqual(found.contourCount, 4)
        XCTAssertEqual(found.topLevelContourCount, 2)
        let ring = try found.contour(at: 0)
        XCTAssertEqual(ring.indexPath, IndexPath(indexes: [0]))
        XCTAssertEqual(ring.childContourCount, 1)
        let hole = try ring.childContour(at: 0)
        XCTAssertEqual(hole.indexPath, IndexPath(indexes: [0, 0]))
        let square = try found.contour(at: IndexPath(indexes: [0, 0, 0]))
        XCTAssertEqual(square, hole.childContours.first)
        XCTAssertEqual(square.childContourCount, 0)
        XCTAssertEqual(square.pointCount, 36)
        XCTAssertEqual(found.topLevelContours.map(\.pointCount), [196, 84])
        XCTAssertEqual(ring.aspectRatio, 1.5)
        // The outermost pixels of the ring, origin at the lower left.
        let box = ring.normalizedPath.boundingBox
        XCTAssertEqual(box.minX, 10.5 / 120, accuracy: 1e-6)
        XCTAssertEqual(box.maxX, 59.5 / 120, accuracy: 1e-6)
        XCTAssertEqual(box.minY, 1 - 59.5 / 80, accuracy: 1e-6)
        XCTAssertEqual(box.maxY, 1 - 10.5 / 80, accuracy: 1e-6)
        XCTAssertThrowsError(try found.contour(at: 4))
        XCTAssertThrowsError(try found.contour(at: IndexPath(indexes: [0, 1])))
        XCTAssertThrowsError(try found.contour(at: IndexPath()))
        XCTAssertThrowsError(try ring.childContour(at: -1))
    }

    func testLightRegionsAreFoundOnRequest() throws {
        let found = try contours(scene(230, 20)) { $0.detectsDarkOnLight = false }
        XCTAssertEqual(found.contourCount, 4)
        XCTAssertEqual(try contours(scene(230, 20)).topLevelContourCount, 1)
    }

    func testContrastAndPivotSelectRegions() throws {
        // Some grey levels below the pivot.
        let faint = scene(115, 200)
        XCTAssertEqual(try contours(faint).contourCount, 0)
        XCTAssertEqual(try contours(faint) { $0.contrastAdjustment = 3 }.contourCount, 4)
        XCTAssertEqual(try contours(faint) { $0.contrastPivot = nil }.contourCount, 4)
        XCTAssertEqual(try contours(faint) { $0.contrastPivot = 0.6 }.contourCount, 4)
        XCTAssertEqual(try contours(scene()) { $0.contrastAdjustment = 0 }.contourCount, 0)
        // Light gaps that are faint belong to the region around them.
        var filled = scene()
        for y in 20..<50 {
            for x in 20..<50 where filled[x, y] > 127 { filled[x, y] = 130 }
        }
        XCTAssertEqual(try contours(filled).topLevelContours.map(\.childContourCount), [0, 0])
    }

    func testLargeImagesAreReduced() throws {
        let found = try contours(scene()) { $0.maximumImageDimension = 64 }
        XCTAssertEqual(found.topLevelContourCount, 2)
        XCTAssertLessThan(try found.contour(at: 0).pointCount, 120)
        let whole = try contours(scene()).contour(at: 0).normalizedPath.boundingBox
        let small = try found.contour(at: 0).normalizedPath.boundingBox
        XCTAssertEqual(small.midX, whole.midX, accuracy: 0.01)
        XCTAssertEqual(small.midY, whole.midY, accuracy: 0.01)
    }

    func testEveryOrientationAndRegionGivesTheSameContours() throws {
        let upright = try contours(scene())
        for number in UInt32(1)...8 {
            let orientation = try XCTUnwrap(CGImagePropertyOrientation(rawValue: number))
            let turned = try contours(scene().stored(for: orientation), orientation: orientation)
            XCTAssertEqual(
                try (0..<4).map { try turned.contour(at: $0).normalizedPoints },
                try (0..<4).map { try upright.contour(at: $0).normalizedPoints }, "\(number)")
        }
        // The right half has the bar alone.
        let half = try contours(scene()) { $0.regionOfInterest = CGRect(x: 0.5, y: 0, width: 0.5, height: 1) }
        XCTAssertEqual(half.contourCount, 1)
        XCTAssertEqual(try half.contour(at: 0).normalizedPath.boundingBox.minX, 10.5 / 60, accuracy: 1e-6)
    }

    func testGeometryIsMeasuredInHeights() throws {
        let found = try contours(scene())
        let (ring, hole) = (try found.contour(at: 0), try found.contour(at: 1))
        var area = 0.0, oriented = 0.0, perimeter = 0.0
        try VNGeometryUtils.calculateArea(&area, for: ring, orientedArea: false)
        XCTAssertEqual(area, 49 * 49 / 6400.0, accuracy: 1e-5)
        try VNGeometryUtils.calculateArea(&oriented, for: ring, orientedArea: true)
        XCTAssertEqual(oriented, area, accuracy: 1e-9)
        try VNGeometryUtils.calculateArea(&oriented, for: hole, orientedArea: true)
        XCTAssertLessThan(oriented, 0)
        try VNGeometryUtils.calculatePerimeter(&perimeter, for: ring)
        XCTAssertEqual(perimeter, 4 * 49 / 80.0, accuracy: 1e-5)
        let circle = try VNGeometryUtils.boundingCircle(for: ring)
        XCTAssertEqual(circle.radius, 24.5 * 2.0.squareRoot() / 80, accuracy: 1e-5)
        XCTAssertEqual(circle.center.x, 35 / 80.0, accuracy: 1e-5)
        XCTAssertEqual(circle.center.y, 45 / 80.0, accuracy: 1e-5)
        let points = [VNPoint(x: 0, y: 0), VNPoint(x: 2, y: 0), VNPoint(x: 1, y: 0.5)]
        let around = try VNGeometryUtils.boundingCircle(for: points)
        XCTAssertEqual(around.radius, 1, accuracy: 1e-9)
        XCTAssertEqual(around.center.x, 1, accuracy: 1e-9)
        let simd: [simd_float2] = [[0, 0], [0, 4], [3, 0]]
        XCTAssertEqual(
            try VNGeometryUtils.boundingCircle(forSIMDPoints: simd, pointCount: 3).radius, 2.5, accuracy: 1e-6)
        XCTAssertThrowsError(try VNGeometryUtils.boundingCircle(for: [VNPoint]()))
        XCTAssertThrowsError(try VNGeometryUtils.boundingCircle(for: [VNPoint(x: .nan, y: 0)]))
    }

    func testTheAspectRatioIsThatOfTheImageNotOfItsReduction() throws {
        for (width, height) in [(1000, 3), (1000, 333), (700, 1400)] {
            let frame = GreyFrame(width: width, height: height) { x, _ in x < width / 2 ? 20 : 230 }
            let contour = try contours(frame).contour(at: 0)
            XCTAssertEqual(contour.aspectRatio, Float(width) / Float(height), accuracy: 1e-3)
        }
    }

    func testPolygonsKeepTheCorners() throws {
        let ring = try contours(scene()).contour(at: 0)
        let polygon = try ring.polygonApproximation(epsilon: 0.01)
        XCTAssertEqual(polygon.pointCount, 4)
        XCTAssertEqual(Set(polygon.normalizedPoints.map { [$0.x, $0.y] }).count, 4)
        XCTAssertEqual(polygon.normalizedPath.boundingBox, ring.normalizedPath.boundingBox)
        XCTAssertEqual(polygon.childContourCount, 1)
        XCTAssertEqual(try ring.polygonApproximation(epsilon: 10).pointCount, 2)
        XCTAssertThrowsError(try ring.polygonApproximation(epsilon: -1))
        XCTAssertThrowsError(try ring.polygonApproximation(epsilon: .nan))
    }

    func testOddImagesHaveContoursOrNone() throws {
        let dot = try contours(GreyFrame(width: 1, height: 1) { _, _ in 0 })
        XCTAssertEqual(dot.contourCount, 1)
        XCTAssertEqual(try dot.contour(at: 0).normalizedPoints, [[0.5, 0.5]])
        XCTAssertEqual(try dot.contour(at: 0).polygonApproximation(epsilon: 0).pointCount, 1)
        XCTAssertEqual(try contours(GreyFrame(width: 1, height: 1) { _, _ in 255 }).contourCount, 0)
        XCTAssertTrue(try contours(GreyFrame(width: 9, height: 9) { _, _ in 255 }).normalizedPath.isEmpty)
        XCTAssertEqual(
            try contours(GreyFrame(width: 300, height: 1) { x, _ in x % 2 == 0 ? 0 : 255 }).contourCount, 150)
        let board = try contours(GreyFrame(width: 50, height: 50) { x, y in (x + y) % 2 == 0 ? 0 : 255 })
        XCTAssertEqual(board.topLevelContourCount, 1)
        // Each light pixel inside is a hole of its own.
        XCTAssertEqual(board.contourCount, 1 + 48 * 48 / 2)
    }

    func testInvalidParametersAreErrors() {
        let frame = scene()
        func fails(_ change: (VNDetectContoursRequest) -> Void, line: UInt = #line) {
            let request = VNDetectContoursRequest()
            change(request)
            XCTAssertThrowsError(
                try VNImageRequestHandler(cgImage: frame.cgImage()).perform([request]), line: line
            ) { XCTAssertEqual(($0 as NSError).code, VNErrorCode.invalidArgument.rawValue, line: line) }
        }
        fails { $0.contrastAdjustment = 3.1 }
        fails { $0.contrastAdjustment = .nan }
        fails { $0.contrastPivot = -0.1 }
        fails { $0.maximumImageDimension = 63 }
    }

    func testArchivesGiveEqualObservations() throws {
        let found = try contours(scene())
        let data = try JSONEncoder().encode(CodableObservation(found))
        let back = try JSONDecoder().decode(CodableObservation.self, from: data).observation
        XCTAssertEqual(back, found)
        let other = try XCTUnwrap(back as? VNContoursObservation)
        XCTAssertEqual(try other.contour(at: 2), try found.contour(at: 2))
        XCTAssertEqual(other.normalizedPath, found.normalizedPath)
        var values = try XCTUnwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
        for (key, wrong) in [("width", 0 as Any), ("pointCounts", [1]), ("parents", [-1, 5, 1, -1]), ("pixels", [-1])] {
            let right = values[key]
            values[key] = wrong
            let json = try JSONSerialization.data(withJSONObject: values)
            XCTAssertThrowsError(try JSONDecoder().decode(CodableObservation.self, from: json), key)
            values[key] = right
        }
    }
}
