import ModelFixtures
import ModelTestSupport
import Vision
import XCTest

/// Detectors as Core ML pipelines: a network, then the suppression of boxes.
final class CoreMLPipelineTests: XCTestCase {
    private typealias Builder = CoreMLFileBuilder

    /// A network that finds the same three boxes in every image, two of which overlap.
    private var detector: [UInt8] {
        var network = Builder()
        network.inputs = [Builder.image("image", width: 8, height: 8)]
        network.outputs = [Builder.array("scores", [3, 2]), Builder.array("boxes", [3, 4])]
        func constant(_ name: String, _ shape: [Int], _ values: [Float]) -> [ProtoValue] {
            [
                Builder.layer(name + "0", [], [name + "0"], 1070, [1: .ints(shape), 2: Builder.weights(values)]),
                Builder.layer(name, [name + "0", "zero"], [name], 880),
            ]
        }
        let layers =
            [
                Builder.layer("sum", ["image"], ["sum"], 1270, [3: .int(1)]),
                Builder.layer("zero", ["sum"], ["zero"], 231, [1: .float(0)]),
            ]
            + constant("scores", [3, 2], [0.6, 0, 0, 0.9, 0.3, 0])
            + constant("boxes", [3, 4], [0.5, 0.5, 0.5, 0.25, 0.52, 0.5, 0.5, 0.25, 0.25, 0.125, 0.25, 0.25])
        var suppression = Builder()
        suppression.inputs = network.outputs
        suppression.outputs = [Builder.array("confidence", []), Builder.array("coordinates", [])]
        let labels: ProtoValue = .message([1: .repeated([.string("cat"), .string("dog")])])
        let settings: ProtoFields = [
            100: labels, 110: .double(0.5), 111: .double(0.2), 200: .string("scores"), 201: .string("boxes"),
            210: .string("confidence"), 211: .string("coordinates"),
        ]
        var pipeline = Builder()
        pipeline.inputs = network.inputs
        pipeline.outputs = suppression.outputs
        let models: [ProtoValue] = [
            .message(network.fields(500, [1: .repeated(layers), 5: .int(1), 6: .int(1)])),
            .message(suppression.fields(610, settings)),
        ]
        return pipeline.file(202, [1: .repeated(models)])
    }

    func testAPipelineOfADetectorGivesObjects() throws {
        let folder = try TemporaryFolder()
        let model = try MLModel(contentsOf: folder.write(Data(detector), "detector.mlmodel"))
        let request = VNCoreMLRequest(model: try VNCoreMLModel(for: model))
        request.imageCropAndScaleOption = .scaleFill
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, 16, 16, kCVPixelFormatType_32BGRA, nil, &made)
        try VNImageRequestHandler(cvPixelBuffer: XCTUnwrap(made)).perform([request])
        let objects = try XCTUnwrap(request.results as? [VNRecognizedObjectObservation])
        XCTAssertEqual(objects.map { $0.labels.first?.identifier }, ["dog", "cat"])
        XCTAssertEqual(objects.map(\.confidence), [0.9, 0.3])
        // Centre and size from the top left; Vision counts from the lower left.
        let box = try XCTUnwrap(objects.last).boundingBox
        XCTAssertEqual(box.minX, 0.125, accuracy: 1e-6)
        XCTAssertEqual(box.minY, 0.75, accuracy: 1e-6)
        XCTAssertEqual(box.width, 0.25, accuracy: 1e-6)
        XCTAssertEqual(box.height, 0.25, accuracy: 1e-6)
    }
}
