import CoreML
import ModelFixtures
import ModelTestSupport
import VisionInference
import XCTest

final class LoadingTests: XCTestCase {
    private let labels = #"{"labels": ["red", "green", "blue"]}"#

    private func best(_ model: MLModel, _ bgr: (UInt8, UInt8, UInt8)) throws -> String? {
        let provider = try MLDictionaryFeatureProvider(
            dictionary: ["image": pixelBuffer(width: 5, height: 3, bgr: bgr)])
        return try model.prediction(from: provider).featureValue(for: "classLabel")?.stringValue
    }

    func testAnONNXFileWithItsOwnMetadataLoads() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(colourClassifier(metadata: labels), "colours.onnx")
        let model = try MLModel(contentsOf: url)
        XCTAssertEqual(model.modelDescription.classLabels as? [String], ["red", "green", "blue"])
        XCTAssertEqual(try best(model, (255, 10, 20)), "blue")
        XCTAssertEqual(try best(model, (5, 10, 20)), "red")
    }

    func testTheFileBesideTheModelCounts() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(colourClassifier(metadata: labels), "colours.onnx")
        try folder.write(
            #"{"labels": ["rot", "grün", "blau"], "description": "Farben", "version": "3"}"#, "colours.json")
        let model = try MLModel(contentsOf: url)
        XCTAssertEqual(try best(model, (0, 255, 0)), "grün")
        XCTAssertEqual(model.modelDescription.metadata[.description] as? String, "Farben")
        XCTAssertEqual(model.modelDescription.metadata[.versionString] as? String, "3")
        try folder.write(#"{"lables": []}"#, "colours.json")
        XCTAssertThrowsError(try MLModel(contentsOf: url)) { error in
            XCTAssertTrue(error.localizedDescription.contains("lables"), error.localizedDescription)
        }
    }

    func testACompiledModelIsSelfContained() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(colourClassifier(metadata: "{}"), "colours.onnx")
        try folder.write("rouge\nvert\nbleu\n", "names.txt")
        try folder.write(#"{"labelsFile": "names.txt"}"#, "colours.json")
        let compiled = try MLModel.compileModel(at: url)
        defer { try? FileManager.default.removeItem(at: compiled.deletingLastPathComponent()) }
        XCTAssertEqual(compiled.lastPathComponent, "colours.mlmodelc")
        try FileManager.default.removeItem(at: folder.url)
        XCTAssertEqual(try best(MLModel(contentsOf: compiled), (0, 255, 0)), "vert")
    }

    func testExternalWeightsAreIncluded() throws {
        let folder = try TemporaryFolder()
        var builder = ONNXBuilder()
        let x = builder.input("x", [4])
        let w = try builder.initialiser("w", [4], [Float(1), 2, 3, 4])
        builder.output(builder.node("Mul", [x, w], output: "y"), [4])
        let url = try folder.write(try externalised(builder, in: folder), "scaled.onnx")
        let compiled = try MLModel.compileModel(at: url)
        defer { try? FileManager.default.removeItem(at: compiled.deletingLastPathComponent()) }
        try FileManager.default.removeItem(at: folder.url)
        let output = try MLModel(contentsOf: compiled).prediction(
            from: MLDictionaryFeatureProvider(dictionary: ["x": MLMultiArray([1, 1, 1, 2] as [Float])]))
        XCTAssertEqual(output.featureValue(for: "y")?.multiArrayValue, try MLMultiArray([1, 2, 3, 8] as [Float]))
    }

    /// The model's bytes with the elements of `w` in a file of their own, assembled by hand: field 13 of a tensor names
    /// the file, field 14 says that there is one.
    private func externalised(_ builder: ONNXBuilder, in folder: TemporaryFolder) throws -> Data {
        let weights = [Float(1), 2, 3, 4].withUnsafeBytes { Data($0) }
        try folder.write(weights, "scaled.bin")
        func field(_ number: UInt8, _ body: [UInt8]) -> [UInt8] { [number << 3 | 2, UInt8(body.count)] + body }
        func entry(_ key: String, _ value: String) -> [UInt8] {
            [13 << 3 | 2] + [UInt8(key.utf8.count + value.utf8.count + 4)] + field(1, Array(key.utf8))
                + field(2, Array(value.utf8))
        }
        let tensor: [UInt8] =
            [1 << 3, 4, 2 << 3, 1] + field(8, Array("w".utf8)) + entry("location", "scaled.bin") + [14 << 3, 1]
        var model = builder.model
        model.graph.initialisers = []
        let data = model.serialised()
        // The graph (field 7, the first of a length) grows by the initialiser (field 5).
        let bytes = [UInt8](data)
        let producer = 2
        XCTAssertEqual(bytes[producer], 2 << 3 | 2)
        let graph = producer + 2 + Int(bytes[producer + 1])
        XCTAssertEqual(bytes[graph], 7 << 3 | 2)
        XCTAssertLessThan(bytes[graph + 1], 128)
        let length = Int(bytes[graph + 1])
        let body = Array(bytes[(graph + 2)..<(graph + 2 + length)]) + field(5, tensor)
        return Data(
            bytes[..<graph] + [7 << 3 | 2, UInt8(body.count & 127) | 128, UInt8(body.count >> 7)] + body
                + bytes[(graph + 2 + length)...])
    }

    func testInvalidModelsAreRefusedWithAReason() throws {
        let folder = try TemporaryFolder()
        func reason(_ url: URL, _ code: MLModelError.Code, line: UInt = #line) -> String {
            do {
                _ = try MLModel(contentsOf: url)
                XCTFail("It loaded.", line: line)
            } catch {
                XCTAssertEqual((error as? MLModelError)?.code, code, "\(error)", line: line)
                XCTAssertThrowsError(try MLModel.compileModel(at: url), line: line)
                return error.localizedDescription
            }
            return ""
        }
        XCTAssertTrue(reason(folder.url.appendingPathComponent("none.onnx"), .io).contains("none.onnx"))
        XCTAssertTrue(reason(try folder.write("x", "food.mlmodel"), .generic).contains("damaged"))
        XCTAssertTrue(reason(try folder.write("x", "food.mlpackage"), .generic).contains(".mlpackage folder"))
        XCTAssertFalse(reason(try folder.write("text", "food.txt"), .generic).isEmpty)
        XCTAssertFalse(reason(folder.url, .generic).isEmpty)
        XCTAssertFalse(reason(try folder.write(Data(repeating: 255, count: 100), "noise.onnx"), .generic).isEmpty)
        let unknown = reason(try folder.write(modelWithUnknownOperator(), "unknown.onnx"), .generic)
        XCTAssertTrue(unknown.contains("Teleport") && unknown.contains("beam"), unknown)
        let data = try breakfastDetector()
        for length in stride(from: 1, to: data.count, by: 97) {
            let url = try folder.write(data.prefix(length), "cut.onnx")
            XCTAssertThrowsError(
                try MLModel(contentsOf: url).prediction(from: MLDictionaryFeatureProvider(dictionary: [:])))
        }
    }

    func testContentAndNotTheNameDecidesHowAModelIsRead() throws {
        let folder = try TemporaryFolder()
        let inputs = try MLModel(contentsOf: folder.write(breakfastDetector(), "food.onnx")).modelDescription
            .inputDescriptionsByName.keys
        for name in ["food.tflite", "food.mlmodel", "food"] {
            let url = try folder.write(breakfastDetector(), name)
            XCTAssertEqual(try MLModel(contentsOf: url).modelDescription.inputDescriptionsByName.keys, inputs, name)
            let compiled = try MLModel.compileModel(at: url)
            XCTAssertEqual(
                try MLModel(contentsOf: compiled).modelDescription.inputDescriptionsByName.keys, inputs, name)
        }
    }

    func testFoldersOfOtherVersionsAreRefused() throws {
        let folder = try TemporaryFolder()
        let compiled = folder.url.appendingPathComponent("x.mlmodelc")
        try FileManager.default.createDirectory(at: compiled, withIntermediateDirectories: true)
        for manifest in [
            "{}", #"{"formatVersion": 2, "model": "model.onnx"}"#, #"{"formatVersion": 1, "model": "../x.onnx"}"#,
        ] {
            try Data(manifest.utf8).write(to: compiled.appendingPathComponent("manifest.json"))
            XCTAssertThrowsError(try MLModel(contentsOf: compiled), manifest)
        }
    }

    func testATensorFlowLiteFileLoadsAndCompiles() throws {
        var builder = TFLiteBuilder()
        let input = builder.input("image", [1, 2, 4, 3])
        // A convolution of one pixel that swaps red and blue.
        let weights = builder.constant("w", [3, 1, 1, 3], [0, 0, 1, 0, 1, 0, 1, 0, 0])
        let bias = builder.constant("b", [3], [0, 0, 0])
        builder.output(
            builder.add(
                3, [input, weights, bias], to: "swapped", [1, 2, 4, 3],
                options: (1, [0: .int8(1), 1: .int32(1), 2: .int32(1)])))
        let folder = try TemporaryFolder()
        let url = try folder.write(Data(builder.file()), "swap.tflite")
        try folder.write(#"{"outputs": {"swapped": {"type": "image"}}}"#, "swap.json")
        let compiled = try MLModel.compileModel(at: url)
        defer { try? FileManager.default.removeItem(at: compiled.deletingLastPathComponent()) }
        for model in [try MLModel(contentsOf: url), try MLModel(contentsOf: compiled)] {
            let output = try model.prediction(
                from: MLDictionaryFeatureProvider(
                    dictionary: ["image": pixelBuffer(width: 4, height: 2, bgr: (10, 20, 30))]))
            let image = try XCTUnwrap(output.featureValue(for: "swapped")?.imageBufferValue)
            XCTAssertEqual(try pixel(image, 3, 1), [30, 20, 10])
        }
    }

    func testAModelLoadsInTheBackground() async throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(colourClassifier(metadata: labels), "colours.onnx")
        let configuration = MLModelConfiguration()
        configuration.modelDisplayName = "colours"
        let model = try await MLModel.load(contentsOf: url, configuration: configuration)
        XCTAssertEqual(model.configuration.modelDisplayName, "colours")
        XCTAssertEqual(try best(model, (255, 0, 0)), "blue")
        do {
            _ = try await MLModel.load(contentsOf: folder.url.appendingPathComponent("none.onnx"))
            XCTFail("It loaded.")
        } catch MLModelError.io {
        }
    }

    func testPipesAreRefusedWhereModelsAndTheirMetadataAreExpected() throws {
        let folder = try TemporaryFolder()
        func message(_ pipe: NamedPipe, opening url: URL) -> String {
            let error = pipe.error { _ = try MLModel(contentsOf: url) }
            XCTAssertTrue(error is MLModelError, "\(String(describing: error))")
            return error?.localizedDescription ?? ""
        }
        for name in ["model.onnx", "model.tflite", "model", "model.mlmodel"] {
            let pipe = try NamedPipe(at: folder.url.appendingPathComponent(name))
            let text = message(pipe, opening: pipe.url)
            XCTAssertTrue(text.contains("not a regular file but a named pipe"), text)
        }
        let model = try folder.write(colourClassifier(metadata: labels), "colours.onnx")
        let metadata = try NamedPipe(at: folder.url.appendingPathComponent("colours.json"))
        XCTAssertTrue(message(metadata, opening: model).contains("colours.json is not a regular file but a named pipe"))
        try FileManager.default.removeItem(at: metadata.url)
        try folder.write(#"{"labelsFile": "labels.txt"}"#, "colours.json")
        let names = try NamedPipe(at: folder.url.appendingPathComponent("labels.txt"))
        XCTAssertTrue(message(names, opening: model).contains("labels.txt is not a regular file but a named pipe"))

        let compiled = folder.url.appendingPathComponent("a.mlmodelc")
        try FileManager.default.createDirectory(at: compiled, withIntermediateDirectories: true)
        let manifest = try NamedPipe(at: compiled.appendingPathComponent("manifest.json"))
        XCTAssertFalse(message(manifest, opening: compiled).isEmpty)
    }
}
