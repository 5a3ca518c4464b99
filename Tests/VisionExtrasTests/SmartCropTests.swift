import Foundation
import VisionExtras
import VisionImage
import XCTest

@testable import Vision

final class SmartCropTests: XCTestCase {
    private let size = CGSize(width: 680, height: 340)

    /// A map with a square of 8 × 8 positions.
    private func map(x: Int, y: Int) throws -> VNSaliencyImageObservation {
        var created: CVPixelBuffer?
        CVPixelBufferCreate(nil, 68, 68, kCVPixelFormatType_OneComponent32Float, nil, &created)
        let buffer = try XCTUnwrap(created)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let pixels = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        for row in 0..<68 {
            for column in 0..<68 {
                let inside = (x..<x + 8).contains(column) && (y..<y + 8).contains(row)
                pixels.storeBytes(
                    of: inside ? 0.9 : 0.01,
                    toByteOffset: row * CVPixelBufferGetBytesPerRow(buffer) + 4 * column, as: Float.self)
            }
        }
        return VNSaliencyImageObservation(
            pixelBuffer: buffer, salientObjects: nil, requestRevision: 1, timeRange: .zero)
    }

    func testTheCropIsTheLargestOfItsAspectRatioAndInsideTheImage() throws {
        let crop = SmartCrop(saliency: [try map(x: 4, y: 50)])
        for ratio in [0.05, 0.5, 1, 1.9, 2, 2.1, 16.0 / 9, 30] {
            let box = crop.box(aspectRatio: ratio, imageSize: size)
            XCTAssertEqual(box.width / box.height, ratio, accuracy: 1e-9)
            XCTAssertTrue(box.width > 679.999 || box.height > 339.999, "\(ratio)")
            XCTAssertTrue(
                box.minX >= -1e-9 && box.minY >= -1e-9 && box.maxX <= 680 + 1e-9 && box.maxY <= 340 + 1e-9, "\(ratio)")
        }
    }

    func testWhatIsSalientIsKeptInTheMiddle() throws {
        // The square's middle is at 520 of 680 pixels from the left.
        let right = SmartCrop(saliency: [try map(x: 48, y: 30)]).box(aspectRatio: 1, imageSize: size)
        XCTAssertEqual(right.midX, 510, accuracy: 20)
        let left = SmartCrop(saliency: [try map(x: 0, y: 30)]).box(aspectRatio: 1, imageSize: size)
        XCTAssertLessThan(left.minX, 40)
        // Maps have their origin at the top, boxes at the bottom.
        let top = SmartCrop(saliency: [try map(x: 30, y: 2)]).box(aspectRatio: 4, imageSize: size)
        XCTAssertGreaterThan(top.midY, 220)
    }

    func testFacesWeighMoreThanWhatIsSalientElsewhere() throws {
        let face = VNFaceObservation(boundingBox: CGRect(x: 0.02, y: 0.4, width: 0.1, height: 0.2))
        let box = SmartCrop(saliency: [try map(x: 58, y: 30)], faces: [face]).box(aspectRatio: 1, imageSize: size)
        XCTAssertLessThanOrEqual(box.minX, 0.02 * 680)
        XCTAssertGreaterThanOrEqual(box.maxX, 0.12 * 680)
    }

    func testWithoutAnythingTheMiddleIsKept() {
        let box = SmartCrop(saliency: []).box(aspectRatio: 1, imageSize: size)
        XCTAssertEqual(box.midX, 340, accuracy: 2)
        let odd = SmartCrop(saliency: []).box(aspectRatio: .nan, imageSize: size)
        XCTAssertEqual(odd, CGRect(x: 0, y: 0, width: 680, height: 340))
    }
}
