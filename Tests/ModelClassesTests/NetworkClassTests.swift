import CoreML
import ModelTestSupport
import VisionInference
import XCTest

@testable import ModelClasses

/// Classes of networks: they have the features that `MLModel` says the network has.
final class NetworkClassTests: XCTestCase {
    private struct Features: Equatable {
        var inputs: [String]
        var outputs: [String]
    }

    /// What a class has, a line a feature.
    private func features(_ model: ModelClass) -> Features {
        func line(_ feature: ModelFeature) -> String {
            let kind =
                switch feature.kind {
                case .image(let width, let height, let format):
                    "image \(width) \(height) \(format == .colour ? "colour" : "grey")"
                case .array(let shape, let scalar):
                    "array \(shape.map { "\($0)" } ?? "any") \(scalar == .float ? "float" : scalar.rawValue)"
                case .dictionary(let stringKeys): "dictionary \(stringKeys)"
                default: "\(feature.kind)"
                }
            return "\(feature.name): \(kind)\(feature.isOptional ? ", optional" : "")"
        }
        return Features(
            inputs: model.inputs.map(\.feature).map(line).sorted(),
            outputs: model.outputs.map(\.feature).map(line).sorted())
    }

    private func features(_ description: MLModelDescription) -> Features {
        func line(_ feature: MLFeatureDescription) -> String {
            let kind: String
            switch feature.type {
            case .image:
                let image = feature.imageConstraint
                let isGrey = image?.pixelFormatType == kCVPixelFormatType_OneComponent8
                kind = "image \(image?.pixelsWide ?? 0) \(image?.pixelsHigh ?? 0) \(isGrey ? "grey" : "colour")"
            case .multiArray:
                let array = feature.multiArrayConstraint
                let isFixed = array?.shapeConstraint.enumeratedShapes.count == 1
                let types: [MLMultiArrayDataType: String] = [.float32: "float", .double: "Double", .int32: "Int32"]
                kind =
                    "array \(isFixed ? "\(array?.shape.map(\.intValue) ?? [])" : "any") "
                    + (array.flatMap { types[$0.dataType] } ?? "Float16")
            case .dictionary: kind = "dictionary \(feature.dictionaryConstraint?.keyType == .string)"
            case .int64: kind = "int64"
            case .double: kind = "double"
            case .string: kind = "string"
            default: kind = "\(feature.type)"
            }
            return "\(feature.name): \(kind)\(feature.isOptional ? ", optional" : "")"
        }
        return Features(
            inputs: description.inputDescriptionsByName.values.map(line).sorted(),
            outputs: description.outputDescriptionsByName.values.map(line).sorted())
    }

    /// A network that gives back its input, and the mean of its last axes as `scores`.
    private func network(
        _ name: String, _ shape: [ONNXDimension], _ type: ONNXDataType = .float, properties: [String: String] = [:]
    ) throws -> Data {
        var builder = ONNXBuilder(opset: 17)
        builder.model.metadata = properties
        let x = builder.input(name, shape, type)
        builder.output(builder.node("Identity", [x], output: "echo"), nil, type)
        if type == .float, shape.count == 4 {
            builder.output(builder.node("ReduceMean", [x], ["axes": [2, 3]], output: "scores"))
        }
        return builder.data()
    }

    /// A network that gives back boxes and the scores of three classes.
    private func boxesAndScores(_ count: ONNXDimension) throws -> Data {
        var builder = ONNXBuilder(opset: 17)
        for (input, output, columns) in [("a", "boxes", 4), ("b", "scores", 3)] {
            let x = builder.input(input, [1, count, .fixed(columns)])
            builder.output(builder.node("Identity", [x], output: output))
        }
        return builder.data()
    }

