import Foundation
import VisionAlgorithms
import VisionExtras
import VisionImage
import XCTest

@testable import Vision

/// What is made of the masks of objects, without networks.
final class InstanceMaskObservationTests: XCTestCase {
    /// Two objects, left and right, in the lower half of an image of 40 × 20 pixels, at half that size.
    private func observation(region: CGRect = VNNormalizedIdentityRect) throws -> VNInstanceMaskObservation {
        var labels = [UInt8](repeating: 0, count: 20 * 10)
        for y in 5..<10 {
            for x in 2..<8 { labels[y * 20 + x] = 1 }
            for x in 12..<18 { labels[y * 20 + x] = 2 }
        }
        let masks = InstanceMasks(width: 20, height: 10, labels: labels, coverage: labels.map { $0 > 0 ? 255 : 0 })
        return try VNInstanceMaskObservation(
            masks: masks, region: try NormalizedRegion(region), requestRevision: 1, timeRange: .zero)
    }

    /// The image of these objects: bright on dark.
    private func handler(orientation: CGImagePropertyOrientation = .up) -> VNImageRequestHandler {
        let frame = GreyFrame(width: 40, height: 20) { x, y in
            y >= 10 && ((4..<16).contains(x) || (24..<36).contains(x)) ? 200 : 50
        }
        return VNImageRequestHandler(
            cvPixelBuffer: frame.stored(for: orientation).pixelBuffer(), orientation: orientation)
    }

