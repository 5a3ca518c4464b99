import Vision
import XCTest

final class UtilityTests: XCTestCase {
    func testNamesAndRawValuesAreApples() {
        XCTAssertEqual(VNErrorDomain, "com.apple.vis")
        XCTAssertEqual(VNNormalizedIdentityRect, CGRect(x: 0, y: 0, width: 1, height: 1))
        XCTAssertEqual(VNRequestRevisionUnspecified, 0)
        XCTAssertEqual(VNRequestTrackingLevel.accurate.rawValue, 0)
        XCTAssertEqual(VNRequestTrackingLevel.fast.rawValue, 1)
        XCTAssertEqual(VNImageCropAndScaleOption.centerCrop.rawValue, 0)
        XCTAssertEqual(VNImageCropAndScaleOption.scaleFit.rawValue, 1)
        XCTAssertEqual(VNImageCropAndScaleOption.scaleFill.rawValue, 2)
        XCTAssertEqual(VNErrorCode.requestCancelled.rawValue, 1)
        XCTAssertEqual(VNErrorCode.outOfBoundsError.rawValue, 4)
        XCTAssertEqual(VNErrorCode.notImplemented.rawValue, 8)
        XCTAssertEqual(VNErrorCode.internalError.rawValue, 9)
        XCTAssertEqual(VNErrorCode.invalidArgument.rawValue, 14)
        XCTAssertEqual(VNErrorCode.unsupportedRevision.rawValue, 16)
        XCTAssertEqual(VNErrorCode.dataUnavailable.rawValue, 17)
        XCTAssertEqual(VNBarcodeSymbology.QR, VNBarcodeSymbology.qr)
        XCTAssertEqual(VNBarcodeSymbology.qr.rawValue, "VNBarcodeSymbologyQR")
        XCTAssertEqual(VNAnimalIdentifier.cat.rawValue, "Cat")
    }

    func testElementSizes() {
        XCTAssertEqual(VNElementTypeSize(.unknown), 0)
        XCTAssertEqual(VNElementTypeSize(.float), 4)
        XCTAssertEqual(VNElementTypeSize(.double), 8)
    }

    func testIdentityRectIsComparedExactly() {
        XCTAssertTrue(VNNormalizedRectIsIdentityRect(CGRect(x: 0, y: 0, width: 1, height: 1)))
        XCTAssertFalse(VNNormalizedRectIsIdentityRect(CGRect(x: 0, y: 0, width: 1, height: 1.0000001)))
        XCTAssertFalse(VNNormalizedRectIsIdentityRect(CGRect(x: 0.1, y: 0, width: 1, height: 1)))
    }

    func testPointsAndRectsScaleWithoutFlip() {
        let point = CGPoint(x: 0.25, y: 0.75)
        XCTAssertEqual(VNImagePointForNormalizedPoint(point, 200, 100), CGPoint(x: 50, y: 75))
        XCTAssertEqual(VNNormalizedPointForImagePoint(CGPoint(x: 50, y: 75), 200, 100), point)
        let rect = CGRect(x: 0.1, y: 0.2, width: 0.5, height: 0.25)
        let pixels = VNImageRectForNormalizedRect(rect, 200, 100)
        assertEqual(pixels, CGRect(x: 20, y: 20, width: 100, height: 25), accuracy: 1e-9)
        assertEqual(VNNormalizedRectForImageRect(pixels, 200, 100), rect, accuracy: 1e-12)
    }

    func testAnImageWithoutASizeGivesZeros() {
        XCTAssertEqual(
            VNNormalizedRectForImageRect(CGRect(x: 5, y: 6, width: 7, height: 8), 0, 16),
            CGRect(x: 0, y: 0.375, width: 0, height: 0.5))
        XCTAssertEqual(VNNormalizedPointForImagePoint(CGPoint(x: 5, y: 6), 10, 0), CGPoint(x: 0.5, y: 0))
    }

    func testRegionOfInterestVariants() {
        let region = CGRect(x: 0.5, y: 0.25, width: 0.5, height: 0.5)
        XCTAssertEqual(
            VNImagePointForNormalizedPointUsingRegionOfInterest(CGPoint(x: 0.5, y: 0.5), 200, 100, region),
            CGPoint(x: 150, y: 50))
        XCTAssertEqual(
            VNNormalizedPointForImagePointUsingRegionOfInterest(CGPoint(x: 150, y: 50), 200, 100, region),
            CGPoint(x: 0.5, y: 0.5))
        let whole = VNImageRectForNormalizedRectUsingRegionOfInterest(VNNormalizedIdentityRect, 200, 100, region)
        XCTAssertEqual(whole, CGRect(x: 100, y: 25, width: 100, height: 50))
        XCTAssertEqual(
            VNNormalizedRectForImageRectUsingRegionOfInterest(whole, 200, 100, region), VNNormalizedIdentityRect)
    }

    func testLandmarkPoints() {
        let box = CGRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
        let point = vector_float2(0.5, 0.25)
        XCTAssertEqual(
            VNNormalizedFaceBoundingBoxPointForLandmarkPoint(point, box, 400, 200), CGPoint(x: 100, y: 12.5))
        XCTAssertEqual(VNImagePointForFaceLandmarkPoint(point, box, 400, 200), CGPoint(x: 200, y: 112.5))
    }
}
