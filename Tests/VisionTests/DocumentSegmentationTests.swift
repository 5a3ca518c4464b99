import Foundation
import VisionAlgorithms
import VisionExtras
import VisionImage
import XCTest

@testable import Vision

/// Pages, drawn by formula: with lines of text, with pens and a cable across them, with other sheets below.
final class DocumentSegmentationTests: XCTestCase {
    private typealias Quad = [CGPoint]

    /// A page in perspective, clockwise from the top left corner, in pixels from the top left.
    private let page: Quad = [
        CGPoint(x: 150, y: 70), CGPoint(x: 372, y: 84), CGPoint(x: 418, y: 366), CGPoint(x: 120, y: 390),
    ]
    private let (width, height) = (560, 440)

    /// Whether a point lies in a convex quad, softly: 1 inside, 0 outside.
    private func coverage(_ quad: Quad, _ x: Double, _ y: Double) -> Double {
        var inside = 1.0
        for index in 0..<4 {
            let (a, b) = (quad[index], quad[(index + 1) % 4])
            let (dx, dy) = (Double(b.x - a.x), Double(b.y - a.y))
            let distance = (dx * (y - Double(a.y)) - dy * (x - Double(a.x))) / (dx * dx + dy * dy).squareRoot()
            inside = min(inside, min(max(distance + 0.5, 0), 1))
        }
        return inside
    }

    private func bar(_ x: Double, _ y: Double, from a: CGPoint, to b: CGPoint, radius: Double) -> Double {
        let (dx, dy) = (Double(b.x - a.x), Double(b.y - a.y))
        let part = min(max(((x - Double(a.x)) * dx + (y - Double(a.y)) * dy) / (dx * dx + dy * dy), 0), 1)
        let (u, v) = (x - Double(a.x) - part * dx, y - Double(a.y) - part * dy)
        return min(max(radius + 0.5 - (u * u + v * v).squareRoot(), 0), 1)
    }

    /// - Parameters:
    ///   - sheets: Blank sheets below the page.
    ///   - things: Pens and cables on it.
    private func frame(
        _ page: Quad?, sheets: [Quad] = [], things: [(from: CGPoint, to: CGPoint, radius: Double)] = []
    ) -> GreyFrame {
        let grain = Scene(seed: 4, wavelengths: 30...300, contrast: 0.1)
        return GreyFrame(width: width, height: height) { column, row in
            let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
            var value = 105 + (grain.brightness(x, y) - 128)
            for sheet in sheets { value += (208 - value) * self.coverage(sheet, x, y) }
            if let page {
                // The shadow of the page on what is below it.
                let moved = page.map { CGPoint(x: $0.x + 2, y: $0.y + 2) }
                value *= 1 - 0.12 * self.coverage(moved, x, y)
                let share = self.coverage(page, x, y)
                if share > 0 { value += (Self.paper(page, x, y) - value) * share }
            }
            for thing in things {
                value += (35 - value) * self.bar(x, y, from: thing.from, to: thing.to, radius: thing.radius)
            }
            return UInt8(min(max(value, 0), 255))
        }
    }

    /// The grey of a page with lines of text, at a point of the image.
    private static func paper(_ page: Quad, _ x: Double, _ y: Double) -> Double {
        // About where the point lies on the page.
        let top = (Double(page[0].y) + Double(page[1].y)) / 2, bottom = (Double(page[2].y) + Double(page[3].y)) / 2
        let down = (y - top) / (bottom - top)
        let left = Double(page[0].x) + (Double(page[3].x) - Double(page[0].x)) * down
        let right = Double(page[1].x) + (Double(page[2].x) - Double(page[1].x)) * down
        let across = (x - left) / max(right - left, 1)
        let line = (down * 22).truncatingRemainder(dividingBy: 1)
        guard (0.12...0.88).contains(across), (0.1...0.9).contains(down), (0.3...0.62).contains(line) else {
            return 238
        }
        let word = sin(across * 160) + sin(across * 97 + (down * 22).rounded(.down) * 5)
        return word > -0.5 ? 90 : 238
    }

