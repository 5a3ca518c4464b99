import ModelTestSupport
import Vision
import VisionModels
import XCTest

/// How requests about faces follow each other: behaviours that programs written for Apple's framework count on.
final class FacePipelineTests: XCTestCase {
    private func requireFaceNetworks() throws {
        try requireModel {
            _ = try FaceDetector(.upright)
            _ = try FaceLandmarkFinder()
        }
    }

    private let drawn = [DrawnFace(x: 150, y: 150, size: 90), DrawnFace(x: 400, y: 160, size: 110, roll: 0.7)]

    private func handler() -> VNImageRequestHandler {
        VNImageRequestHandler(cvPixelBuffer: DrawnFace.buffer(drawn, width: 560, height: 320))
    }

    func testImplicitAndExplicitPipelinesGiveTheSameLandmarks() throws {
        try requireFaceNetworks()
        let flow = try FaceLandmarkFlow(imageHandler: handler(), otherHandler: handler())
        XCTAssertEqual(flow.detected.count, 2)
        XCTAssertTrue(flow.detected.allSatisfy { $0.landmarks == nil })
        XCTAssertEqual(flow.implicit.count, 2)
        XCTAssertEqual(flow.explicit.map(\.uuid), flow.detected.map(\.uuid))
        XCTAssertEqual(flow.explicit.map(\.boundingBox), flow.detected.map(\.boundingBox))
        XCTAssertEqual(flow.explicit.map(\.roll), flow.detected.map(\.roll))
        XCTAssertEqual(flow.implicit.map(\.boundingBox), flow.detected.map(\.boundingBox))
        for (one, other) in zip(flow.implicit, flow.explicit) {
            XCTAssertNotNil(one.landmarks)
            XCTAssertEqual(one.landmarks, other.landmarks)
        }
    }

    func testTheInputIsNotChanged() throws {
        try requireFaceNetworks()
        let handler = handler()
        let faces = VNDetectFaceRectanglesRequest()
        try handler.perform([faces])
        let input = try XCTUnwrap(faces.results)
        let before = try input.map { face in
            let data = try NSKeyedArchiver.archivedData(withRootObject: face, requiringSecureCoding: true)
            return try NSKeyedUnarchiver.unarchivedObject(ofClass: VNFaceObservation.self, from: data)
        }
        let request = VNDetectFaceLandmarksRequest()
        request.inputFaceObservations = input
        try handler.perform([request])
        let results = try XCTUnwrap(request.results)
        for (face, result) in zip(input, results) {
            XCTAssertFalse(face === result)
            XCTAssertNil(face.landmarks)
            XCTAssertNotNil(result.landmarks)
            XCTAssertEqual(result.requestRevision, 3)
        }
        XCTAssertEqual(before, input)
    }

    func testOnlyTheGivenFacesInTheirOrderAndWithoutTheDetector() throws {
        try requireFaceNetworks()
        let first = VNDetectFaceRectanglesRequest()
        try handler().perform([first])
        let faces = try XCTUnwrap(first.results)
        let fresh = handler()
        let request = VNDetectFaceLandmarksRequest()
        request.inputFaceObservations = [faces[1]]
        try fresh.perform([request])
        XCTAssertEqual(request.results?.map(\.uuid), [faces[1].uuid])
        // The mesh and the irises of one face; the detector's runs would come on top.
        XCTAssertEqual(fresh.core.networkRunCount, 2)
        request.inputFaceObservations = [faces[1], faces[0]]
        try fresh.perform([request])
        XCTAssertEqual(request.results?.map(\.uuid), [faces[1].uuid, faces[0].uuid])
        XCTAssertEqual(fresh.core.networkRunCount, 4)
    }

    func testImplicitRequestsShareTheDetectorAndTheLandmarks() throws {
        try requireFaceNetworks()
        let alone = handler()
        try alone.perform([VNDetectFaceRectanglesRequest()])
        let search = alone.core.networkRunCount
        let handler = handler()
        let faces = VNDetectFaceRectanglesRequest()
        let landmarks = VNDetectFaceLandmarksRequest()
        let fewer = VNDetectFaceLandmarksRequest()
        fewer.constellation = .constellation65Points
        let other = self.handler()
        try other.perform([VNDetectFaceRectanglesRequest()])
        try handler.perform([faces, landmarks, fewer])
        // One search, and for each of two faces its mesh and its irises.
        XCTAssertEqual(handler.core.networkRunCount, search + 4)
        let later = VNDetectFaceLandmarksRequest()
        later.inputFaceObservations = faces.results
        try handler.perform([later])
        XCTAssertEqual(handler.core.networkRunCount, search + 4)
        XCTAssertEqual(later.results?.map(\.landmarks), landmarks.results?.map(\.landmarks))
    }

    func testFacesThatHaveLandmarksComeBackAsTheyAre() throws {
        try requireFaceNetworks()
        let handler = handler()
        let first = VNDetectFaceLandmarksRequest()
        first.revision = 2
        try handler.perform([first])
        let known = try XCTUnwrap(first.results?.first)
        let runs = handler.core.networkRunCount
        let second = VNDetectFaceLandmarksRequest()
        second.inputFaceObservations = [known]
        try handler.perform([second])
        XCTAssertTrue(try XCTUnwrap(second.results?.first) === known)
        XCTAssertEqual(known.landmarks?.allPoints?.pointCount, 65)
        XCTAssertEqual(handler.core.networkRunCount, runs)
    }

    func testRequestsThatAcceptFacesAreKnownByTheirProtocol() throws {
        let request: VNRequest = VNDetectFaceLandmarksRequest()
        let accepting = try XCTUnwrap(request as? VNFaceObservationAccepting)
        XCTAssertNil(accepting.inputFaceObservations)
        let face = VNFaceObservation(boundingBox: CGRect(x: 0, y: 0, width: 1, height: 1))
        accepting.inputFaceObservations = [face]
        let copy = try XCTUnwrap(request.copy() as? VNDetectFaceLandmarksRequest)
        XCTAssertEqual(copy.inputFaceObservations, [face])
    }

    func testRegionsListTheirPointsAsOneWritesItForApplesFramework() throws {
        try requireFaceNetworks()
        let lines = try landmarkReport(handler: handler())
        XCTAssertEqual(lines.count, 2)
        for line in lines {
            XCTAssertTrue(line.hasPrefix("76 points, confidence 0."), line)
            XCTAssertTrue(line.contains("leftEye 6"), line)
        }
    }
}
