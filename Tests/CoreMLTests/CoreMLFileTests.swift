import CoreML
import ModelFixtures
import ModelTestSupport
import VisionInference
import XCTest

/// Core ML files through `MLModel`: images, labels, shapes, packages, compiled models.
final class CoreMLFileTests: XCTestCase {
    private typealias Builder = CoreMLFileBuilder

    /// The means of the channels of an image after its preprocessing.
    private func means(
        colours: Int, outputs: [ProtoValue], preprocessing: ProtoFields, width: Int = 2, height: Int = 2,
        image: ProtoValue? = nil
    ) -> [UInt8] {
        var builder = Builder()
        builder.inputs = [image ?? Builder.image("photo", width: width, height: height, colours: colours)]
        builder.outputs = outputs
        return builder.file(
            500,
            [
                1: .repeated([Builder.layer("m", ["photo"], ["y"], 120, [1: .int(1), 60: .int(1)])]),
                2: .repeated([.message([1: .string("photo"), 10: .message(preprocessing)])]),
            ])
    }

    private func load(_ bytes: [UInt8], _ name: String = "m.mlmodel") throws -> MLModel {
        let folder = try TemporaryFolder()
        return try MLModel(contentsOf: folder.write(Data(bytes), name))
    }

    private func predict(_ model: MLModel, _ features: [String: Any]) throws -> any MLFeatureProvider {
        try model.prediction(from: MLDictionaryFeatureProvider(dictionary: features))
    }

    private func numbers(_ value: MLFeatureValue?) throws -> [Double] {
        let array = try XCTUnwrap(value?.multiArrayValue)
        return (0..<array.count).map { array[$0].doubleValue }
    }

    // MARK: Networks

    func testImagesArePreprocessedByColour() throws {
        let photo = try pixelBuffer(width: 4, height: 4, bgr: (10, 20, 40))
        let settings: ProtoFields = [10: .float(0.5), 20: .float(1), 21: .float(2), 22: .float(3)]
        for (colours, expected) in [(20, [23.0, 12, 6]), (30, [6, 12, 23])] {
            let model = try load(means(colours: colours, outputs: [Builder.array("y", [3])], preprocessing: settings))
            let result = try predict(model, ["photo": MLFeatureValue(pixelBuffer: photo)])
            XCTAssertEqual(try numbers(result.featureValue(for: "y")), expected)
        }
        let model = try load(
            means(colours: 20, outputs: [Builder.array("y", [3], type: 65600)], preprocessing: settings))
        let constraint = try XCTUnwrap(model.modelDescription.inputDescriptionsByName["photo"]?.imageConstraint)
        XCTAssertEqual([constraint.pixelsWide, constraint.pixelsHigh], [2, 2])
        let result = try predict(model, ["photo": MLFeatureValue(pixelBuffer: photo)])
        XCTAssertEqual(result.featureValue(for: "y")?.multiArrayValue?.dataType, .double)
    }

    func testAMeanImageIsSubtracted() throws {
        var builder = Builder()
        builder.inputs = [Builder.image("photo", width: 1, height: 2, colours: 10)]
        builder.outputs = [Builder.array("y", [1, 2, 1])]
        let model = try load(
            builder.file(
                500,
                [
                    1: .repeated([Builder.layer("r", ["photo"], ["y"], 130, [5: .message([1: .float(1)])])]),
                    2: .repeated([.message([1: .string("photo"), 11: .message([1: .floats([1, 2])])])]),
                ]))
        let photo = try pixelBuffer(width: 1, height: 2, bgr: (100, 100, 100))
        let result = try predict(model, ["photo": MLFeatureValue(pixelBuffer: photo)])
        XCTAssertEqual(try numbers(result.featureValue(for: "y")), [99, 98])
    }