    private func find(
        _ frame: GreyFrame, _ orientation: CGImagePropertyOrientation = .up,
        _ change: (VNDetectDocumentSegmentationRequest) -> Void = { _ in }
    ) throws -> VNRectangleObservation? {
        let request = VNDetectDocumentSegmentationRequest()
        change(request)
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer(), orientation: orientation).perform([request])
        let results = try XCTUnwrap(request.results)
        XCTAssertLessThanOrEqual(results.count, 1)
        return results.first
    }

    private func assert(
        _ found: VNRectangleObservation?, is wanted: Quad, within distance: Double = 4, _ message: String = "",
        region: CGRect = VNNormalizedIdentityRect, file: StaticString = #filePath, line: UInt = #line
    ) {
        guard let found else { return XCTFail("no page \(message)", file: file, line: line) }
        let corners = [found.topLeft, found.topRight, found.bottomRight, found.bottomLeft]
        for (corner, wanted) in zip(corners, wanted) {
            let x = Double(region.minX + corner.x * region.width) * Double(width)
            let y = (1 - Double(region.minY + corner.y * region.height)) * Double(height)
            let error = hypot(x - Double(wanted.x), y - Double(wanted.y))
            XCTAssertLessThan(error, distance, "\(message) (\(x), \(y)) for \(wanted)", file: file, line: line)
        }
    }

    func testAPageIsFoundWithItsMask() throws {
        let found = try find(frame(page))
        assert(found, is: page)
        let mask = try XCTUnwrap(found?.globalSegmentationMask?.pixelBuffer)
        XCTAssertEqual([CVPixelBufferGetWidth(mask), CVPixelBufferGetHeight(mask)], [512, 402])
        let values = try XCTUnwrap(mask.oneByteValues)
        let share = values.reduce(0) { $0 + Double($1) } / 255 / Double(values.count)
        var area = 0.0
        for index in 0..<4 {
            let (a, b) = (page[index], page[(index + 1) % 4])
            area += Double(a.x * b.y - b.x * a.y) / 2
        }
        XCTAssertEqual(share, area / Double(width * height), accuracy: 0.01)
        XCTAssertEqual(values[201 * 512 + 256], 255)
        XCTAssertEqual(values[0], 0)
    }

    func testThingsOnThePageAndSheetsBelowDoNotHideIt() throws {
        let below: Quad = [
            CGPoint(x: 165, y: 58), CGPoint(x: 391, y: 92), CGPoint(x: 400, y: 384), CGPoint(x: 108, y: 368),
        ]
        let pens: [(from: CGPoint, to: CGPoint, radius: Double)] = [
            (CGPoint(x: 120, y: 190), CGPoint(x: 215, y: 140), 8),
            (CGPoint(x: 330, y: 240), CGPoint(x: 425, y: 300), 8),
        ]
        let cable: [(from: CGPoint, to: CGPoint, radius: Double)] = [
            (CGPoint(x: 0, y: 220), CGPoint(x: 260, y: 262), 3), (CGPoint(x: 260, y: 262), CGPoint(x: 560, y: 350), 3),
        ]
        assert(try find(frame(page, things: pens + cable)), is: page, within: 6, "with pens")
        XCTAssertGreaterThan(try overlap(find(frame(page, sheets: [below]))), 0.9, "with a sheet below")
        XCTAssertGreaterThan(try overlap(find(frame(page, sheets: [below], things: pens + cable))), 0.9, "with both")
    }

    /// The intersection of a result with the page over their union.
    private func overlap(_ found: VNRectangleObservation?) throws -> Double {
        let found = try XCTUnwrap(found)
        func quad(_ corners: [CGPoint]) -> PlanarQuad {
            let points = corners.map { PlanarPoint(x: Double($0.x), y: Double($0.y)) }
            return PlanarQuad(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
        }
        let corners = [found.topLeft, found.topRight, found.bottomRight, found.bottomLeft].map {
            CGPoint(x: $0.x * CGFloat(width), y: (1 - $0.y) * CGFloat(height))
        }
        let (own, wanted) = (quad(corners), quad(page))
        let common = own.commonArea(with: wanted)
        return common / (abs(own.area) + abs(wanted.area) - common)
    }

    func testAllOrientationsGiveTheSamePage() throws {
        let frame = frame(page)
        for orientation in CGImagePropertyOrientation.allCases {
            assert(try find(frame.stored(for: orientation), orientation), is: page, "\(orientation)")
        }
    }

    func testCornersAreNormalisedToTheRegionOfInterest() throws {
        let region = CGRect(x: 0.1, y: 0.05, width: 0.8, height: 0.9)
        let found = try find(frame(page)) { $0.regionOfInterest = region }
        assert(found, is: page, within: 5, region: region)
    }

    func testWithoutAPageThereIsNoResult() throws {
        XCTAssertNil(try find(frame(nil)))
        XCTAssertNil(try find(GreyFrame(width: 300, height: 200) { _, _ in 128 }))
        XCTAssertNil(try find(Scene(seed: 9).frame(width: 400, height: 300)))
    }

    func testOddImagesGiveNoPage() throws {
        for (width, height) in [(1, 1), (1, 3000), (3000, 1), (7, 9), (8, 8), (2000, 9)] {
            for format in [kCVPixelFormatType_32BGRA, kCVPixelFormatType_OneComponent8] {
                let request = VNDetectDocumentSegmentationRequest()
                let image = try OddFrames.flat(width, height, format: format, value: 200)
                try VNImageRequestHandler(cvPixelBuffer: image).perform([request])
                XCTAssertEqual(request.results?.count, 0, "\(width) × \(height)")
            }
        }
    }

    func testTheResultDoesNotDependOnTheNumberOfThreads() throws {
        let frame = frame(page, things: [(CGPoint(x: 120, y: 190), CGPoint(x: 215, y: 140), 8)])
        let before = VisionSettings.threadCount
        defer { VisionSettings.threadCount = before }
        VisionSettings.threadCount = 1
        let one = try XCTUnwrap(try find(frame))
        VisionSettings.threadCount = 4
        let four = try XCTUnwrap(try find(frame))
        XCTAssertEqual([one.topLeft, one.bottomRight], [four.topLeft, four.bottomRight])
        XCTAssertEqual(one.confidence, four.confidence)
    }

    func testPerspectiveCorrectionShowsThePageFromAbove() throws {
        // Four grey quarters.
        let corners = page
        let frame = GreyFrame(width: width, height: height) { column, row in
            let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
            guard self.coverage(corners, x, y) > 0.5 else { return 20 }
            let middle = CGPoint(
                x: corners.map(\.x).reduce(0, +) / 4, y: corners.map(\.y).reduce(0, +) / 4)
            return (x < Double(middle.x) ? 100 : 200) + (y < Double(middle.y) ? 0 : 40)
        }
        let (w, h) = (CGFloat(width), CGFloat(height))
        let points = corners.map { CGPoint(x: $0.x / w, y: 1 - $0.y / h) }
        let observation = VNRectangleObservation(
            requestRevision: 1, topLeft: points[0], topRight: points[1], bottomRight: points[2],
            bottomLeft: points[3])
        for orientation in [CGImagePropertyOrientation.up, .right] {
            let handler = VNImageRequestHandler(
                cvPixelBuffer: frame.stored(for: orientation).pixelBuffer(), orientation: orientation)
            let image = try PerspectiveCorrection(observation).image(from: handler)
            let (columns, rows) = (CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
            XCTAssertTrue((240...340).contains(columns), "\(columns)")
            XCTAssertTrue((280...400).contains(rows), "\(rows)")
            let pixels = try XCTUnwrap(CVPixelBufferGetBaseAddress(image))
            func grey(_ x: Double, _ y: Double) -> UInt8 {
                let offset = Int(y * Double(rows)) * CVPixelBufferGetBytesPerRow(image) + 4 * Int(x * Double(columns))
                return pixels.load(fromByteOffset: offset, as: UInt8.self)
            }
            XCTAssertEqual(
                [grey(0.1, 0.1), grey(0.9, 0.1), grey(0.9, 0.9), grey(0.1, 0.9)], [100, 200, 240, 140])
        }
        let line = VNRectangleObservation(
            requestRevision: 1, topLeft: .zero, topRight: CGPoint(x: 0.5, y: 0), bottomRight: CGPoint(x: 1, y: 0),
            bottomLeft: CGPoint(x: 0.2, y: 0))
        XCTAssertThrowsError(
            try PerspectiveCorrection(line).image(from: VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()))
        ) { XCTAssertEqual(($0 as NSError).code, VNErrorCode.invalidArgument.rawValue) }
    }
}
