import Foundation
import ModelTestSupport
import XCTest

@testable import VisionInference

/// The files of packages that are written: descriptions, weights, folders.
final class CoreMLPackageTests: XCTestCase {
    private let folder = try? TemporaryFolder()

    private func package(_ name: String = "net.mlpackage") throws -> URL {
        try XCTUnwrap(folder).url.appendingPathComponent(name)
    }

    private func model(_ package: URL) throws -> CoreMLModel {
        let file = try NetworkFile(contentsOf: CoreMLPackage.specification(in: package))
        guard case .coreML(let model) = try file.contents() else { throw ModelError.invalid("no Core ML file") }
        return model
    }

    /// Weights from −0.5 to 0.5, a convolution of an image and its mean: three scores.
    private func network(channelsLast: Bool = false) throws -> Graph {
        var builder = ONNXBuilder(opset: 17)
        var image = builder.input("photo:0", channelsLast ? [1, 8, 6, 3] : [1, 3, 8, 6])
        if channelsLast { image = builder.node("Transpose", [image], ["perm": [0, 3, 1, 2]]) }
        try builder.initialiser("w", [3, 3, 3, 3], (0..<81).map { Float($0 * 37 % 81) / 81 - 0.5 })
        let maps = builder.node("Conv", [image, "w"], ["pads": [1, 1, 1, 1]])
        builder.output(
            builder.node("ReduceMean", [maps], ["axes": [2, 3], "keepdims": 0], output: "scores"), [1, 3])
        return try ONNXImporter.graph(builder.data())
    }

    private var pixels: [Float] { (0..<144).map { Float($0 * 91 % 256) } }

    // MARK: Descriptions

    func testImagesAreScaledByTheProgram() throws {
        for channelsLast in [false, true] {
            for colours in [CoreMLExport.Image.Colours.rgb, .bgr] {
                let graph = try network(channelsLast: channelsLast)
                var export = CoreMLExport()
                export.images["photo:0"] = CoreMLExport.Image(
                    colours: colours, scale: [0.5, 0.25, 0.125], bias: [1, -2, 3], channelsLast: channelsLast)
                export.metadata.shortDescription = "Means"
                export.metadata.userDefined = ["key": "value"]
                let shape = channelsLast ? [1, 8, 6, 3] : [1, 3, 8, 6]
                let names = try export.write(graph, shapes: [shape], to: package())
                XCTAssertEqual(names["photo:0"], "photo_0")
                let model = try self.model(package())
                XCTAssertEqual(model.version, 7)
                XCTAssertEqual(model.description.shortDescription, "Means")
                XCTAssertEqual(model.description.userDefined, ["key": "value"])
                guard case .image(let image)? = model.description.inputs.first?.kind else {
                    return XCTFail("the input is no image")
                }
                XCTAssertEqual([image.width, image.height], [6, 8])
                XCTAssertEqual(image.colours, colours == .rgb ? .rgb : .bgr)
                // Channels of the network's own order, scaled as its file wants them.
                let bytes = try Tensor(pixels, shape: [1, 3, 8, 6])
                let (scale, bias): ([Float], [Float]) =
                    colours == .rgb ? ([0.5, 0.25, 0.125], [1, -2, 3]) : ([0.125, 0.25, 0.5], [3, -2, 1])
                let scaled = pixels.enumerated().map { $1 * scale[$0 / 48] + bias[$0 / 48] }
                let own =
                    channelsLast ? (0..<144).map { scaled[$0 % 3 * 48 + $0 / 3] } : scaled
                let expected = try Session(graph: graph).run(["photo:0": Tensor(own, shape: shape)])["scores"]?.floats
                let found = try Session(graph: model.network().graph).run(["photo_0": bytes])["scores"]?.floats
                for (a, b) in zip(found ?? [], expected ?? [0, 0, 0]) { XCTAssertEqual(a, b, accuracy: 2e-5) }
                XCTAssertEqual(found?.count, 3)
            }
        }
    }

