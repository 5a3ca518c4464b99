import CoreML
import ModelTestSupport
import Vision
import XCTest

final class CoreMLObservationTests: XCTestCase {
    private func observations() throws -> [VNObservation] {
        let image = GreyFrame(width: 64, height: 64) { x, y in x > 20 && y > 30 ? 255 : 3 }
        let models = [
            try fixedClassifier(["a", "b"], [-3, 12]), try brightBoxDetector(), try imageEcho(width: 3, height: 2),
            try imageEcho(width: 3, height: 2, #"{"outputs": {"echo": {"type": "image"}}}"#),
        ]
        let requests = try models.map { try VNCoreMLRequest(model: VNCoreMLModel(for: $0)) }
        try VNImageRequestHandler(cvPixelBuffer: image.pixelBuffer()).perform(requests)
        return requests.flatMap { $0.results ?? [] }
    }

    func testArchivesKeepEveryKindOfResult() throws {
        let observations = try observations()
        XCTAssertEqual(
            Set(observations.map { "\(type(of: $0))" }),
            [
                "VNClassificationObservation", "VNRecognizedObjectObservation", "VNPixelBufferObservation",
                "VNCoreMLFeatureValueObservation",
            ])
        for observation in observations {
            let data = try NSKeyedArchiver.archivedData(withRootObject: observation, requiringSecureCoding: true)
            let back = try XCTUnwrap(NSKeyedUnarchiver.unarchivedObject(ofClass: type(of: observation), from: data))
            XCTAssertEqual(back, observation)
            XCTAssertEqual(back.confidence, observation.confidence)
        }
        let object = try XCTUnwrap(observations.compactMap { $0 as? VNRecognizedObjectObservation }.first)
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        let back = try XCTUnwrap(
            NSKeyedUnarchiver.unarchivedObject(ofClass: VNRecognizedObjectObservation.self, from: data))
        XCTAssertEqual(back.labels, object.labels)
        XCTAssertEqual(back.boundingBox, object.boundingBox)
    }

    func testResultsOfOneRequestDiffer() throws {
        let observations = try observations()
        for (index, observation) in observations.enumerated() {
            for other in observations.dropFirst(index + 1) { XCTAssertNotEqual(observation, other) }
        }
    }
}
