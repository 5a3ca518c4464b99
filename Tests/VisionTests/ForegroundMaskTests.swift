import ModelTestSupport
import VisionImage
import VisionModels
import XCTest

@testable import Vision

/// Masks of the objects in the foreground, on drawings.
final class ForegroundMaskTests: XCTestCase {
    override func setUpWithError() throws { try requireSceneNetwork(revision: 2) }

    /// Bright textured discs on a plain wall.
    private func discs(_ middles: [(x: Int, y: Int)], radius: Int = 60) -> GreyFrame {
        GreyFrame(width: 480, height: 360) { column, row in
            let isInside = middles.contains { middle in
                (column - middle.x) * (column - middle.x) + (row - middle.y) * (row - middle.y) < radius * radius
            }
            return isInside ? UInt8(150 + (column * 7 + row * 5) % 100) : 60
        }
    }

    private func find(
        _ frame: GreyFrame, _ orientation: CGImagePropertyOrientation = .up,
        region: CGRect = VNNormalizedIdentityRect
    ) throws -> (found: VNInstanceMaskObservation?, handler: VNImageRequestHandler) {
        let request = VNGenerateForegroundInstanceMaskRequest()
        request.regionOfInterest = region
        let handler = VNImageRequestHandler(
            cvPixelBuffer: frame.stored(for: orientation).pixelBuffer(), orientation: orientation)
        try handler.perform([request])
        let results = try XCTUnwrap(request.results)
        XCTAssertLessThanOrEqual(results.count, 1)
        return (results.first, handler)
    }

    /// The intersection of a mask with a disc over their union.
    private func overlap(_ mask: FloatMap, _ x: Int, _ y: Int, radius: Int = 60) -> Double {
        var (common, union) = (0, 0)
        for row in 0..<mask.height {
            for column in 0..<mask.width {
                let isInside = (column - x) * (column - x) + (row - y) * (row - y) < radius * radius
                let isFound = mask[column, row] >= 0.5
                common += isInside && isFound ? 1 : 0
                union += isInside || isFound ? 1 : 0
            }
        }
        return Double(common) / Double(max(union, 1))
    }

    func testTheMaskIsTheDisc() throws {
        for orientation in [CGImagePropertyOrientation.up, .right, .downMirrored] {
            let (found, handler) = try find(discs([(x: 140, y: 120)]), orientation)
            let observation = try XCTUnwrap(found)
            XCTAssertEqual(observation.allInstances, [1])
            XCTAssertEqual(CVPixelBufferGetWidth(observation.instanceMask), 480)
            let mask = FloatMap(try observation.generateScaledMaskForImage(forInstances: [1], from: handler))
            XCTAssertEqual([mask.width, mask.height], [480, 360])
            XCTAssertGreaterThan(overlap(mask, 140, 120), 0.9, "\(orientation)")
            let image = try observation.generateMaskedImage(
                ofInstances: observation.allInstances, from: handler, croppedToInstancesExtent: true)
            XCTAssertTrue((115...170).contains(CVPixelBufferGetWidth(image)), "\(CVPixelBufferGetWidth(image))")
        }
    }

    func testObjectsThatAreApartAreInstances() throws {
        let (found, handler) = try find(discs([(x: 120, y: 180), (x: 360, y: 180)]))
        let observation = try XCTUnwrap(found)
        XCTAssertEqual(observation.allInstances, [1, 2])
        let masks = try observation.allInstances.map {
            FloatMap(try observation.generateScaledMaskForImage(forInstances: [$0], from: handler))
        }
        let overlaps = masks.map { [overlap($0, 120, 180), overlap($0, 360, 180)] }
        XCTAssertGreaterThan(overlaps.map { $0[0] }.max() ?? 0, 0.8)
        XCTAssertGreaterThan(overlaps.map { $0[1] }.max() ?? 0, 0.8)
        XCTAssertEqual(overlaps[0][0] > 0.5, overlaps[1][0] < 0.5)
    }

    func testARegionOfInterestIsItsOwnImage() throws {
        let (found, handler) = try find(
            discs([(x: 140, y: 120)]), region: CGRect(x: 0, y: 0.25, width: 0.6, height: 0.75))
        let mask = FloatMap(
            try XCTUnwrap(found).generateScaledMaskForImage(forInstances: [1], from: handler))
        XCTAssertGreaterThan(overlap(mask, 140, 120), 0.85)
    }

    func testWithoutObjectsThereIsNoResult() throws {
        XCTAssertNil(try find(GreyFrame(width: 320, height: 240) { _, _ in 0 }).found)
        for (width, height) in [(1, 1), (1, 900), (900, 1), (5, 3)] {
            XCTAssertNil(try find(GreyFrame(width: width, height: height) { _, _ in 90 }).found)
        }
    }
}
