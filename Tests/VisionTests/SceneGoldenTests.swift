import VisionImage
import VisionModels
import XCTest

@testable import Vision

/// A revision gives the same numbers in every version: from the pixels of an image, through scaling and network, to the
/// observations. Measured once; instruction sets and C libraries differ in the last bits, hence the tolerances.
///
/// A change here breaks what users have stored: it needs a new revision, not new numbers.
final class SceneGoldenTests: XCTestCase {
    private struct Golden {
        let revision: Int
        let drawing: Drawing
        /// Every 125th score.
        let logits: [Float]
        /// Of some classes.
        let confidences: [String: Float]
    }

    private let golden = [
        Golden(
            revision: 1, drawing: .clock,
            logits: [-0.59936, -0.60680, -0.03423, 0.67644, 0.47248, -0.48159, 0.37470, -0.57218],
            confidences: ["clock": 0.99967, "analog_clock": 0.88857, "animal": 0.00086, "dog": 0.00009]),
        Golden(
            revision: 1, drawing: .spiderWeb,
            logits: [1.36557, -0.71449, 0.19142, -0.47309, -0.75208, -0.61181, 0.89994, -0.35315],
            confidences: ["spider_web": 0.98658, "animal": 0.01773, "dog": 0.00097, "clock": 0.00023]),
        Golden(
            revision: 2, drawing: .clock,
            logits: [-0.40033, -1.14937, 0.50586, -0.29727, 0.40676, -0.80067, 0.13212, 0.00793],
            confidences: ["clock": 0.99489, "analog_clock": 0.89238, "animal": 0.03904, "dog": 0.00477]),
        Golden(
            revision: 2, drawing: .spiderWeb,
            logits: [-0.49618, -1.76195, -1.08352, -0.45622, 0.07473, -1.00790, 1.04028, 0.70938],
            confidences: ["spider_web": 0.96048, "animal": 0.08044, "dog": 0.00343, "clock": 0.00110]),
    ]

    func testRevisionsGiveTheSameNumbersAsBefore() throws {
        XCTAssertEqual(Set(golden.map(\.revision)), Set(Backbone.Revision.allCases.map(\.rawValue)))
        for entry in golden {
            try requireSceneNetwork(revision: entry.revision)
            let name = "revision \(entry.revision), \(entry.drawing)"
            let image = entry.drawing.image(width: 400, height: 300)
            let context = PerformContext(
                image: ImageSource(cgImage: image), time: .none, cancellation: Cancellation(),
                networkRuns: RunCounter())
            let features = try context.backboneFeatures(.init(number: entry.revision), region: .whole, fit: .fill)
            for (index, value) in entry.logits.enumerated() {
                XCTAssertEqual(features.logits[125 * index], value, accuracy: 1e-3, "\(name), score \(125 * index)")
            }
            let request = VNClassifyImageRequest()
            request.revision = entry.revision
            try VNImageRequestHandler(cgImage: image).perform([request])
            let results = try XCTUnwrap(request.results)
            for (identifier, confidence) in entry.confidences {
                let found = try XCTUnwrap(results.first { $0.identifier == identifier })
                XCTAssertEqual(found.confidence, confidence, accuracy: 5e-4, "\(name), \(identifier)")
            }
        }
    }
}
