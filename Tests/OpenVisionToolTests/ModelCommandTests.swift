import Foundation
import ModelFixtures
import ModelTestSupport
import Vision
import VisionInference
import VisionModels
import XCTest

@testable import openvision

/// Runs the commands about models as their users do, with stores and models that the tests make.
final class ModelCommandTests: XCTestCase {
    private func run(_ arguments: [String], store: String, _ more: [String: String] = [:]) throws -> ToolRun {
        try openvision(arguments, environment: more.merging(["OPENVISION_MODELS": store]) { first, _ in first })
    }

    /// Writes an image of one colour.
    private func makeImage(_ scratch: Scratch, _ colour: Colour, _ name: String = "image.png") throws -> String {
        try DrawnPhotos.write(colour, name, in: scratch)
    }

    // MARK: The store

    func testAnEmptyStoreListsEveryModelAsMissing() throws {
        let scratch = try Scratch()
        let list = try run(["models", "list", "--json"], store: scratch.path("store"))
        XCTAssertEqual(list.code, 0, list.errors)
        XCTAssertGreaterThanOrEqual(list.lines.count, 9)
        let states = try list.lines.indices.map { try list.object($0)["state"] as? String }
        let builtIn = BuiltInNetwork.all.count
        XCTAssertEqual(Set(states.dropLast(builtIn)), ["missing"])
        XCTAssertEqual(Set(states.suffix(builtIn)), ["built in"])
        let text = try run(["models", "list"], store: scratch.path("store"))
        XCTAssertEqual(text.lines.count, list.lines.count + 1)
        XCTAssertFalse(FileManager.default.fileExists(atPath: scratch.path("store")), "listing makes nothing")
    }

    func testWherePrintsTheFolderAndNamesTheCommandForAModelThatIsMissing() throws {
        let scratch = try Scratch()
        let folder = try run(["models", "where"], store: scratch.path("store"))
        XCTAssertEqual(folder.output, scratch.path("store") + "\n")
        let missing = try run(["models", "where", "face-landmark"], store: scratch.path("store"))
        XCTAssertEqual(missing.code, 1)
        XCTAssertTrue(missing.errors.contains("openvision models install face-landmark"), missing.errors)
    }

    func testVerifyFailsForANamedModelThatIsMissingAndNotWithoutNames() throws {
        let scratch = try Scratch()
        XCTAssertEqual(try run(["models", "verify"], store: scratch.path("store")).code, 0)
        let named = try run(["models", "verify", "iris-landmark", "--json"], store: scratch.path("store"))
        XCTAssertEqual(named.code, 1)
        XCTAssertEqual(try named.object(0)["state"] as? String, "missing")
    }

    func testUnknownModelsAreRefusedWithTheListOfNames() throws {
        let scratch = try Scratch()
        for command in ["install", "verify", "where"] {
            let run = try run(["models", command, "nothing"], store: scratch.path("store"))
            XCTAssertEqual(run.code, 1)
            XCTAssertTrue(run.errors.contains("'nothing'") && run.errors.contains("efficientnet-lite0"), run.errors)
        }
    }