    func testClassesHaveTheFeaturesOfTheModel() throws {
        let threeLabels = #""labels": ["a", "b", "c"]"#
        let cases: [(Data, json: String?)] = [
            (try network("image", [1, 3, 8, 6]), nil), (try network("anything", [1, 3, "h", "w"]), nil),
            (try network("photo", [1, 9, 7, 1]), nil), (try network("x", [1, 1, 8, 6]), nil),
            (try network("x", [2, 3, 8, 6]), nil), (try network("x", [4, 5]), nil), (try network("x", []), nil),
            (try network("count", [], .int64), nil), (try network("x", ["n", 5], .int64), nil),
            (try network("x", [3], .double), nil), (try network("image", [1, 8, 6, 3], .uint8), nil),
            (try network("image", [1, 3, "h", "w"]), #"{"inputs": {"image": {"width": 32, "height": 16}}}"#),
            (try network("x", [1, 3, 8, 6]), #"{"inputs": {"x": {"type": "array"}}}"#),
            (try network("x", [1, 1, 8, 6]), #"{"inputs": {"x": {"scale": 1}}}"#),
            (try network("x", [3, 8, 6]), #"{"inputs": {"x": {"layout": "NCHW"}}}"#),
            (try network("x", [1, 1]), #"{"inputs": {"x": {"type": "number", "default": 0.5}}}"#),
            (try network("x", [1]), #"{"inputs": {"x": {"type": "integer"}}}"#),
            (try network("image", [1, 3, 8, 6]), #"{"outputs": {"echo": {"type": "image"}}}"#),
            (
                try network("image", [1, 3, 8, 6]),
                #"{"outputs": {"echo": {"type": "image", "pixelFormat": "OneComponent8", "layout": "NCHW"}}}"#
            ),
            (try network("image", [1, 1, 8, 6]), #"{"outputs": {"echo": {"colorOrder": "grayscale"}}}"#),
            (try network("image", [1, 3, 8, 6]), "{\(threeLabels)}"),
            (
                try network("image", [1, 3, 8, 6]),
                #"{\#(threeLabels), "classifier": {"scores": "scores", "predictedFeatureName": "kind"}}"#
            ),
            (try network("image", [1, 3, 8, 6]), #"{\#(threeLabels), "detector": {"kind": "yolov8"}}"#),
            (try network("image", [1, 3, 8, 6]), #"{\#(threeLabels), "detector": {"kind": "none"}}"#),
            (try network("image", [1, 3, 8, 6]), #"{"labels": ["a", "b"]}"#),
            (try network("image", [1, 3, 8, 6]), #"{"labelsFile": "labels.txt"}"#),
            (try network("image", [1, 3, 8, 6], properties: ["names": #"{0: 'a, {1', 1: "b'", 2: 'c'}"#]), nil),
            (try network("image", [1, 3, 8, 6], properties: ["names": "nothing"]), nil),
            (try network("image", [1, 3, 8, 6], properties: ["openvision": "{\(threeLabels)}"]), nil),
            // Scores beside boxes are a detector's.
            (try boxesAndScores("n"), "{\(threeLabels)}"), (try boxesAndScores(1), "{\(threeLabels)}"),
            (try boxesAndScores(2), #"{\#(threeLabels), "detector": {"kind": "none"}}"#),
            (try breakfastDetector(), nil), (try breakfastDetector(metadata: breakfastMetadata()), nil),
        ]
        for (index, (data, json)) in cases.enumerated() {
            let folder = try TemporaryFolder()
            let file = try folder.write(data, "network.onnx")
            try folder.write("a\nb\nc\n", "labels.txt")
            if let json { try folder.write(json, "network.json") }
            let written = features(try ModelClass(modelAt: file))
            XCTAssertEqual(written, features(try MLModel(contentsOf: file).modelDescription), "case \(index)")
            XCTAssertFalse(written.inputs.isEmpty)
        }
    }

    func testWhatDoesNotOpenIsRefused() throws {
        let folder = try TemporaryFolder()
        XCTAssertThrowsError(try ModelClass(modelAt: folder.write("for another runtime", "foreign.onnx")))
        XCTAssertThrowsError(try ModelClass(modelAt: folder.url.appendingPathComponent("nowhere.onnx")))
        let file = try folder.write(try network("image", [1, 3, 8, 6]), "network.onnx")
        for json in ["{", #"{"labels": "a"}"#, #"{"labelsFile": "nowhere.txt"}"#] {
            try folder.write(json, "network.json")
            XCTAssertThrowsError(try ModelClass(modelAt: file), json) { error in
                XCTAssertTrue("\(error)".contains(file.path), "\(error)")
            }
        }
    }
}
