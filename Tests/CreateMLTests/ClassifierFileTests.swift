import CoreML
import CreateML
import ModelTestSupport
import Vision
import VisionImage
import VisionInference
import VisionModels
import VisionTraining
import XCTest

/// The file of a classifier: what is read, and what is refused.
final class ClassifierFileTests: XCTestCase {
    private let folder = try? TemporaryFolder()

    private func write(_ data: Data, _ name: String) throws -> URL { try XCTUnwrap(folder).write(data, name) }

    /// A classifier with weights out of a generator.
    private func file(
        labels: [String], features: Int = 1280, extractor: ClassifierFile.Extractor = .scene(revision: 1),
        metadata: String? = nil
    ) throws -> Data {
        var random = SplitMix64(seed: 3)
        let json = try JSONSerialization.data(withJSONObject: ["labels": labels, "classifier": ["scores": "scores"]])
        return try ClassifierFile.data(
            extractor: extractor, featureCount: features,
            weights: (0..<labels.count * features).map { _ in UInt16(truncatingIfNeeded: random.next()) & 0x3BFF },
            offsets: labels.map { _ in 0 }, metadata: metadata ?? String(decoding: json, as: UTF8.self),
            documentation: "")
    }

    private func assertRefused(_ data: Data, _ name: String = "model.onnx", _ part: String = "", line: UInt = #line) {
        XCTAssertThrowsError(try MLModel(contentsOf: write(data, name)), line: line) { error in
            XCTAssertTrue(error is MLModelError, "\(error)", line: line)
            XCTAssertTrue(
                part.isEmpty || error.localizedDescription.contains(part), error.localizedDescription, line: line)
        }
    }

    // MARK: - Sizes

    func testFilesAreSmall() throws {
        let twenty = try file(labels: (0..<20).map { "a label of some length \($0)" })
        XCTAssertLessThanOrEqual(twenty.count, 148_000)
        let many = try file(labels: (0..<150).map { "a label of some length \($0)" })
        XCTAssertLessThanOrEqual(many.count, 1_000_000)
    }

    // MARK: - Core ML files

    /// The same classifier as a Core ML file.
    private func coreMLFile(
        labels: [String], features: Int = 1280, extractor: ClassifierFile.Extractor = .scene(revision: 1)
    ) throws -> Data {
        var random = SplitMix64(seed: 3)
        var metadata = CoreMLMetadata()
        (metadata.author, metadata.shortDescription, metadata.version) = ("Ada", "Shapes", "7")
        return try ClassifierFile.coreMLData(
            extractor: extractor, featureCount: features,
            weights: (0..<labels.count * features).map { _ in UInt16(truncatingIfNeeded: random.next()) & 0x3BFF },
            offsets: labels.map { _ in 0 }, labels: labels, metadata: metadata)
    }

    func testACoreMLFileGivesTheSameProbabilities() throws {
        try requireSceneNetwork()
        let labels = ["a", "b", "c"]
        let models = [try file(labels: labels), try coreMLFile(labels: labels)].enumerated().map { index, data in
            Result { try MLModel(contentsOf: write(data, "same\(index).mlmodel")) }
        }
        let (onnx, coreML) = (try models[0].get(), try models[1].get())
        XCTAssertEqual(ModelFileKind(ModelBytes(try coreMLFile(labels: labels))), .coreML(.other))
        let raster = try Raster(width: 40, height: 30, format: .rgb8) { pixels, rowBytes in
            for index in 0..<rowBytes * 30 {
                pixels.storeBytes(of: UInt8(truncatingIfNeeded: index * 37), toByteOffset: index, as: UInt8.self)
            }
        }
        let image = try MLFeatureValue(
            cgImage: CGImage(raster: raster), pixelsWide: 40, pixelsHigh: 30,
            pixelFormatType: kCVPixelFormatType_32BGRA)
        let input = try MLDictionaryFeatureProvider(dictionary: ["image": image])
        let (a, b) = (try onnx.prediction(from: input), try coreML.prediction(from: input))
        XCTAssertEqual(
            a.featureValue(for: "classLabelProbs")?.dictionaryValue as? [String: NSNumber],
            b.featureValue(for: "classLabelProbs")?.dictionaryValue as? [String: NSNumber])
        XCTAssertEqual(
            a.featureValue(for: "classLabel")?.stringValue, b.featureValue(for: "classLabel")?.stringValue)
        let description = coreML.modelDescription
        XCTAssertEqual(description.classLabels as? [String], labels)
        XCTAssertEqual(description.predictedFeatureName, "classLabel")
        XCTAssertEqual(description.predictedProbabilitiesName, "classLabelProbs")
        XCTAssertEqual(description.inputDescriptionsByName["image"]?.imageConstraint?.pixelsWide, 299)
        XCTAssertEqual(description.metadata[.author] as? String, "Ada")
        XCTAssertEqual(description.metadata[.description] as? String, "Shapes")
        XCTAssertEqual(description.metadata[.versionString] as? String, "7")
        XCTAssertEqual(try ModelParts(contentsOf: write(coreMLFile(labels: labels), "parts.mlmodel")).parts.count, 2)
    }

