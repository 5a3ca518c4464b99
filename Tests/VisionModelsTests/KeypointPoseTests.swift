import Foundation
import VisionImage
import XCTest

@testable import VisionModels

/// The joints that the maps of a network state, and the poses made of them.
final class KeypointPoseTests: XCTestCase {
    private let side = 8

    /// Returns the maps of a body: its centre, a heat map with one peak for each joint, and displacements to it.
    private func withMaps<Result>(
        centre: SIMD2<Int>, joints: [SIMD2<Int>], distractor: SIMD2<Int>? = nil, _ body: (KeypointMaps) -> Result
    ) -> Result {
        let cells = side * side
        func index(_ cell: SIMD2<Int>) -> Int { cell.y * side + cell.x }
        let maps = MoveNetFile.heads.map { head in
            let map = UnsafeMutableBufferPointer<Float>.allocate(capacity: head.channels * cells)
            map.initialize(repeating: head.channels <= KeypointPose.count ? -6 : 0)
            return map
        }
        defer { maps.forEach { $0.deallocate() } }
        maps[0][index(centre)] = 2
        for (joint, cell) in joints.enumerated() {
            maps[1][joint * cells + index(cell)] = 1
            if let distractor { maps[1][joint * cells + index(distractor)] = 1.5 }
            (maps[2][2 * joint * cells + index(cell)], maps[2][(2 * joint + 1) * cells + index(cell)]) = (0.25, 0.5)
            maps[3][2 * joint * cells + index(centre)] = Float(cell.y - centre.y)
            maps[3][(2 * joint + 1) * cells + index(centre)] = Float(cell.x - centre.x)
        }
        return body(KeypointMaps(maps, side: side))
    }

    func testJointsAreReadNearWhereTheCentreStatesThem() {
        let joints = (0..<KeypointPose.count).map { SIMD2($0 % 4, 1 + $0 / 4) }
        withMaps(centre: SIMD2(3, 4), joints: joints, distractor: SIMD2(7, 7)) { maps in
            XCTAssertEqual(maps.centre(reach: 0.3), SIMD2(3, 4))
            for (joint, cell) in joints.enumerated() {
                let found = maps.joint(joint, of: SIMD2(3, 4), reach: 1.8)
                XCTAssertEqual(found.position, SIMD2(Double(cell.x) + 0.5, Double(cell.y) + 0.25), "\(joint)")
                XCTAssertEqual(found.confidence, 1 / (1 + exp(-1)), accuracy: 1e-6)
            }
        }
    }

    func testOfTwoBodiesTheOneInTheMiddleCounts() {
        let joints = [SIMD2<Int>](repeating: SIMD2(1, 1), count: KeypointPose.count)
        withMaps(centre: SIMD2(4, 3), joints: joints) { maps in
            XCTAssertEqual(maps.centre(reach: 0.3), SIMD2(4, 3))
        }
        withMaps(centre: SIMD2(0, 7), joints: joints) { maps in
            XCTAssertEqual(maps.centre(reach: 0.3), SIMD2(0, 7), "a sole body counts wherever it is")
        }
    }

    private func pose(at offset: SIMD2<Double> = .zero, size: Double = 100, confidence: Double = 0.9) -> KeypointPose {
        KeypointPose(
            keypoints: (0..<KeypointPose.count).map {
                KeypointPose.Keypoint(
                    position: offset + SIMD2(Double($0 % 2) * size / 2, Double($0) / 16 * size), confidence: confidence)
            })
    }

    func testConfidenceIsThatOfTheJointsInTheRegion() {
        let all = PixelRegion(x: -10, y: -10, width: 200, height: 200)
        XCTAssertEqual(pose().confidence(within: all), 0.9, accuracy: 1e-9)
        XCTAssertEqual(pose().upperConfidence, 0.9, accuracy: 1e-9)
        // Six decisive joints lie in it.
        let top = PixelRegion(x: -10, y: -10, width: 200, height: 67)
        XCTAssertEqual(pose().confidence(within: top), 0.9, accuracy: 1e-9)
        XCTAssertEqual(pose().confidence(.nose, within: top), 0.9, accuracy: 1e-9)
        XCTAssertEqual(pose().confidence(.leftAnkle, within: top), 0.18, accuracy: 1e-9)
        XCTAssertEqual(pose().confidence(.root, within: top), 0.18, accuracy: 1e-9)
        // One joint of five: chance would decide.
        XCTAssertEqual(
            pose().confidence(within: PixelRegion(x: -1, y: -1, width: 2, height: 2)), 0.18, accuracy: 1e-9)
    }

    func testNeckAndRootAreMeansAndExtentsThoseOfTheDecisiveJoints() {
        let pose = pose(at: SIMD2(10, 20))
        XCTAssertEqual(
            pose.position(.neck), (pose.position(.leftShoulder) + pose.position(.rightShoulder)) / 2)
        XCTAssertEqual(pose.position(.root), (pose.position(.leftHip) + pose.position(.rightHip)) / 2)
        XCTAssertEqual(pose.extent, PixelRegion(x: 10, y: 20, width: 50, height: 100))
        XCTAssertTrue(pose.extent.contains(pose.middle))
    }

    func testPosesThatAreNearAreOnePerson() {
        let found = [0.5, 0.9, 0.7].map { score in
            FoundKeypoints(pose: pose(at: SIMD2(score == 0.7 ? 40 : score, 0)), score: score)
        }
        XCTAssertEqual(KeypointFinder.distinct(found).map(\.score), [0.9, 0.7])
        XCTAssertEqual(pose().distance(to: pose(at: SIMD2(10, 0))), 0.1, accuracy: 1e-9)
    }

    func testPosesWhoseSeenJointsCoincideAreOnePerson() {
        let whole = pose(confidence: 0.9)
        // Head and arms as in the other pose, hips and legs guessed elsewhere.
        let half = KeypointPose(
            keypoints: whole.keypoints.enumerated().map { index, keypoint in
                KeypointPose.Keypoint(
                    position: keypoint.position + (index < 11 ? .zero : SIMD2(60, 0)),
                    confidence: index < 11 ? 0.8 : 0.1)
            })
        XCTAssertGreaterThan(whole.distance(to: half), 0.15)
        XCTAssertLessThan(whole.seenDistance(to: half), 0.05)
        let found = [FoundKeypoints(pose: half, score: 0.4), FoundKeypoints(pose: whole, score: 0.7)]
        XCTAssertEqual(KeypointFinder.distinct(found).map(\.score), [0.7])
        // Where no joint is sure, none counts more than the others.
        for confidence in [0, 1e-300, 0.2] {
            let one = pose(confidence: confidence)
            let other = pose(at: SIMD2(10, 0), confidence: confidence)
            XCTAssertEqual(one.seenDistance(to: other), 0.1, accuracy: 1e-9, "\(confidence)")
        }
    }

    func testConfidencesRiseWithTheHeatMap() {
        let values = stride(from: 0, through: 1, by: 0.05).map { PoseConfidence.probability(keypoint: $0) }
        XCTAssertEqual(values, values.sorted())
        XCTAssertTrue(values.allSatisfy { $0 > 0 && $0 < 1 })
        XCTAssertEqual(PoseConfidence.probability(keypoint: 0.5), 0.666, accuracy: 0.001)
    }
}
