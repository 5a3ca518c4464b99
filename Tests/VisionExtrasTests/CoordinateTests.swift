import Vision
import VisionExtras
import XCTest

final class CoordinateTests: XCTestCase {
    private let size = CGSize(width: 200, height: 100)

    func testPointsAndRectsInBothOrigins() {
        let point = CGPoint(x: 0.25, y: 0.75)
        XCTAssertEqual(point.toImageCoordinates(size), CGPoint(x: 50, y: 75))
        XCTAssertEqual(point.toImageCoordinates(size, origin: .upperLeft), CGPoint(x: 50, y: 25))
        let rect = CGRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
        XCTAssertEqual(rect.toImageCoordinates(size), CGRect(x: 50, y: 50, width: 100, height: 25))
        XCTAssertEqual(
            rect.toImageCoordinates(size, origin: .upperLeft), CGRect(x: 50, y: 25, width: 100, height: 25))
    }

    func testTheWayThereAndBackIsTheIdentity() {
        let rect = CGRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
        let region = CGRect(x: 0.5, y: 0.25, width: 0.5, height: 0.5)
        for origin in CoordinateOrigin.allCases {
            for region in [VNNormalizedIdentityRect, region] {
                let pixels = rect.toImageCoordinates(size, origin: origin, regionOfInterest: region)
                let back = pixels.toNormalizedCoordinates(size, origin: origin, regionOfInterest: region)
                XCTAssertEqual(back, rect)
            }
        }
    }

    func testAnObservationFromPixelsWithTheOriginAtTheTop() {
        let pixels = CGRect(x: 20, y: 10, width: 40, height: 30)
        let observation = VNDetectedObjectObservation(imageRect: pixels, imageSize: size, origin: .upperLeft)
        let box = observation.boundingBox
        XCTAssertEqual(box.minX, 0.1, accuracy: 1e-12)
        XCTAssertEqual(box.minY, 0.6, accuracy: 1e-12)
        XCTAssertEqual(box.width, 0.2, accuracy: 1e-12)
        XCTAssertEqual(box.height, 0.3, accuracy: 1e-12)
        let back = observation.imageRect(in: size, origin: .upperLeft)
        XCTAssertEqual(back.minY, 10, accuracy: 1e-9)
        XCTAssertEqual(back.height, 30, accuracy: 1e-9)
    }

    func testTheRegionOfInterestIsAsInVNUtils() {
        let region = CGRect(x: 0.5, y: 0.25, width: 0.5, height: 0.5)
        let rect = CGRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
        XCTAssertEqual(
            rect.toImageCoordinates(size, regionOfInterest: region),
            VNImageRectForNormalizedRectUsingRegionOfInterest(rect, 200, 100, region))
    }
}