    func testInstallingFromAFolderWithoutTheWheelNamesIt() throws {
        let scratch = try Scratch()
        let run = try run(
            ["models", "install", "face-landmark", "--from", scratch.url.path, "--quiet"], store: scratch.path("store"))
        XCTAssertEqual(run.code, 1)
        XCTAssertTrue(run.errors.contains("mediapipe-0.10.14-cp311"), run.errors)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: scratch.path("store")), [".lock"])
    }

    func testInstallingWithoutANetworkSaysWhatHelps() throws {
        let scratch = try Scratch()
        let server = try LocalServer { _, _ in .init(status: 404) }
        defer { server.stop() }
        for arguments in [["--index-url", server.url.absoluteString], []] {
            let run = try run(
                ["models", "install", "face-landmark", "--quiet"] + arguments, store: scratch.path("store"),
                ["PIP_INDEX_URL": server.url.absoluteString])
            XCTAssertEqual(run.code, 1)
            XCTAssertTrue(run.errors.contains("mediapipe-0.10.14-cp311"), run.errors)
            XCTAssertTrue(run.errors.contains("404") && run.errors.contains("--from"), run.errors)
            XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: scratch.path("store")), [".lock"])
        }
        XCTAssertEqual(server.requests, ["/mediapipe/", "/mediapipe/"])
        let file = try run(["models", "install", "--index-url", "file:///"], store: scratch.path("store"))
        XCTAssertTrue(file.errors.contains("https://"), file.errors)
    }

    func testCtrlCStopsADownloadAndLeavesNothing() throws {
        let scratch = try Scratch()
        let server = try LocalServer { _, _ in .init(isStalled: true) }
        defer { server.stop() }
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("openvision")
        process.arguments = ["models", "install", "face-landmark", "--quiet", "--index-url", server.url.absoluteString]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["OPENVISION_MODELS": scratch.path("store")]) { $1 }
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning, server.requests.isEmpty { usleep(10_000) }
        process.interrupt()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 130)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: scratch.path("store")), [".lock"])
    }

    // MARK: Models

    func testModelInfoPrintsInputsOutputsAndLabels() throws {
        let scratch = try Scratch()
        let model = try scratch.write(try breakfastDetector(metadata: breakfastMetadata()), "food.onnx")
        let run = try openvision(["model-info", model, "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        let object = try run.object(0)
        XCTAssertEqual(object["labels"] as? [String] ?? breakfast, breakfast)
        let inputs = try XCTUnwrap(object["networkInputs"] as? [[String: Any]])
        XCTAssertEqual(inputs.first?["name"] as? String, "images")
        XCTAssertEqual(inputs.first?["shape"] as? [Int], [1, 3, 64, 64])
        let features = try XCTUnwrap(object["inputs"] as? [[String: Any]])
        XCTAssertEqual(features.first?["type"] as? String, "image, 64 × 64, colour")
        XCTAssertTrue(try openvision(["model-info", model]).output.contains("input images: float32, 1 × 3 × 64 × 64"))
    }

    func testGenerateWritesTheClassOfAModel() throws {
        let scratch = try Scratch()
        let model = try scratch.write(try breakfastDetector(metadata: breakfastMetadata()), "my food.onnx")
        let run = try openvision(["generate", model, "--output", scratch.path("classes"), "--access", "public"])
        XCTAssertEqual(run.code, 0, run.errors)
        let path = scratch.path("classes/my_food.swift")
        XCTAssertEqual(run.output, path + "\n")
        let source = try String(contentsOfFile: path, encoding: .utf8)
        XCTAssertTrue(source.contains("public nonisolated class my_food: @unchecked Sendable {"), source)
        XCTAssertTrue(source.contains("pixelsWide: 64, pixelsHigh: 64"), source)
        XCTAssertTrue(source.contains("public var output0ShapedArray: MLShapedArray<Float> {"), source)
        // Again, and where a person's file is.
        XCTAssertEqual(try openvision(["generate", model, "-o", scratch.path("classes")]).code, 0)
        try "class my_food {}".write(toFile: path, atomically: true, encoding: .utf8)
        let refused = try openvision(["generate", model, "-o", scratch.path("classes")])
        XCTAssertNotEqual(refused.code, 0)
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "class my_food {}")
        XCTAssertEqual(try openvision(["generate", model, "--class", "a b"]).code, 64)
        // Of a Core ML file only the description counts: this one's kind does not run.
        var builder = CoreMLFileBuilder()
        builder.inputs = [CoreMLFileBuilder.string("text")]
        builder.outputs = [CoreMLFileBuilder.string("label")]
        let text = try scratch.write(Data(builder.file(2000, [:])), "Words.mlmodel")
        XCTAssertEqual(try openvision(["generate", text, "-o", scratch.path("classes"), "--bundle", "main"]).code, 0)
        let words = try String(contentsOfFile: scratch.path("classes/Words.swift"), encoding: .utf8)
        XCTAssertTrue(words.contains("func prediction(text: String) throws -> WordsOutput {"), words)
        XCTAssertTrue(words.contains("Bundle.main"), words)
    }

    func testRunNamesTheSettingsOfADetectorThatFindsNothing() throws {
        let scratch = try Scratch()
        let image = try makeImage(scratch, Colour(red: 0, green: 0, blue: 153))
        let model = try scratch.write(try breakfastDetector(), "food.onnx")
        let run = try openvision(["run", model, image, "--crop", "fill"])
        XCTAssertTrue(run.output.contains("nothing found"), run.output + run.errors)
        XCTAssertTrue(run.errors.contains("\"images\": {\"colorOrder\": \"BGR\", \"scale\": 1}"), run.errors)
        try #"{"inputs": {"images": {"colorOrder": "RGB"}}}"#.write(
            toFile: scratch.path("food.json"), atomically: true, encoding: .utf8)
        XCTAssertEqual(try openvision(["run", model, image, "--crop", "fill"]).errors, "")
    }

    func testModelInfoReportsErrorsInTheMetadata() throws {
        let scratch = try Scratch()
        let model = try scratch.write(try breakfastDetector(), "food.onnx")
        try scratch.write(Data(#"{"inputs": {"images": {"colorOrder": "RBG"}}}"#.utf8), "food.json")
        let run = try openvision(["model-info", model])
        XCTAssertEqual(run.code, 1)
        XCTAssertTrue(run.errors.contains("inputs.images.colorOrder"), run.errors)
        XCTAssertFalse(run.errors.contains("Domain="), run.errors)
    }

    func testModelsThatCannotRunAreRefusedWithOperatorAndNode() throws {
        let scratch = try Scratch()
        let model = try scratch.write(modelWithUnknownOperator(), "beam.onnx")
        for command in ["model-info", "profile"] {
            let run = try openvision([command, model])
            XCTAssertEqual(run.code, 1)
            XCTAssertTrue(run.errors.contains("Teleport") && run.errors.contains("beam"), run.errors)
        }
        XCTAssertEqual(try openvision(["model-info", scratch.path("none.onnx")]).code, 1)
    }

    func testRunPrintsTheLabelsOfAClassifier() throws {
        let scratch = try Scratch()
        let metadata = #"""
            {"labels": ["red", "green", "blue"], "inputs": {"image": {"width": 16, "height": 16}},
             "userDefined": {"classNames": "like blood\nlike grass\nlike the sea"}}
            """#
        let model = try scratch.write(try colourClassifier(metadata: metadata), "colour.onnx")
        let image = try makeImage(scratch, Colour(red: 0, green: 51, blue: 255))
        let run = try openvision(["run", model, image, "--top", "2", "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.count, 2)
        XCTAssertEqual(try run.object(0)["label"] as? String, "blue")
        XCTAssertEqual(try run.object(0)["name"] as? String, "like the sea")
        XCTAssertEqual(try run.object(1)["label"] as? String, "green")
        XCTAssertEqual(try XCTUnwrap(try run.object(1)["confidence"] as? Double), 0.2, accuracy: 0.01)
    }

    func testRunPrintsTheBoxesOfADetectorInPixels() throws {
        let scratch = try Scratch()
        let model = try scratch.write(try breakfastDetector(metadata: breakfastMetadata()), "food.onnx")
        let image = try makeImage(scratch, Colour(red: 255, green: 255, blue: 0))
        let run = try openvision(["run", model, image, "--crop", "fill", "--top", "100", "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.count, 16, "a banana in each cell of the grid of 16 pixels")
        for index in run.lines.indices {
            XCTAssertEqual(try run.object(index)["label"] as? String, "banana")
            let box = numbers(try run.object(index)["box"])
            XCTAssertEqual(box.count, 4)
            XCTAssertEqual(box[2], 24, accuracy: 0.01)
            XCTAssertEqual(box[3], 16, accuracy: 0.01)
            XCTAssertTrue((0...72).contains(box[0]) && (0...48).contains(box[1]), "\(box)")
        }
    }

    func testProfileTimesEveryLayer() throws {
        let scratch = try Scratch()
        let model = try scratch.write(try breakfastDetector(), "food.onnx")
        let run = try openvision(["profile", model, "--runs", "3", "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        let summary = try run.object(run.lines.count - 1)
        XCTAssertGreaterThan(try XCTUnwrap(summary["arenaBytes"] as? Int), 0)
        XCTAssertGreaterThan(try XCTUnwrap(summary["peakGigaflops"] as? Double), 0)
        XCTAssertGreaterThan(run.lines.count, 5)
        for index in 0..<(run.lines.count - 1) {
            XCTAssertGreaterThanOrEqual(try XCTUnwrap(try run.object(index)["milliseconds"] as? Double), 0)
        }
        XCTAssertTrue(try openvision(["profile", model, "--runs", "1"]).output.contains("% of peak"))
    }

    func testBuiltInNetworksAreShownAndTimed() throws {
        let scratch = try Scratch()
        for network in BuiltInNetwork.all {
            let info = try run(["model-info", network.id, "--json"], store: scratch.path("store"))
            XCTAssertEqual(info.code, 0, info.errors)
            XCTAssertEqual(try info.object(0)["path"] as? String, network.id)
            XCTAssertGreaterThan(try XCTUnwrap(try info.object(0)["parameters"] as? Int), 10_000)
        }
        let profile = try run(
            ["profile", "rectangle_proposals", "--runs", "1", "--json"], store: scratch.path("store"))
        XCTAssertEqual(profile.code, 0, profile.errors)
        XCTAssertGreaterThan(profile.lines.count, 20)
        let quantised = try run(
            ["quantize", "face-verifier", scratch.url.path, "--output", scratch.path("out.onnx")],
            store: scratch.path("store"))
        XCTAssertNotEqual(quantised.code, 0)
    }

    func testProfileAsksForShapesThatTheModelLeavesOpen() throws {
        let scratch = try Scratch()
        let model = try scratch.write(try colourClassifier(metadata: "{}"), "colour.onnx")
        let open = try openvision(["profile", model])
        XCTAssertEqual(open.code, 64)
        XCTAssertTrue(open.errors.contains("--shape image="), open.errors)
        XCTAssertEqual(try openvision(["profile", model, "--runs", "1", "--shape", "image=2x3x20x30"]).code, 0)
        XCTAssertEqual(try openvision(["profile", model, "--shape", "image=2x3x"]).code, 64)
        XCTAssertEqual(try openvision(["profile", model, "--shape", "image=1x3x8x8", "--shape", "x=1"]).code, 64)
    }

    func testQuantisingWritesAModelThatRuns() throws {
        let scratch = try Scratch()
        let model = try scratch.write(try smallConvolution(), "small.onnx")
        try scratch.write(Data(#"{"labels": ["red", "green", "blue"]}"#.utf8), "small.json")
        let photos = scratch.url.appendingPathComponent("photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        let colours = [
            Colour(red: 255, green: 0, blue: 0), Colour(red: 0, green: 200, blue: 30),
            Colour(red: 20, green: 0, blue: 255),
        ]
        for (number, colour) in colours.enumerated() { _ = try makeImage(scratch, colour, "photos/\(number).png") }
        let result = scratch.path("small-int8.onnx")
        let run = try openvision(["quantize", model, photos.path, "-o", result])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertTrue(run.output.contains("from 3 photos"), run.output)
        let info = try openvision(["model-info", result, "--json"])
        let operators = try XCTUnwrap(try info.object(0)["operators"] as? [String: Int])
        XCTAssertGreaterThan(operators["DequantizeLinear"] ?? 0, 0, "\(operators)")
        for (number, label) in ["red", "green", "blue"].enumerated() {
            let found = try openvision(["run", result, photos.path + "/\(number).png", "--json"])
            XCTAssertEqual(try found.object(0)["label"] as? String, label, found.errors)
        }
    }

    func testConvertingWritesAPackageThatClassifiesTheSame() throws {
        let scratch = try Scratch()
        let model = try scratch.write(try smallConvolution(), "small.onnx")
        try scratch.write(
            Data(#"{"labels": ["red", "green", "blue"], "author": "Ada", "description": "Colours"}"#.utf8),
            "small.json")
        let photo = try makeImage(scratch, Colour(red: 20, green: 200, blue: 30))
        let expected = try openvision(["run", model, photo, "--json"]).object(0)
        for options in [[], ["--half"]] {
            let package = scratch.path("small.mlpackage")
            let run = try openvision(["convert", model, package] + options)
            XCTAssertEqual(run.code, 0, run.errors)
            XCTAssertTrue(run.output.contains("Wrote"), run.output)
            let info = try openvision(["model-info", package])
            XCTAssertTrue(info.output.contains("Ada"), info.output + info.errors)
            let found = try openvision(["run", package, photo, "--json"])
            XCTAssertEqual(found.code, 0, found.errors)
            let object = try found.object(0)
            XCTAssertEqual(object["label"] as? String, "green")
            XCTAssertEqual(
                try XCTUnwrap(object["confidence"] as? Double), try XCTUnwrap(expected["confidence"] as? Double),
                accuracy: options.isEmpty ? 1e-5 : 1e-2)
        }
    }

    func testConvertingRefusesWhatItCannotDo() throws {
        let scratch = try Scratch()
        let model = try scratch.write(try smallConvolution(), "small.onnx")
        XCTAssertEqual(try openvision(["convert", model, scratch.path("small.mlmodel")]).code, 64)
        XCTAssertEqual(try openvision(["convert", model, scratch.path("a.mlpackage"), "--size", "7"]).code, 64)
        let unknown = try openvision(["convert", model, scratch.path("a.mlpackage"), "--shape", "x=1x2"])
        XCTAssertEqual(unknown.code, 1)
        XCTAssertTrue(unknown.errors.contains("no input “x”"), unknown.errors)
        let open = try scratch.write(try colourClassifier(metadata: "{}"), "open.onnx")
        let sizes = try openvision(["convert", open, scratch.path("a.mlpackage")])
        XCTAssertTrue(sizes.errors.contains("--size"), sizes.errors)
        XCTAssertEqual(try openvision(["convert", open, scratch.path("a.mlpackage"), "--size", "16x8"]).code, 0)
        let again = try openvision(["convert", scratch.path("a.mlpackage"), scratch.path("b.mlpackage")])
        XCTAssertTrue(again.errors.contains("already"), again.errors)
    }

    func testQuantisingRefusesWhatItCannotDo() throws {
        let scratch = try Scratch()
        let model = try scratch.write(try smallConvolution(), "small.onnx")
        let image = try makeImage(scratch, Colour(red: 1, green: 2, blue: 3))
        XCTAssertEqual(try openvision(["quantize", model, scratch.url.path, "-o", model]).code, 64)
        let unknown = try openvision(
            ["quantize", model, scratch.url.path, "-o", scratch.path("x.onnx"), "--exclude", "nothing"])
        XCTAssertEqual(unknown.code, 64)
        XCTAssertTrue(unknown.errors.contains("'nothing'"), unknown.errors)
        try FileManager.default.removeItem(atPath: image)
        XCTAssertEqual(try openvision(["quantize", model, scratch.url.path, "-o", scratch.path("x.onnx")]).code, 1)
        XCTAssertFalse(FileManager.default.fileExists(atPath: scratch.path("x.onnx")))
    }

    /// Three scores, each the mean of a colour after a convolution of one pixel.
    private func smallConvolution() throws -> Data {
        var builder = ONNXBuilder(opset: 17)
        let image = builder.input("image", [1, 3, 16, 16])
        let weights = try builder.initialiser(
            "weights", [3, 3, 1, 1], [1, -0.25, -0.25, -0.25, 1, -0.25, -0.25, -0.25, 1] as [Float])
        let bias = try builder.initialiser("bias", [3], [0.1, 0.2, 0.1] as [Float])
        let mixed = builder.node("Conv", [image, weights, bias], ["kernel_shape": [1, 1]], name: "mix")
        let mean = builder.node("GlobalAveragePool", [mixed], name: "mean")
        builder.output(builder.node("Flatten", [mean], ["axis": 1], output: "scores"), [1, 3])
        return builder.data()
    }

    func testShapesAreReadFromTheCommandLine() {
        XCTAssertEqual(InputShape("images=1x3x416x416")?.sizes, [1, 3, 416, 416])
        XCTAssertEqual(InputShape("a=b=2")?.name, "a=b")
        for text in ["", "=1", "x", "x=", "x=0", "x=-1", "x=1x", "x=1.5", "x=99999999"] {
            XCTAssertNil(InputShape(text), text)
        }
    }
}