    func testTheMaskHasTheNumbersAndTheBackgroundIsNone() throws {
        let found = try observation()
        XCTAssertEqual(found.allInstances, [1, 2])
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(found.instanceMask), kCVPixelFormatType_OneComponent8)
        XCTAssertEqual(found.instanceMask.oneByteValues, found.masks.solidLabels)
        let left = FloatMap(try found.generateMask(forInstances: [1]))
        XCTAssertEqual([left[4, 7], left[14, 7], left[4, 2]], [1, 0, 0])
        let rest = FloatMap(try found.generateMask(forInstances: [0, 2]))
        XCTAssertEqual([rest[4, 7], rest[14, 7], rest[4, 2]], [0, 1, 1])
        XCTAssertTrue(FloatMap(try found.generateMask(forInstances: [])).values.allSatisfy { $0 == 0 })
        for wrong in [3, 255, 100_000] {
            XCTAssertThrowsError(try found.generateMask(forInstances: [1, wrong])) {
                XCTAssertEqual(($0 as NSError).domain, VNErrorDomain)
                XCTAssertEqual(($0 as NSError).code, VNErrorCode.invalidArgument.rawValue)
            }
        }
    }

    func testScaledMasksAndImagesAreThoseOfTheUprightImage() throws {
        for orientation in CGImagePropertyOrientation.allCases {
            let (found, handler) = (try observation(), handler(orientation: orientation))
            let scaled = FloatMap(try found.generateScaledMaskForImage(forInstances: [2], from: handler))
            XCTAssertEqual([scaled.width, scaled.height], [40, 20])
            XCTAssertGreaterThan(scaled[30, 15], 0.9)
            XCTAssertLessThan(scaled[10, 15], 0.1)
            let image = try found.generateMaskedImage(
                ofInstances: [1, 2], from: handler, croppedToInstancesExtent: false)
            XCTAssertEqual([CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image)], [40, 20])
            let pixels = try XCTUnwrap(CVPixelBufferGetBaseAddress(image))
            func pixel(_ x: Int, _ y: Int) -> [UInt8] {
                (0..<4).map {
                    pixels.load(
                        fromByteOffset: y * CVPixelBufferGetBytesPerRow(image) + 4 * x + $0, as: UInt8.self)
                }
            }
            XCTAssertGreaterThan(pixel(10, 15)[3], 230)
            XCTAssertEqual(Double(pixel(10, 15)[0]), 200.0 * Double(pixel(10, 15)[3]) / 255, accuracy: 2)
            XCTAssertLessThan(pixel(10, 2)[3], 25)
            XCTAssertLessThanOrEqual(pixel(10, 2)[0], pixel(10, 2)[3])
        }
    }

    func testAnImageIsCroppedToTheObjects() throws {
        let found = try observation()
        let image = try found.generateMaskedImage(
            ofInstances: [1], from: handler(), croppedToInstancesExtent: true)
        let (width, height) = (CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
        XCTAssertTrue((12...30).contains(width), "\(width)")
        XCTAssertTrue((10...18).contains(height), "\(height)")
        // Without objects there is nothing to crop to.
        let none = try found.generateMaskedImage(ofInstances: [], from: handler(), croppedToInstancesExtent: true)
        XCTAssertEqual([CVPixelBufferGetWidth(none), CVPixelBufferGetHeight(none)], [40, 20])
    }

    func testTheMaskOfARegionOfInterestLiesThere() throws {
        // The lower half of the image.
        let found = try observation(region: CGRect(x: 0, y: 0, width: 1, height: 0.5))
        let scaled = FloatMap(try found.generateScaledMaskForImage(forInstances: [1], from: handler()))
        XCTAssertEqual([scaled.width, scaled.height], [40, 20])
        XCTAssertTrue((0..<10).allSatisfy { y in (0..<40).allSatisfy { scaled[$0, y] == 0 } })
        XCTAssertGreaterThan(scaled.values.max() ?? 0, 0.5)
    }

    func testImagesThatCannotBeReadAreErrors() throws {
        let found = try observation()
        let broken = VNImageRequestHandler(data: Data([1, 2, 3]))
        XCTAssertThrowsError(try found.generateScaledMaskForImage(forInstances: [1], from: broken)) {
            XCTAssertEqual(($0 as NSError).domain, VNErrorDomain)
        }
        let small = VNImageRequestHandler(
            cvPixelBuffer: try OddFrames.flat(1, 1, format: kCVPixelFormatType_OneComponent8, value: 3))
        let scaled = FloatMap(try found.generateScaledMaskForImage(forInstances: [1], from: small))
        XCTAssertEqual([scaled.width, scaled.height], [1, 1])
    }

    func testItOutlivesArchives() throws {
        let found = try observation(region: CGRect(x: 0.25, y: 0, width: 0.5, height: 1))
        let json = try JSONEncoder().encode(CodableObservation(found))
        let back = try JSONDecoder().decode(CodableObservation.self, from: json).observation
        XCTAssertEqual(back, found)
        let copy = try XCTUnwrap(back as? VNInstanceMaskObservation)
        XCTAssertEqual(copy.allInstances, [1, 2])
        XCTAssertEqual(copy.masks, found.masks)
        XCTAssertEqual(copy.region, found.region)
        let data = try NSKeyedArchiver.archivedData(withRootObject: found, requiringSecureCoding: true)
        XCTAssertEqual(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: VNInstanceMaskObservation.self, from: data), found)
        // Sizes that do not fit each other, and a region that is none.
        for (key, value) in [("region", [0, 0, 2, 1] as Any), ("labels", 3)] {
            var values = try XCTUnwrap(JSONSerialization.jsonObject(with: json) as? [String: Any])
            values[key] = value
            let damaged = try JSONSerialization.data(withJSONObject: values)
            XCTAssertThrowsError(try JSONDecoder().decode(CodableObservation.self, from: damaged))
        }
    }

    func testTheMaskOfARectangleOutlivesArchives() throws {
        let mask = VNPixelBufferObservation(
            pixelBuffer: try CVPixelBuffer.ofBytes([0, 255, 7, 9], width: 2, height: 2), featureName: nil,
            requestRevision: 1)
        let rectangle = VNRectangleObservation(
            uuid: UUID(), requestRevision: 1,
            corners: VNRectangleObservation.corners(of: CGRect(x: 0, y: 0, width: 0.5, height: 0.5)),
            globalSegmentationMask: mask)
        let json = try JSONEncoder().encode(CodableObservation(rectangle))
        let back = try JSONDecoder().decode(CodableObservation.self, from: json).observation
        XCTAssertEqual(back, rectangle)
        XCTAssertEqual((back as? VNRectangleObservation)?.globalSegmentationMask, mask)
        let without = VNRectangleObservation(requestRevision: 1, boundingBox: rectangle.boundingBox)
        XCTAssertNil(without.globalSegmentationMask)
    }
}
