import ModelTestSupport
import VisionImage
import VisionInference
import XCTest

@testable import VisionModels

/// The networks of poses in 8 bits give nearly what they give in floats.
final class ByteNetworkTests: XCTestCase {
    private let photo = ImageSource(url: GuidePhotos.url("astronaut"))
    private let region = PixelRegion(width: 384, height: 384)

    /// The pixels of a square part of the photograph as the input of a network.
    private func input(_ side: Int, scale: Float, bias: Float) throws -> Tensor {
        let pixels = try photo.derivative(Derivative(region: region, width: side, height: side, format: .rgb8))
        var floats = [Float](repeating: 0, count: side * side * 3)
        try floats.withUnsafeMutableBufferPointer {
            try pixels.writeInterleaved(to: $0, scale: scale, bias: bias)
        }
        return try Tensor(floats, shape: [1, side, side, 3])
    }

    /// The outputs of a network of the store in floats and in 8 bits, by their shapes.
    private func outputs(_ model: String, _ calibration: String, _ input: Tensor) throws -> [(Tensor, Tensor)] {
        let url = try requireModel { try InstalledModels().url(for: model) }
        let graph = try NetworkFile.graph(contentsOf: url)
        let bytes = try ChannelQuantiser.quantised(graph, ChannelCalibration(BinaryTable(builtIn: calibration)))
        let results = try [graph, bytes].map { graph in
            try Session(graph: graph, options: .init(threads: 1)).run([graph.inputs[0].name: input])
        }
        return try results[0].map { ($0.value, try XCTUnwrap(results[1][$0.key])) }
    }

    func testLandmarksOfABody() throws {
        let input = try input(PoseNetwork.side, scale: 1 / 255, bias: 0)
        let outputs = try outputs("pose-landmark-full", "pose-landmarks.table", input)
        let points = try XCTUnwrap(outputs.first { $0.0.elementCount == 5 * BodyPose.outputCount })
        let (a, b) = (try XCTUnwrap(points.0.floats), try XCTUnwrap(points.1.floats))
        XCTAssertNotEqual(a, b)
        let distances = (0..<BodyPose.landmarkCount).map { index in
            let (x, y) = (a[5 * index] - b[5 * index], a[5 * index + 1] - b[5 * index + 1])
            return (x * x + y * y).squareRoot()
        }
        XCTAssertLessThan(distances.reduce(0, +) / Float(distances.count), 5, "pixels of 256")
        let maps = try XCTUnwrap(outputs.first { $0.0.shape == [1, 64, 64, BodyPose.outputCount] })
        let peaks = try [maps.0, maps.1].map { map in
            let values = try XCTUnwrap(map.floats)
            return (0..<BodyPose.landmarkCount).map { landmark in
                stride(from: landmark, to: values.count, by: BodyPose.outputCount).map { values[$0] }.max() ?? 0
            }
        }
        // The nose, the eyes and the shoulders are seen.
        for landmark in [0, 2, 5, 11, 12] {
            XCTAssertEqual(sigmoid(peaks[0][landmark]), sigmoid(peaks[1][landmark]), accuracy: 0.15, "\(landmark)")
        }
    }

    func testTheCropOfABody() throws {
        let input = try input(PoseDetectionNetwork.side, scale: 2 / 255, bias: -1)
        let outputs = try outputs("pose-detection", "pose-detection.table", input)
        let scores = try XCTUnwrap(outputs.first { $0.0.shape.last == 1 })
        let (a, b) = (try XCTUnwrap(scores.0.floats), try XCTUnwrap(scores.1.floats))
        XCTAssertNotEqual(a, b)
        let best = try XCTUnwrap(a.indices.max { a[$0] < a[$1] })
        XCTAssertGreaterThan(sigmoid(a[best]), 0.5)
        XCTAssertEqual(sigmoid(a[best]), sigmoid(b[best]), accuracy: 0.1)
        let boxes = try XCTUnwrap(outputs.first { $0.0.shape.last == 12 })
        let (one, other) = (try XCTUnwrap(boxes.0.floats), try XCTUnwrap(boxes.1.floats))
        for value in 0..<8 {
            XCTAssertEqual(one[12 * best + value], other[12 * best + value], accuracy: 6, "pixels of 224")
        }
    }

    private func sigmoid(_ value: Float) -> Float { 1 / (1 + exp(-value)) }
}