    /// Only the custom models that are written here are known, and only in the pipeline that is written here.
    func testOtherCustomModelsAreRefused() throws {
        let version = Data([8, 3])
        let custom = version + message([(2, Data()), (555, message([(10, Data("SomeonesModel".utf8))]))])
        let pipeline = version + message([(2, Data()), (200, message([(1, message([(1, custom)]))]))])
        assertRefused(pipeline, "someone.mlmodel", "customModel")
        let own = version + message([(2, Data()), (555, message([(10, Data("OpenVisionScenePrint".utf8))]))])
        assertRefused(own, "alone.mlmodel", "customModel")
        let short = version + message([(2, Data()), (200, message([(1, message([(1, own)]))]))])
        assertRefused(short, "short.mlmodel", "followed by one network")
        assertRefused(try coreMLFile(labels: ["a", "b"], extractor: .scene(revision: 77)), "r.mlmodel", "revision 77")
        XCTAssertThrowsError(
            try ClassifierFile.coreMLData(
                extractor: .scene(revision: 1), featureCount: 3, weights: [1, 2], offsets: [0, 0], labels: ["a", "b"],
                metadata: CoreMLMetadata()))
    }

    func testModelsThatAreNoNetworkHaveNoParts() throws {
        let identity = Data([8, 1]) + message([(2, Data()), (900, Data())])
        XCTAssertTrue(try ModelParts(contentsOf: write(identity, "identity.mlmodel")).parts.isEmpty)
    }

    func testDamagedCoreMLFilesAreRefusedOrGiveAClassifier() throws {
        try requireSceneNetwork()
        let whole = try coreMLFile(labels: ["a", "b", "c"])
        for length in [1, 2, 7, 100, 300, whole.count / 2, whole.count - 1] {
            assertRefused(whole.prefix(length), "cut\(length).mlmodel")
        }
        var random = SplitMix64(seed: 11)
        for round in 0..<400 {
            var bytes = whole
            for _ in 0..<3 {
                let offset = Int(random.next() % 600)
                bytes[round % 2 == 0 ? offset : bytes.count - 1 - offset] = UInt8(truncatingIfNeeded: random.next())
            }
            do {
                guard case .coreML(let model) = try NetworkFile(ModelBytes(bytes)).contents() else { continue }
                _ = try ClassifierFile.coreML(model)
            } catch is ModelError {
            } catch { XCTFail("\(error)") }
        }
    }

    // MARK: - Names and kinds of files

    func testFilesAreKnownByTheirContent() throws {
        try requireSceneNetwork()
        let data = try file(labels: ["a", "b"])
        for name in ["a.mlmodel", "a.ONNX", "a.bin", "a", "a.classifier.v2"] {
            let model = try MLModel(contentsOf: write(data, name))
            XCTAssertEqual(model.modelDescription.classLabels as? [String], ["a", "b"], name)
        }
        XCTAssertEqual(ModelFileKind(ModelBytes(data)), .onnx)
        XCTAssertEqual(ModelFileKind(ModelBytes(Data("hello".utf8))), .unknown)
        XCTAssertEqual(ModelFileKind(ModelBytes(Data())), .unknown)
        assertRefused(Data("hello".utf8), "hello.mlmodel")
    }

