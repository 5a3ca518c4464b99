import VisionImage
import XCTest

@testable import VisionModels

/// Poses of several crops of one person, in crops of 100 pixels.
final class PoseFusionTests: XCTestCase {
    private typealias Candidate = (pose: BodyPose, quality: Double)

    /// - Parameter moved: Landmarks that lie elsewhere than in the other poses, and by how much.
    private func candidate(
        quality: Double, peak: Double = 0.9, moved: [Int: SIMD2<Double>] = [:], unseen: Set<Int> = []
    ) -> Candidate {
        let landmarks = (0..<BodyPose.outputCount).map { index in
            BodyPose.Landmark(
                position: SIMD2(Double(index), 2 * Double(index)) + (moved[index] ?? .zero), depth: 0, presence: 1,
                visibility: 1, peak: unseen.contains(index) ? 0 : peak)
        }
        let pose = BodyPose(
            landmarks: landmarks, world: [SIMD3<Double>](repeating: .zero, count: BodyPose.landmarkCount), presence: 1,
            crop: ImagePatch(centre: SIMD2(50, 50), side: 100, size: PoseNetwork.side))
        return (pose, quality)
    }

    private let decisive = BodyJoint.decisiveLandmarks

    func testEqualPosesAgreeAndSinglePosesDoNot() {
        XCTAssertEqual(PoseFusion.agreement(of: []), 0)
        XCTAssertEqual(PoseFusion.agreement(of: [candidate(quality: 0.7)]), 0)
        let two = [candidate(quality: 0.7), candidate(quality: 0.5, peak: 0.3)]
        XCTAssertEqual(PoseFusion.agreement(of: two), 1, accuracy: 1e-12)
    }

    func testEachJointThatLiesElsewhereCountsByHowWellItIsSeen() {
        let elbow = decisive[3]
        let far: [Int: SIMD2<Double>] = [elbow: SIMD2(60, 0)]
        let share = 1 - 1 / Double(decisive.count)
        XCTAssertEqual(
            PoseFusion.agreement(of: [candidate(quality: 0.7), candidate(quality: 0.5, moved: far)]), share,
            accuracy: 1e-6)
        // The best pose does not see it: where it lies says nothing.
        let blind = candidate(quality: 0.7, unseen: [elbow])
        XCTAssertEqual(
            PoseFusion.agreement(of: [blind, candidate(quality: 0.5, moved: far)]), 1, accuracy: 1e-12)
    }

    func testPosesWithoutPeaksDoNotAgree() {
        let none = candidate(quality: 0, peak: 0)
        XCTAssertEqual(PoseFusion.agreement(of: [none, none]), 0)
    }

    func testAJointGoesWhereMostPosesHaveIt() throws {
        let wrist = decisive[5]
        let poses = [
            candidate(quality: 0.9, moved: [wrist: SIMD2(40, 0)]), candidate(quality: 0.8),
            candidate(quality: 0.8, moved: [wrist: SIMD2(0, 1)]),
        ]
        let joined = try XCTUnwrap(PoseFusion.joined(poses))
        let expected = SIMD2(Double(wrist), 2 * Double(wrist) + 0.5)
        XCTAssertEqual(joined.landmarks[wrist].position.x, expected.x, accuracy: 0.05)
        XCTAssertEqual(joined.landmarks[wrist].position.y, expected.y, accuracy: 0.05)
        XCTAssertNil(PoseFusion.joined([]))
    }
}