    private func classifier(_ labels: (Int, ProtoValue)) -> [UInt8] {
        var builder = Builder()
        builder.inputs = [Builder.array("x", [3])]
        let isText = labels.0 == 100
        builder.outputs = [
            isText ? Builder.string("best") : Builder.int64("best"), Builder.dictionary("all"),
        ]
        (builder.predictedFeature, builder.predictedProbabilities) = ("best", "all")
        builder.metadata = [1: .string("Says which."), 2: .string("7")]
        return builder.file(
            403, [1: .repeated([Builder.layer("s", ["x"], ["scores"], 175)]), labels.0: labels.1])
    }

    func testClassifiersGiveLabelsAndProbabilities() throws {
        let x = try MLMultiArray([0, log(2), 0] as [Double])
        let texts = try load(classifier((100, .message([1: .repeated([.string("a"), .string("b"), .string("c")])]))))
        var result = try predict(texts, ["x": x])
        XCTAssertEqual(result.featureNames, ["best", "all"])
        XCTAssertEqual(result.featureValue(for: "best")?.stringValue, "b")
        XCTAssertEqual(
            try XCTUnwrap(result.featureValue(for: "all")?.dictionaryValue["b"]?.doubleValue), 0.5, accuracy: 1e-6)
        XCTAssertEqual(texts.modelDescription.classLabels as? [String], ["a", "b", "c"])
        XCTAssertEqual(texts.modelDescription.predictedFeatureName, "best")
        XCTAssertEqual(texts.modelDescription.metadata[.versionString] as? String, "7")
        let integers = try load(classifier((101, .message([1: .ints([5, 6, 7])]))))
        result = try predict(integers, ["x": x])
        XCTAssertEqual(result.featureValue(for: "best")?.int64Value, 6)
        XCTAssertEqual(result.featureValue(for: "all")?.dictionaryValue.count, 3)
        XCTAssertEqual(integers.modelDescription.outputDescriptionsByName["best"]?.type, .int64)
    }

    func testFlexibleShapesAreChecked() throws {
        func model(_ flexibility: ProtoFields) throws -> MLModel {
            var builder = Builder()
            builder.inputs = [Builder.array("x", [2, 3], fields: flexibility)]
            builder.outputs = [Builder.array("y", [])]
            return try load(
                builder.file(
                    500,
                    [
                        1: .repeated([Builder.layer("r", ["x"], ["y"], 1270, [1: .ints([0])])]), 5: .int(1), 6: .int(1),
                    ]))
        }
        func sum(_ model: MLModel, _ shape: [Int]) throws -> Int {
            let array = try MLMultiArray(shape: shape.map { NSNumber(value: $0) }, dataType: .float32)
            return try numbers(predict(model, ["x": array]).featureValue(for: "y")).count
        }
        let size: (Int, Int) -> ProtoValue = { .message([1: .int($0), 2: .int($1)]) }
        let ranged = try model([31: .message([1: .repeated([size(1, -1), size(2, 5)])])])
        XCTAssertEqual(try sum(ranged, [9, 5]), 5)
        XCTAssertThrowsError(try sum(ranged, [9, 6]))
        let listed = try model([
            21: .message([1: .repeated([.message([1: .ints([2, 3])]), .message([1: .ints([4, 7])])])])
        ])
        XCTAssertEqual(try sum(listed, [4, 7]), 7)
        XCTAssertThrowsError(try sum(listed, [4, 3])) { XCTAssertTrue("\($0)".contains("4 × 7"), "\($0)") }
        let constraint = listed.modelDescription.inputDescriptionsByName["x"]?.multiArrayConstraint
        XCTAssertEqual(constraint?.shapeConstraint.enumeratedShapes, [[2, 3], [4, 7]])
        XCTAssertEqual(constraint?.shape, [2, 3])
    }

