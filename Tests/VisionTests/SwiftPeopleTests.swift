import ModelTestSupport
import VisionModels
import XCTest

@testable import Vision

/// People in the Swift API: poses and masks are those of the classic requests.
final class SwiftPeopleTests: XCTestCase {
    private let body = DrawnBody.person(x: 160, top: 20, height: 200)
    private var image: CVPixelBuffer { DrawnBody.buffer([body], width: 320, height: 240) }

    private func results(_ request: VNRequest) throws -> [VNObservation] {
        try VNImageRequestHandler(cvPixelBuffer: image).perform([request])
        return try XCTUnwrap(request.results)
    }

    func testBodiesHaveTheJointsOfTheClassicRequest() async throws {
        _ = try requireModel { try KeypointFinder() }
        let expected = try results(VNDetectHumanBodyPoseRequest())
        let found = try await DetectHumanBodyPoseRequest().perform(on: image)
        XCTAssertEqual(values(found.map(\.classic)), values(expected))
        let pose = try XCTUnwrap(found.first)
        XCTAssertEqual(pose.availableJointNames.count, 19)
        XCTAssertEqual(Set(pose.availableJointsGroupNames), Set(HumanBodyPoseObservation.JointsGroupName.allCases))
        let (nose, root) = (try XCTUnwrap(pose.joint(for: .nose)), try XCTUnwrap(pose.joint(for: .root)))
        XCTAssertGreaterThan(nose.location.y, root.location.y)
        XCTAssertGreaterThan(nose.distance(to: root), 0.2)
        XCTAssertEqual(pose.allJoints().count, 19)
        XCTAssertEqual(
            Set(pose.allJoints(in: .leftLeg).keys.map(\.rawValue)).subtracting(["root"]),
            ["leftHip", "leftKnee", "leftAnkle"])
        // As Apple's: without the root.
        XCTAssertEqual(try pose.keypoints.count, 18 * 3)
        let back = try JSONDecoder().decode(
            [HumanBodyPoseObservation].self, from: try JSONEncoder().encode(found))
        XCTAssertEqual(back, found)
    }

    func testABodyInSpaceIsThatOfTheClassicRequest() async throws {
        _ = try requireModel { try KeypointFinder() }
        let expected = try results(VNDetectHumanBodyPose3DRequest())
        let found = try await DetectHumanBodyPose3DRequest().perform(on: image)
        XCTAssertEqual(values(found.map(\.classic)), values(expected))
        let pose = try XCTUnwrap(found.first)
        XCTAssertEqual(pose.allJoints().count, 17)
        XCTAssertEqual(pose.parentJointName(for: .leftAnkle), .leftKnee)
        XCTAssertEqual(pose.bodyHeight.converted(to: .meters).value, 1.8, accuracy: 1e-6)
        let head = try XCTUnwrap(pose.joint(for: .topHead))
        XCTAssertGreaterThan(head.position[3].y, 0.3)
        XCTAssertLessThan(pose.cameraRelativePosition(for: .root)[3].z, 0)
        let joint = try JSONDecoder().decode(Joint3D.self, from: try JSONEncoder().encode(head))
        XCTAssertEqual(joint, head)
    }

    func testABodyInSpaceIsFollowedWhateverElseIsPerformed() async throws {
        _ = try requireModel { try KeypointFinder() }
        let (alone, beside) = (DetectHumanBodyPose3DRequest(), DetectHumanBodyPose3DRequest())
        for shift in [0.0, 4, 8] {
            let frame = DrawnBody.buffer(
                [DrawnBody.person(x: 150 + shift, top: 20, height: 200)], width: 320, height: 240)
            let expected = try await alone.perform(on: frame)
            let (flat, found) = try await ImageRequestHandler(frame).perform(DetectHumanBodyPoseRequest(), beside)
            XCTAssertEqual(values(found.map(\.classic)), values(expected.map(\.classic)), "\(shift)")
            let image = try await DetectHumanBodyPoseRequest().perform(on: frame)
            XCTAssertEqual(values(flat.map(\.classic)), values(image.map(\.classic)), "\(shift)")
        }
    }

    func testMasksOfPeopleAreThoseOfTheClassicRequests() async throws {
        _ = try requireModel { try PersonMaskNetwork.shared(.people) }
        _ = try requireModel { try PersonMaskNetwork.shared(.body) }
        let classic = VNGeneratePersonSegmentationRequest()
        classic.qualityLevel = .balanced
        let request = GeneratePersonSegmentationRequest()
        request.qualityLevel = .balanced
        let mask = try await request.perform(on: image)
        XCTAssertEqual(values([mask.classic]), values(try results(classic)))
        XCTAssertGreaterThan(mask.pixel(at: NormalizedPoint(x: 0.5, y: 0.6)), 0.5)
        XCTAssertLessThan(mask.pixel(at: NormalizedPoint(x: 0.05, y: 0.5)), 0.5)
        XCTAssertEqual(request.supportedOutputPixelFormats.count, 3)

        let handler = ImageRequestHandler(image)
        let result = try await handler.perform(GeneratePersonInstanceMaskRequest())
        let people = try XCTUnwrap(result)
        XCTAssertEqual(values([people.classic]), values(try results(VNGeneratePersonInstanceMaskRequest())))
        XCTAssertEqual(people.allInstances, [1])
        XCTAssertEqual(people.instanceAtPoint(NormalizedPoint(x: 0.5, y: 0.6)), [1])
        XCTAssertEqual(people.instanceAtPoint(NormalizedPoint(x: 0.05, y: 0.5)), [])
        let scaled = try people.generateScaledMask(for: [1], scaledToImageFrom: handler)
        XCTAssertEqual([CVPixelBufferGetWidth(scaled), CVPixelBufferGetHeight(scaled)], [320, 240])
        XCTAssertThrowsError(try people.generateMask(for: [7])) { XCTAssertTrue($0 is VisionError) }
    }

    func testAnImageWithoutHandsHasNone() async throws {
        _ = try requireModel { try HandFinder() }
        let plain = GreyFrame(width: 320, height: 240) { x, y in UInt8(100 + (x / 16 + y / 16) % 2 * 20) }
        var request = DetectHumanHandPoseRequest()
        request.maximumHandCount = 1
        let hands = try await request.perform(on: plain.pixelBuffer())
        XCTAssertEqual(hands, [])
        XCTAssertEqual(request.supportedJointNames.count, 21)
    }
}
