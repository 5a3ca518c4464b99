import CoreML
import ModelTestSupport
import VisionInference
import XCTest

/// Families of networks whose preprocessing follows from their graph.
final class ModelFamilyTests: XCTestCase {
    /// A network in the form of YOLOX: one class, 84 boxes, each of which begins with the means of the image's
    /// channels.
    ///
    /// - Parameter isFocused: Whether the image is cut into four by its rows and columns.
    private func network(isFocused: Bool, metadata: String?) throws -> Data {
        var builder = ONNXBuilder(opset: 13)
        if let metadata { builder.model.metadata["openvision"] = metadata }
        let image = builder.input("images", [1, 3, 64, 64])
        var channels = 3
        var value = image
        if isFocused {
            let (axes, ends, steps) = (
                try builder.initialiser("axes", [2], [Int64(2), 3]),
                try builder.initialiser("ends", [2], [Int64(64), 64]),
                try builder.initialiser("steps", [2], [Int64(2), 2])
            )
            let parts = try [(0, 0), (1, 0), (0, 1), (1, 1)].map { row, column -> String in
                let starts = try builder.initialiser("starts\(row)\(column)", [2], [Int64(row), Int64(column)])
                return builder.node("Slice", [image, starts, ends, axes, steps])
            }
            value = builder.node("Concat", parts, ["axis": 1])
            channels = 12
        }
        var weights = [Float](repeating: 0, count: 6 * channels)
        for channel in 0..<3 { weights[channel * channels + channel] = 1 }
        let filter = try builder.initialiser("w", [6, channels, 1, 1], weights)
        let means = builder.node("GlobalAveragePool", [builder.node("Conv", [value, filter])])
        let row = try builder.node("Reshape", [means, builder.initialiser("row", [3], [Int64(1), 1, 6])])
        let shape = try builder.initialiser("shape", [3], [Int64(1), 84, 6])
        builder.output(builder.node("Expand", [row, shape], output: "output"), [1, 84, 6])
        return builder.data()
    }

    private func means(_ data: Data) throws -> [Float] {
        let folder = try TemporaryFolder()
        let model = try MLModel(contentsOf: folder.write(data, "m.onnx"))
        let photo = try pixelBuffer(width: 64, height: 64, bgr: (51, 102, 204))
        let output = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: ["images": photo]))
        let array = try XCTUnwrap(output.featureValue(for: "output")?.multiArrayValue)
        return (0..<3).map { array[$0].floatValue }
    }

    func testYOLOXTakesBytesBlueFirst() throws {
        for metadata in [nil, #"{"labels": ["duck"]}"#] {
            XCTAssertEqual(try means(network(isFocused: true, metadata: metadata)), [51, 102, 204])
        }
    }

    func testMetadataAndOtherGraphsDecideOtherwise() throws {
        let unit: [Float] = [0.8, 0.4, 0.2]
        for (found, expected) in zip(try means(network(isFocused: false, metadata: nil)), unit) {
            XCTAssertEqual(found, expected, accuracy: 1e-6)
        }
        let stated = #"{"inputs": {"images": {"scale": 1}}}"#
        XCTAssertEqual(try means(network(isFocused: true, metadata: stated)), [204, 102, 51])
        let none = #"{"detector": {"kind": "none"}}"#
        for (found, expected) in zip(try means(network(isFocused: true, metadata: none)), unit) {
            XCTAssertEqual(found, expected, accuracy: 1e-6)
        }
    }
}
