import ModelTestSupport
import Vision
import VisionExtras
import XCTest

final class CodableObservationTests: XCTestCase {
    func testObservationsSurviveJSON() throws {
        let registration = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: patternBuffer(x: 2))
        let tracking = VNTrackObjectRequest(
            detectedObjectObservation: VNDetectedObjectObservation(
                boundingBox: CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)))
        tracking.revision = VNTrackObjectRequestRevision1
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

    func testResultsOfModelsSurviveJSON() throws {
        let image = patternBuffer()
        let requests = try [
            (#"{"labels": ["a", "b"]}"#, [("scores", [1, 2])]),
            (#"{"labels": ["a", "b"]}"#, [("confidence", [1, 2]), ("coordinates", [1, 4])]),
            ("{}", [("values", [3])]), (#"{"outputs": {"mask": {"type": "image"}}}"#, [("mask", [1, 1, 2, 2])]),
        ].map { json, outputs in
            let shapes = outputs.map(\.1)
            let session = try makeSession(
                inputs: [("image", .float32, [1, 3, 4, 4])], outputs: outputs.map { ($0.0, $0.1.map { $0 }) },
                shapes: { _ in shapes },
                body: { _ in shapes.map { (0..<$0.reduce(1, *)).map { Float($0 + 1) / 8 } } })
            return try VNCoreMLRequest(model: VNCoreMLModel(for: makeModel(session, json)))
        }
        try VNImageRequestHandler(cvPixelBuffer: image).perform(requests)
        let observations = requests.flatMap { $0.results ?? [] }
        XCTAssertEqual(
            observations.map { "\(type(of: $0))" },
            [
                "VNClassificationObservation", "VNClassificationObservation", "VNRecognizedObjectObservation",
                "VNCoreMLFeatureValueObservation", "VNPixelBufferObservation",
            ])
        let data = try JSONEncoder().encode(observations.map(CodableObservation.init))
        XCTAssertEqual(try JSONDecoder().decode([CodableObservation].self, from: data).map(\.observation), observations)
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

    private func detected(uuid: String, confidence: Int, box: String) -> String {
        #"{"type": "VNDetectedObjectObservation", "uuid": "\#(uuid)", "confidence": \#(confidence), "#
            + #""requestRevision": 0, "boundingBox": \#(box)}"#
    }

    func testWhatIsNoObservationIsRefused() {
        let uuid = UUID().uuidString
        let wrong = [
            "{}", #"{"type": "NSObject"}"#, #"{"type": "VNDetectedObjectObservation"}"#,
            detected(uuid: "x", confidence: 1, box: "[0, 0, 1, 1]"),
            detected(uuid: uuid, confidence: 2, box: "[0, 0, 1, 1]"),
            detected(uuid: uuid, confidence: 1, box: "[0, 0, 1]"),
        ]
        for text in wrong {
            XCTAssertThrowsError(try JSONDecoder().decode(CodableObservation.self, from: Data(text.utf8)), text)
        }
    }
}
