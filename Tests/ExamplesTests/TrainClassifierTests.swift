import CreateML
import ModelTestSupport
import Vision
import XCTest

@testable import TrainClassifier

final class TrainClassifierTests: XCTestCase {
    private let folder = Result { try TemporaryFolder() }

    private func draw(_ label: String, _ number: Int, style: CGFloat) throws -> URL {
        let folder = try folder.get().url.appendingPathComponent("photos/\(label)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let drawing = try XCTUnwrap(Drawing())
        if label == "tree" {
            drawing.tree(style: style, isFilled: number % 2 == 0)
        } else {
            drawing.face(style: style, isFilled: number % 2 == 0)
        }
        let url = folder.appendingPathComponent("\(number).png")
        XCTAssertTrue(drawing.write(to: url))
        return url
    }

    func testPhotosBecomeAModelThatVisionRuns() throws {
        let probe = try draw("probe", 0, style: 0)
        try requireModel { try VNImageRequestHandler(url: probe).perform([VNGenerateImageFeaturePrintRequest()]) }
        try FileManager.default.removeItem(at: probe.deletingLastPathComponent())
        for label in ["tree", "face"] {
            for number in 0..<10 { _ = try draw(label, number, style: CGFloat(number) / 10) }
        }
        let root = try folder.get().url
        let file = root.appendingPathComponent("Drawings.mlmodel")
        let training = Training(photos: root.appendingPathComponent("photos"), model: file)
        XCTAssertEqual(try training.run().trainingMetrics.classificationError, 0)

        let request = VNCoreMLRequest(model: try VNCoreMLModel(for: MLModel(contentsOf: file)))
        for (label, style) in [("tree", 0.33), ("face", 0.77)] {
            try VNImageRequestHandler(url: draw(label, 99, style: style)).perform([request])
            let best = try XCTUnwrap(request.results?.first as? VNClassificationObservation)
            XCTAssertEqual(best.identifier, label)
            XCTAssertGreaterThan(best.confidence, 0.7)
        }
    }
}