    func testLabelsAreThoseOfAClassifier() throws {
        var export = CoreMLExport()
        export.classifier = .init(
            scores: "scores", function: .softmax, labels: ["one", "two", "drei"], labelName: "classLabel",
            probabilitiesName: "classLabelProbs")
        try export.write(network(), shapes: [[1, 3, 8, 6]], to: package())
        let model = try self.model(package())
        XCTAssertEqual(model.description.predictedFeatureName, "classLabel")
        XCTAssertEqual(model.description.predictedProbabilitiesName, "classLabelProbs")
        XCTAssertEqual(model.description.outputs.map(\.name), ["classLabel", "classLabelProbs"])
        let network = try model.network()
        XCTAssertEqual(network.classifier?.texts, ["one", "two", "drei"])
        let input = try Tensor(pixels, shape: [1, 3, 8, 6])
        let name = try XCTUnwrap(network.probabilities)
        let found = try Session(graph: network.graph).run(["photo_0": input])[name]?.floats ?? []
        XCTAssertEqual(found.reduce(0, +), 1, accuracy: 1e-5)
        export.classifier?.labels = ["one"]
        XCTAssertThrowsError(try export.write(self.network(), shapes: [[1, 3, 8, 6]], to: package()))
    }

    // MARK: Weights

    func testWeightsLieAtMultiplesOf64Bytes() throws {
        try CoreMLExport().write(network(), shapes: [[1, 3, 8, 6]], to: package())
        let url = try package().appendingPathComponent("Data/com.apple.CoreML/weights/weight.bin")
        let data = try Data(contentsOf: url)
        func word(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(data[at + $1]) << (8 * $1) } }
        XCTAssertEqual([word(0), word(4)], [1, 2], "one tensor, version 2")
        XCTAssertEqual([word(64), word(68), word(72), word(80)], [0xDEAD_BEEF, 2, 324, 128])
        XCTAssertEqual(data.count, 128 + 324)
        XCTAssertEqual(try CoreMLBlobFile(contentsOf: url).blob(at: 64).elements.count, 324)
    }

    func testHalfPrecision() throws {
        var export = CoreMLExport()
        export.usesHalf = true
        let graph = try network()
        try export.write(graph, shapes: [[1, 3, 8, 6]], to: package())
        let url = try package().appendingPathComponent("Data/com.apple.CoreML/weights/weight.bin")
        XCTAssertEqual(try CoreMLBlobFile(contentsOf: url).blob(at: 64).type, .float16)
        let model = try self.model(package())
        guard case .array(let array)? = model.description.inputs.first?.kind else { return XCTFail("no array") }
        XCTAssertEqual(array.type, .float32, "inputs stay floats of 32 bits")
        let input = try Tensor(pixels.map { $0 / 255 }, shape: [1, 3, 8, 6])
        let expected = try Session(graph: graph).run(["photo:0": input])["scores"]?.floats ?? []
        let found = try Session(graph: model.network().graph).run(["photo_0": input])["scores"]?.floats ?? []
        XCTAssertEqual(found.count, 3)
        for (a, b) in zip(found, expected) { XCTAssertEqual(a, b, accuracy: 1e-3) }
        XCTAssertNotEqual(found, expected)
    }

    // MARK: Folders

    func testPackagesAreReplacedAndOtherFoldersAreNot() throws {
        let export = CoreMLExport()
        let graph = try network()
        try export.write(graph, shapes: [[1, 3, 8, 6]], to: package())
        try export.write(graph, shapes: [[1, 3, 8, 6]], to: package())
        _ = try model(package())
        let root = try XCTUnwrap(folder).url
        let other = try package("precious.mlpackage")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        XCTAssertThrowsError(try export.write(graph, shapes: [[1, 3, 8, 6]], to: other)) {
            XCTAssertTrue("\($0)".contains("no Core ML package"), "\($0)")
        }
        XCTAssertThrowsError(try export.write(graph, shapes: [[1, 3, 8]], to: package()))
        XCTAssertThrowsError(try export.write(graph, shapes: [], to: package()))
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
        XCTAssertEqual(names, ["net.mlpackage", "precious.mlpackage"], "nothing is left behind")
    }

    func testOperatorsThatProgramsDoNotHaveAreNamed() throws {
        var bits = ONNXBuilder(opset: 18)
        bits.input("x", [3], .int32)
        bits.output(bits.node("BitwiseAnd", ["x", "x"], name: "bits", output: "y"), nil, .int32)
        var found = ONNXBuilder(opset: 17)
        found.input("x", [3, 4])
        found.output(found.node("NonZero", ["x"], name: "find", output: "y"), nil, .int64)
        for (builder, shape, name) in [(bits, [3], "bits"), (found, [3, 4], "find")] {
            let graph = try ONNXImporter.graph(builder.data())
            XCTAssertThrowsError(try CoreMLExport().write(graph, shapes: [shape], to: package())) { error in
                XCTAssertEqual((error as? ModelError)?.kind, .unsupported, "\(error)")
                XCTAssertTrue("\(error)".contains(name), "\(error)")
            }
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: try package().path))
    }
}
