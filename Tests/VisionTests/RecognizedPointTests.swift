import Foundation
import VisionExtras
import VisionImage
import XCTest

@testable import Vision

/// Observations of points by name, made up, so that no network is needed.
final class RecognizedPointTests: XCTestCase {
    private typealias Body = VNHumanBodyPoseObservation
    private typealias Hand = VNHumanHandPoseObservation

    private func values(_ count: Int) -> [PointValues] {
        (0..<count).map { index in
            let share = Double(index) / 32
            return (x: share, y: 1 - share / 2, confidence: share)
        }
    }

    private func body() -> Body {
        Body(points: values(19), confidence: 0.5, requestRevision: 1, timeRange: .zero)
    }

    private func hand() -> Hand {
        Hand(points: values(21), chirality: .left, confidence: 0.5, requestRevision: 1, timeRange: .zero)
    }

    private func space() -> VNHumanBodyPose3DObservation {
        VNHumanBodyPose3DObservation(
            positions: (0..<17).map { SIMD3(Float($0), 0.5, -1) },
            imagePoints: (0..<17).map { CGPoint(x: Double($0), y: 0.25) }, camera: [0.25, 0.5, 3], bodyHeight: 1.8,
            confidence: 0.75, requestRevision: 1, timeRange: .zero)
    }

    func testBodiesHaveApplesJointsAndGroups() throws {
        let pose = body()
        XCTAssertEqual(pose.availableJointNames.count, 19)
        XCTAssertEqual(Set(pose.availableJointNames).count, 19)
        XCTAssertEqual(
            Set(pose.availableJointsGroupNames),
            [.face, .torso, .leftArm, .rightArm, .leftLeg, .rightLeg, .all])
        XCTAssertEqual(try pose.recognizedPoints(.all).count, 19)
        XCTAssertEqual(Set(try pose.recognizedPoints(.leftArm).keys), [.leftShoulder, .leftElbow, .leftWrist])
        XCTAssertEqual(
            Set(try pose.recognizedPoints(.torso).keys),
            [.neck, .leftShoulder, .rightShoulder, .root, .leftHip, .rightHip])
        XCTAssertEqual(Body.JointName.leftElbow.rawValue.rawValue, "left_forearm_joint")
        let point = try pose.recognizedPoint(.leftEye)
        XCTAssertEqual(point.identifier, Body.JointName.leftEye.rawValue)
        XCTAssertEqual(try pose.recognizedPoint(forKey: point.identifier), point)
        XCTAssertEqual(point.location, CGPoint(x: 1.0 / 32, y: 1 - 1.0 / 64))
        XCTAssertEqual(point.confidence, 1.0 / 32)
    }

    func testHandsHaveApplesJointsAndGroups() throws {
        let pose = hand()
        XCTAssertEqual(Set(pose.availableJointNames).count, 21)
        XCTAssertEqual(
            Set(pose.availableJointsGroupNames),
            [.thumb, .indexFinger, .middleFinger, .ringFinger, .littleFinger, .all])
        XCTAssertEqual(Set(try pose.recognizedPoints(.thumb).keys), [.thumbCMC, .thumbMP, .thumbIP, .thumbTip])
        XCTAssertEqual(try pose.recognizedPoint(.wrist).x, 0)
        XCTAssertEqual(try pose.recognizedPoint(.littleTip).x, 20.0 / 32)
        XCTAssertEqual(VNChirality.left.rawValue, -1)
    }

    func testUnknownNamesGiveErrors() {
        let (pose, points) = (body(), space())
        let key = VNRecognizedPointKey(rawValue: "tail")
        let group = VNRecognizedPointGroupKey(rawValue: "wings")
        assertThrows(.invalidArgument) { _ = try pose.recognizedPoint(forKey: key) }
        assertThrows(.invalidArgument) { _ = try pose.recognizedPoint(.init(rawValue: key)) }
        assertThrows(.invalidArgument) { _ = try pose.recognizedPoints(forGroupKey: group) }
        assertThrows(.invalidArgument) { _ = try pose.recognizedPoints(.init(rawValue: group)) }
        assertThrows(.invalidArgument) { _ = try points.recognizedPoint(.init(rawValue: key)) }
        assertThrows(.invalidArgument) { _ = try points.recognizedPoints(.init(rawValue: group)) }
        assertThrows(.invalidArgument) { _ = try points.pointInImage(.init(rawValue: key)) }
        assertThrows(.invalidArgument) { _ = try points.cameraRelativePosition(.init(rawValue: key)) }
    }

    func testArraysHaveTheOrderOfActionClassifiers() throws {
        let array = try body().keypointsMultiArray()
        XCTAssertEqual(array.shape, [1, 3, 18])
        XCTAssertEqual(array.dataType, .float32)
        let pose = body()
        for (column, joint) in [(0, Body.JointName.nose), (1, .neck), (2, .rightShoulder), (17, .leftEar)] {
            let point = try pose.recognizedPoint(joint)
            XCTAssertEqual(array[[0, 0, NSNumber(value: column)]].doubleValue, point.x)
            XCTAssertEqual(array[[0, 1, NSNumber(value: column)]].doubleValue, point.y)
            XCTAssertEqual(array[[0, 2, NSNumber(value: column)]].floatValue, point.confidence)
        }
        let fingers = try hand().keypointsMultiArray()
        XCTAssertEqual(fingers.shape, [1, 3, 21])
        XCTAssertEqual(fingers[[0, 0, 20]].doubleValue, 20.0 / 32)
    }