    func testOptionalInputsHaveTheirDefault() throws {
        var builder = Builder()
        builder.inputs = [
            Builder.array("x", [2]), Builder.array("z", [2], isOptional: true, fields: [51: .float(3)]),
        ]
        builder.outputs = [Builder.array("y", [2])]
        let model = try load(builder.file(500, [1: .repeated([Builder.layer("a", ["x", "z"], ["y"], 230)])]))
        let x = try MLMultiArray([1, 2] as [Float])
        XCTAssertEqual(try numbers(predict(model, ["x": x]).featureValue(for: "y")), [4, 5])
        XCTAssertThrowsError(try predict(model, ["z": x])) { XCTAssertEqual(($0 as? MLModelError)?.code, .featureType) }
    }

    func testImagesWithoutASizeAreRefused() {
        for (width, height) in [(0, 2), (2, 0), (0, 0), (-1, 2), (1 << 40, 2)] {
            let file = means(
                colours: 20, outputs: [Builder.array("y", [3])], preprocessing: [10: .float(1)], width: width,
                height: height)
            XCTAssertThrowsError(try load(file), "\(width) × \(height)") { XCTAssertTrue($0 is MLModelError) }
        }
    }

    func testLayersThatDoNotRunAreNamedOnLoad() throws {
        var builder = Builder()
        builder.inputs = [Builder.array("x", [2])]
        builder.outputs = [Builder.array("y", [2])]
        XCTAssertThrowsError(try load(builder.file(500, [1: .repeated([Builder.layer("mine", ["x"], ["y"], 500)])]))) {
            XCTAssertTrue($0.localizedDescription.contains("custom layer “mine”"), $0.localizedDescription)
            XCTAssertTrue($0.localizedDescription.contains("m.mlmodel"), $0.localizedDescription)
        }
        // What is wrong with a layer's numbers shows before the first prediction.
        let short = Builder.layer("short", ["x"], ["y"], 140, [1: .int(2), 2: .int(2), 20: Builder.weights([1])])
        XCTAssertThrowsError(try load(builder.file(500, [1: .repeated([short])]))) {
            XCTAssertTrue($0.localizedDescription.contains("short"), $0.localizedDescription)
        }
    }

    func testPackagesLoadAndCompile() throws {
        let folder = try TemporaryFolder()
        let package = folder.url.appendingPathComponent("a.mlpackage")
        let inner = package.appendingPathComponent("Data/com.apple.CoreML")
        let weights = inner.appendingPathComponent("weights")
        try FileManager.default.createDirectory(at: weights, withIntermediateDirectories: true)
        let file = classifier((101, .message([1: .ints([5, 6, 7])])))
        try Data(file).write(to: inner.appendingPathComponent("model.mlmodel"))
        try Data([1, 2, 3]).write(to: weights.appendingPathComponent("weight.bin"))
        let manifest = """
            {"itemInfoEntries": {"x": {"path": "com.apple.CoreML/model.mlmodel"}}, "rootModelIdentifier": "x"}
            """
        try Data(manifest.utf8).write(to: package.appendingPathComponent("Manifest.json"))
        let x = try MLMultiArray([0, 1, 0] as [Double])
        XCTAssertEqual(try predict(MLModel(contentsOf: package), ["x": x]).featureValue(for: "best")?.int64Value, 6)
        let compiled = try MLModel.compileModel(at: package)
        XCTAssertEqual(compiled.lastPathComponent, "a.mlmodelc")
        XCTAssertEqual(try Data(contentsOf: compiled.appendingPathComponent("weights/weight.bin")), Data([1, 2, 3]))
        XCTAssertEqual(try predict(MLModel(contentsOf: compiled), ["x": x]).featureValue(for: "best")?.int64Value, 6)
        try FileManager.default.removeItem(at: weights.appendingPathComponent("weight.bin"))
        try FileManager.default.createSymbolicLink(
            at: weights.appendingPathComponent("weight.bin"), withDestinationURL: URL(fileURLWithPath: "/dev/zero"))
        XCTAssertThrowsError(try MLModel.compileModel(at: package))
    }
}