    /// A message of Protocol Buffers: fields of bytes.
    private func message(_ fields: [(Int, Data)]) -> Data {
        var data = Data()
        func varint(_ value: Int) {
            var rest = UInt64(value)
            while rest >= 0x80 {
                data.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            data.append(UInt8(rest))
        }
        for (number, content) in fields {
            varint(number << 3 | 2)
            varint(content.count)
            data.append(content)
        }
        return data
    }

    func testWhatCreateMLMadeOnAMacIsRefusedWithItsReason() throws {
        let version = Data([8, 3])
        let print = version + message([(2, Data()), (2002, message([(20, Data([8, 1]))]))])
        let regression = version + message([(400, Data([1, 2, 3]))])
        let pipeline = message([(1, print), (1, regression), (2, Data("print".utf8))])
        for (field, content) in [(200, message([(1, pipeline)])), (202, pipeline)] {
            let model = version + message([(2, Data("description".utf8)), (field, content)])
            XCTAssertEqual(ModelFileKind(ModelBytes(model)), .coreML(.visionFeaturePrint))
            assertRefused(model, "mac.mlmodel", "visionFeaturePrint")
            assertRefused(model, "mac", "openvision train")
        }
        let other = version + message([(2, Data()), (500, Data([10, 0]))])
        XCTAssertEqual(ModelFileKind(ModelBytes(other)), .coreML(.other))
        assertRefused(other, "other.mlmodel", "has no type")
        let package = try XCTUnwrap(folder).url.appendingPathComponent("Mac.mlpackage")
        let inner = package.appendingPathComponent("Data/com.apple.CoreML")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try (version + message([(202, pipeline)])).write(to: inner.appendingPathComponent("model.mlmodel"))
        let manifest =
            #"{"itemInfoEntries": {"a": {"path": "com.apple.CoreML/model.mlmodel"}}, "rootModelIdentifier": "a"}"#
        try Data(manifest.utf8).write(to: package.appendingPathComponent("Manifest.json"))
        XCTAssertThrowsError(try MLModel(contentsOf: package)) {
            XCTAssertTrue($0.localizedDescription.contains("visionFeaturePrint"), $0.localizedDescription)
        }
    }

    func testVisionSaysTheSameOfSuchAModel() throws {
        let version = Data([8, 3])
        let url = try write(
            version + message([(202, message([(1, version + message([(2002, Data())]))]))]), "m.mlmodel")
        XCTAssertThrowsError(try VNCoreMLModel(for: MLModel(contentsOf: url)))
    }

    // MARK: - What is wrong with a file

    func testAMissingNetworkNamesTheCommandThatInstallsIt() throws {
        assertRefused(try file(labels: ["a", "b"], extractor: .scene(revision: 77)), "revision.onnx", "revision 77")
        let store = InstalledModels(ModelLocations(writable: URL(fileURLWithPath: "/nowhere")))
        XCTAssertThrowsError(try Backbone(.efficientNetLite0, store: store)) {
            XCTAssertTrue("\($0)".contains("openvision models install efficientnet-lite0"), "\($0)")
        }
    }

    func testFilesThatContradictThemselvesAreRefused() throws {
        try requireSceneNetwork()
        assertRefused(try file(labels: ["a", "b"], features: 1279), "features.onnx", "1280")
        assertRefused(try file(labels: ["a", "b"], metadata: "{}"), "labels.onnx")
        assertRefused(try file(labels: ["a", "b"], metadata: #"{"labels": ["a", "b", "c"]}"#), "more.onnx")
        let good = try ONNXModel(try file(labels: ["a", "b"]))
        func changed(_ name: String, _ part: String = "", _ change: (inout ONNXModel) -> Void, line: UInt = #line) {
            var model = good
            change(&model)
            assertRefused(model.serialised(), name, part, line: line)
        }
        changed("operator.onnx", "Teleport") { $0.graph.nodes[0].operatorType = "Teleport" }
        changed("version.onnx", "version 2") { $0.opsets["org.openvision"] = 2 }
        changed("twice.onnx") { model in
            var second = model.graph.nodes[0]
            second.outputs = ["more"]
            model.graph.nodes.append(second)
        }
        changed("input.onnx") { $0.graph.nodes[0].inputs = ["elsewhere"] }
        changed("output.onnx") { $0.graph.nodes[0].outputs = [] }
        changed("count.onnx") { $0.graph.nodes[0].attributes.removeAll { $0.name == "features" } }
        changed("huge.onnx") { model in
            model.graph.nodes[0].attributes = [
                ONNXAttribute("features", .int(.max)), ONNXAttribute("revision", .int(1)),
            ]
        }
        changed("revision.onnx") { model in
            model.graph.nodes[0].attributes = [
                ONNXAttribute("features", .int(1280)), ONNXAttribute("revision", .int(.max)),
            ]
        }
        changed("network.onnx") { $0.graph.nodes[0].operatorType = "NetworkFeatures" }
    }

    func testCutOffAndDamagedFilesAreRefusedOrGiveAClassifier() throws {
        try requireSceneNetwork()
        let whole = try file(labels: ["a", "b", "c"])
        for length in [0, 1, 2, 7, 100, whole.count / 2, whole.count - 1] {
            assertRefused(whole.prefix(length), "cut\(length).onnx")
        }
        var random = SplitMix64(seed: 11)
        for round in 0..<400 {
            var bytes = whole
            for _ in 0..<3 {
                // Weights fill the middle: what matters lies at both ends.
                let offset = Int(random.next() % 600)
                bytes[round % 2 == 0 ? offset : bytes.count - 1 - offset] = UInt8(truncatingIfNeeded: random.next())
            }
            do {
                let model = try ONNXModel(bytes)
                guard try ClassifierFile(model) != nil else { continue }
                _ = try MLModel(classifier: bytes)
            } catch is ModelError {
            } catch is MLModelError {
            } catch { XCTFail("\(error)") }
        }
    }

    // MARK: - Networks of one's own

    /// A network whose two outputs are the mean and the spread of each colour.
    private func colours() throws -> Data {
        var builder = ONNXBuilder(opset: 17)
        let image = builder.input("photo", [1, 3, 32, 32])
        builder.output(builder.node("ReduceMean", [image], ["axes": [2, 3], "keepdims": 0], output: "means"), [1, 3])
        builder.output(
            builder.node("ReduceMax", [image], ["axes": [2, 3], "keepdims": 0], output: "largest"), [1, 3])
        return builder.data()
    }

    private func photos() throws -> URL {
        let root = try XCTUnwrap(folder).url.appendingPathComponent("photos")
        for (channel, label) in ["red", "green"].enumerated() {
            for number in 0..<12 {
                let raster = try Raster(width: 40, height: 30, format: .rgb8) { pixels, rowBytes in
                    for index in 0..<rowBytes * 30 {
                        let value: Int =
                            index % rowBytes % 3 == channel ? 150 + number * 6 : 40 + (index + number * 13) % 70
                        pixels.storeBytes(of: UInt8(value), toByteOffset: index, as: UInt8.self)
                    }
                }
                let url = root.appendingPathComponent("\(label)/\(number).png")
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                let target = try XCTUnwrap(CGImageDestinationCreateWithURL(url, "public.png", 1, nil))
                CGImageDestinationAddImage(target, CGImage(raster: raster), nil)
                XCTAssertTrue(CGImageDestinationFinalize(target))
            }
        }
        return root
    }

    private func train(_ extractor: MLImageClassifier.CustomFeatureExtractor) throws -> MLImageClassifier {
        var settings = TrainingSettings()
        settings.isQuiet = true
        settings.cacheFolder = nil
        return try MLImageClassifier(
            trainingData: .labeledDirectories(at: photos()),
            parameters: .init(featureExtractor: .custom(extractor), validationData: nil), settings: settings)
    }

    func testAnotherNetworkMakesTheFeaturesAndIsPartOfTheFile() throws {
        let network = try write(colours(), "colours.onnx")
        let classifier = try train(.init(modelPath: network, outputName: "means"))
        XCTAssertEqual(classifier.trainingMetrics.classificationError, 0)
        let url = try XCTUnwrap(folder).url.appendingPathComponent("classifier.mlmodel")
        try classifier.write(to: url)
        try FileManager.default.removeItem(at: network)
        let model = try MLModel(contentsOf: url)
        let photo = try XCTUnwrap(folder).url.appendingPathComponent("photos/green/3.png")
        let request = VNCoreMLRequest(model: try VNCoreMLModel(for: model))
        try VNImageRequestHandler(url: photo).perform([request])
        let best = try XCTUnwrap(request.results?.first as? VNClassificationObservation)
        XCTAssertEqual(best.identifier, "green")
        XCTAssertEqual(try classifier.prediction(from: photo), "green")
        let own = VNCoreMLRequest(model: try VNCoreMLModel(for: classifier.model))
        try VNImageRequestHandler(url: photo).perform([own])
        XCTAssertEqual((own.results?.first as? VNClassificationObservation)?.confidence, best.confidence)
        XCTAssertTrue(
            MLImageClassifier.evaluation(
                of: model, on: .labeledDirectories(at: try photos()),
                settings: {
                    var settings = TrainingSettings()
                    settings.cacheFolder = nil
                    return settings
                }()
            ).isValid)
    }

    func testTheScalesOfANetworksMetadataGoIntoTheFile() throws {
        let network = try write(colours(), "scaled.onnx")
        try XCTUnwrap(folder).write(
            #"{"inputs": {"photo": {"type": "image", "scale": 0.5, "bias": -3}}}"#, "scaled.json")
        let classifier = try train(.init(modelPath: network, outputName: "means"))
        let again = try MLModel(classifier: classifier.data(metadata: nil))
        XCTAssertEqual(again.embeddedNetwork?.network.metadata?.contains("-3"), true)
        XCTAssertEqual(classifier.trainingMetrics.classificationError, 0)
    }

    func testAnOutputMustBeNamedWhereThereAreSeveral() throws {
        let network = try write(colours(), "colours.onnx")
        for extractor in [
            MLImageClassifier.CustomFeatureExtractor(modelPath: network), .init(modelPath: network, outputName: "none"),
            .init(modelPath: URL(fileURLWithPath: "/nowhere.onnx")),
        ] {
            XCTAssertThrowsError(try train(extractor)) { error in
                guard case MLCreateError.generic(let reason) = error else { return XCTFail("\(error)") }
                XCTAssertFalse(reason.isEmpty)
            }
        }
    }
}