    func testTheyOutliveArchivesAndJSON() throws {
        let all = [body(), hand(), space()] as [VNObservation]
        for observation in all {
            let data = try NSKeyedArchiver.archivedData(withRootObject: observation, requiringSecureCoding: true)
            XCTAssertEqual(
                try NSKeyedUnarchiver.unarchivedObject(ofClasses: [type(of: observation)], from: data)
                    as? VNObservation, observation)
        }
        let json = try JSONEncoder().encode(all.map(CodableObservation.init))
        let back = try JSONDecoder().decode([CodableObservation].self, from: json).map(\.observation)
        XCTAssertEqual(back, all)
        XCTAssertEqual((back[1] as? Hand)?.chirality, .left)
        XCTAssertEqual(try (back[0] as? Body)?.recognizedPoint(.rightAnkle), try body().recognizedPoint(.rightAnkle))
        XCTAssertEqual((back[2] as? VNHumanBodyPose3DObservation)?.cameraOriginMatrix.columns.3, [0.25, 0.5, 3, 1])
    }

    func testDamagedArchivesGiveErrors() throws {
        let broken: [(VNObservation, String, Any)] = [
            (body(), "points", [0.5]), (body(), "points", "text"), (hand(), "chirality", 7),
            (hand(), "points", [Double](repeating: 2, count: 63)), (space(), "positions", [1, 2]),
            (space(), "heightEstimation", 9), (space(), "camera", [1.0, 1e300, 0]),
        ]
        for (observation, key, value) in broken {
            let data = try JSONEncoder().encode(CodableObservation(observation))
            var values = try XCTUnwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
            XCTAssertNotNil(values[key], key)
            values[key] = value
            let json = try JSONSerialization.data(withJSONObject: values)
            XCTAssertThrowsError(try JSONDecoder().decode(CodableObservation.self, from: json), "\(key) \(value)")
        }
    }

    func testPointsOutliveArchives() throws {
        let matrix = simd_float4x4([1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16])
        let key = VNRecognizedPointKey(rawValue: "elbow")
        let points: [NSObject & NSSecureCoding] = [
            VNDetectedPoint(x: 1, y: 2, confidence: 0.5),
            VNRecognizedPoint(identifier: key, x: 1, y: 2, confidence: 0.5), VNPoint3D(position: matrix),
            VNRecognizedPoint3D(position: matrix, identifier: key),
            VNHumanBodyRecognizedPoint3D(
                position: matrix, localPosition: matrix.transpose, identifier: key, parentJoint: .spine),
        ]
        for point in points {
            let data = try NSKeyedArchiver.archivedData(withRootObject: point, requiringSecureCoding: true)
            let back = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [type(of: point)], from: data) as? NSObject
            XCTAssertTrue(point.isEqual(back), "\(type(of: point))")
        }
        XCTAssertFalse(points[0].isEqual(points[1]))
        XCTAssertNotEqual(
            VNDetectedPoint(x: 1, y: 2, confidence: 0.5), VNDetectedPoint(x: 1, y: 2, confidence: 0.25))
    }

    func testRequestsStateTheirJoints() throws {
        XCTAssertEqual(try VNDetectHumanBodyPoseRequest.supportedJointNames(forRevision: 1).count, 19)
        XCTAssertEqual(try VNDetectHumanBodyPoseRequest.supportedJointsGroupNames(forRevision: 1).count, 7)
        XCTAssertEqual(try VNDetectHumanHandPoseRequest.supportedJointNames(forRevision: 1).count, 21)
        XCTAssertEqual(try VNDetectHumanHandPoseRequest.supportedJointsGroupNames(forRevision: 1).count, 6)
        XCTAssertEqual(try VNDetectHumanBodyPoseRequest().supportedJointNames().count, 19)
        XCTAssertEqual(try VNDetectHumanHandPoseRequest().supportedJointsGroupNames().count, 6)
        XCTAssertEqual(try VNDetectHumanBodyPose3DRequest().supportedJointNames().count, 17)
        XCTAssertEqual(try VNDetectHumanBodyPose3DRequest().supportedJointsGroupNames().count, 7)
        assertThrows(.unsupportedRevision) {
            _ = try VNDetectHumanBodyPoseRequest.supportedJointNames(forRevision: 9)
        }
        let request = VNDetectHumanHandPoseRequest()
        XCTAssertEqual(request.maximumHandCount, 2)
        request.maximumHandCount = 5
        XCTAssertEqual((request.copy() as? VNDetectHumanHandPoseRequest)?.maximumHandCount, 5)
    }

    func testMatricesInvert() {
        let matrix = simd_float4x4([2, 1, 0, 0], [0, 3, 1, 0], [1, 0, 4, 0], [5, 6, 7, 1])
        let product = matrix * matrix.inverse
        for column in 0..<4 {
            for row in 0..<4 {
                XCTAssertEqual(product[column, row], column == row ? 1 : 0, accuracy: 1e-5)
            }
        }
        XCTAssertEqual(matrix.determinant, 25, accuracy: 1e-4)
        XCTAssertEqual(matrix.transpose.transpose, matrix)
        XCTAssertEqual(matrix * [0, 0, 0, 1], [5, 6, 7, 1])
        XCTAssertEqual(matrix * matrix_identity_float4x4, matrix)
    }
}
