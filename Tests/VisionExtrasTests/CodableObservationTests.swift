import Vision
import VisionExtras
import XCTest

final class CodableObservationTests: XCTestCase {
    func testObservationsSurviveJSON() throws {
        let registration = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: patternBuffer(x: 2))
        let tracking = VNTrackObjectRequest(
            detectedObjectObservation: VNDetectedObjectObservation(
                boundingBox: CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)))
        try VNImageRequestHandler(cvPixelBuffer: patternBuffer()).perform([registration, tracking])
        let observations: [VNObservation] =
            try [
                VNDetectedObjectObservation(boundingBox: CGRect(x: 0, y: 1.0 / 3, width: 1, height: 0.5)),
                VNRectangleObservation(
                    requestRevision: 3, topLeft: CGPoint(x: 0.2, y: 0.9), bottomLeft: CGPoint(x: 0.1, y: 0.3),
                    bottomRight: CGPoint(x: 0.8, y: 0.1), topRight: CGPoint(x: 0.7, y: 0.8)),
                XCTUnwrap(registration.results?.first), XCTUnwrap(tracking.results?.first),
            ]
        let data = try JSONEncoder().encode(observations.map(CodableObservation.init))
        let back = try JSONDecoder().decode([CodableObservation].self, from: data).map(\.observation)
        XCTAssertEqual(back, observations)
        XCTAssertEqual(back.map { "\(type(of: $0))" }, observations.map { "\(type(of: $0))" })
    }

    func testTheFormIsPlain() throws {
        let observation = VNDetectedObjectObservation(boundingBox: CGRect(x: 0, y: 0.5, width: 0.25, height: 1))
        let data = try JSONEncoder().encode(CodableObservation(observation))
        let object = try XCTUnwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
        XCTAssertEqual(Set(object.keys), ["type", "uuid", "confidence", "requestRevision", "boundingBox"])
        XCTAssertEqual(object["type"] as? String, "VNDetectedObjectObservation")
        XCTAssertEqual(object["uuid"] as? String, observation.uuid.uuidString)
        XCTAssertEqual((object["boundingBox"] as? [Any])?.count, 4)
    }

    func testWhatIsNoObservationIsRefused() {
        let uuid = UUID().uuidString
        let wrong = [
            "{}", #"{"type": "NSObject"}"#, #"{"type": "VNDetectedObjectObservation"}"#,
            #"{"type": "VNDetectedObjectObservation", "uuid": "x", "confidence": 1, "requestRevision": 0, "boundingBox": [0, 0, 1, 1]}"#,
            #"{"type": "VNDetectedObjectObservation", "uuid": "\#(uuid)", "confidence": 2, "requestRevision": 0, "boundingBox": [0, 0, 1, 1]}"#,
            #"{"type": "VNDetectedObjectObservation", "uuid": "\#(uuid)", "confidence": 1, "requestRevision": 0, "boundingBox": [0, 0, 1]}"#,
        ]
        for text in wrong {
            XCTAssertThrowsError(try JSONDecoder().decode(CodableObservation.self, from: Data(text.utf8)), text)
        }
    }
}
