import VisionImage
import XCTest

@testable import VisionModels

/// How poses are judged: of joints with a peak of 0.8 along the diagonal of an image of 100 × 100 pixels.
final class BodyPoseQualityTests: XCTestCase {
    private let image = PixelRegion(x: 0, y: 0, width: 100, height: 100)
    private let decisive = BodyJoint.decisiveLandmarks

    /// - Parameter outside: The number of decisive joints that lie below the image.
    private func pose(outside: Int, peak: Double = 0.8) -> BodyPose {
        var landmarks = [BodyPose.Landmark](
            repeating: .init(position: SIMD2(50, 50), depth: 0, presence: 1, visibility: 1, peak: 0),
            count: BodyPose.outputCount)
        for (number, index) in decisive.enumerated() {
            let isOutside = number >= decisive.count - outside
            let place = Double(4 + 7 * number)
            landmarks[index].position = isOutside ? SIMD2(place, 180) : SIMD2(place, place)
            landmarks[index].peak = isOutside ? 0 : peak
        }
        return BodyPose(
            landmarks: landmarks, world: [SIMD3<Double>](repeating: .zero, count: BodyPose.landmarkCount), presence: 1,
            crop: ImagePatch(centre: SIMD2(50, 50), side: 100, size: PoseNetwork.side))
    }

    func testJointsOutsideOfTheImageSayNothing() {
        XCTAssertEqual(decisive.count, 13)
        for outside in 0...8 {
            let pose = pose(outside: outside)
            XCTAssertEqual(pose.visibleCount(in: image), 13 - outside)
            XCTAssertEqual(pose.quality(in: image, of: image), 0.8, accuracy: 1e-12, "\(outside)")
            XCTAssertEqual(pose.clarity, 0.8 * Double(13 - outside) / 13, accuracy: 1e-12, "\(outside)")
        }
        // With fewer than five joints the others count as not seen.
        XCTAssertEqual(pose(outside: 11).quality(in: image, of: image), 0.8 * 2 / 5, accuracy: 1e-12)
        XCTAssertEqual(pose(outside: 13).quality(in: image, of: image), 0)
        XCTAssertEqual(pose(outside: 13).confidence(within: image), 0)
    }

    func testJointsOutsideOfTheBoxAreAnotherPersons() {
        let pose = pose(outside: 0)
        // Of the joints at 4, 11, … 88 those up to 40 · 1.15 = 46 are near the box.
        let box = PixelRegion(x: 0, y: 0, width: 40, height: 40)
        XCTAssertEqual(pose.quality(in: box, of: image), 0.8 * 7 / 13, accuracy: 1e-12)
        // If the other boxes are known, only those in them: at 60, 67 and 74.
        let other = PixelRegion(x: 55, y: 55, width: 20, height: 20)
        XCTAssertEqual(pose.quality(in: box, others: [other], of: image), 0.8 * 10 / 13, accuracy: 1e-12)
        XCTAssertEqual(pose.quality(in: box, others: [], of: image), 0.8, accuracy: 1e-12)
    }

    func testTheConfidenceIsThatOfTheJointsInTheImage() {
        let all = pose(outside: 0).confidence(within: image)
        XCTAssertGreaterThan(all, 0.5)
        XCTAssertEqual(pose(outside: 6).confidence(within: image), all, accuracy: 1e-12)
        XCTAssertLessThan(pose(outside: 0, peak: 0.3).confidence(within: image), all)
    }
}
