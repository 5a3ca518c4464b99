import ModelFixtures
import ModelTestSupport
import XCTest

@testable import VisionInference

/// Reading specifications: versions, kinds, descriptions, and damaged files.
final class CoreMLModelTests: XCTestCase {
    private typealias Builder = CoreMLFileBuilder

    private func model(_ bytes: [UInt8]) throws -> CoreMLModel { try CoreMLModel(ModelBytes(Data(bytes))) }

    func testDescriptionsAreRead() throws {
        var builder = Builder()
        let ranges: ProtoFields = [
            31: .message([1: .repeated([.message([1: .int(1), 2: .int(-1)]), .message([1: .int(4), 2: .int(4)])])])
        ]
        let listed: ProtoFields = [
            21: .message([1: .repeated([.message([1: .ints([2, 4])]), .message([1: .ints([3, 4])])])]), 51: .float(1.5),
        ]
        builder.inputs = [
            Builder.image("photo", width: 7, height: 5, colours: 30), Builder.array("a", [2, 4], fields: ranges),
            Builder.array("b", [2, 4], type: 65600, isOptional: true, fields: listed), Builder.string("text"),
        ]
        builder.outputs = [Builder.dictionary("probabilities"), Builder.int64("label")]
        builder.predictedFeature = "label"
        builder.metadata = [
            1: .string("What it is."), 3: .string("A. Nonymous"),
            100: .message([1: .string("key"), 2: .string("value")]),
        ]
        let description = try model(builder.file(500, [:])).description
        XCTAssertEqual(description.inputs.map(\.name), ["photo", "a", "b", "text"])
        XCTAssertEqual(description.predictedFeatureName, "label")
        XCTAssertEqual(description.shortDescription, "What it is.")
        XCTAssertEqual(description.author, "A. Nonymous")
        XCTAssertEqual(description.userDefined, ["key": "value"])
        guard case .image(let image) = description.inputs[0].kind, case .array(let a) = description.inputs[1].kind,
            case .array(let b) = description.inputs[2].kind
        else { return XCTFail("\(description.inputs)") }
        XCTAssertEqual([image.width, image.height, image.channels], [7, 5, 3])
        XCTAssertEqual(image.colours, .bgr)
        XCTAssertEqual(a.openShape, [nil, 4])
        XCTAssertEqual(b.openShape, [nil, 4])
        XCTAssertEqual(b.enumerated, [[2, 4], [3, 4]])
        XCTAssertEqual(b.defaultValue, 1.5)
        XCTAssertTrue(description.inputs[2].isOptional)
    }

    func testVersionsAndKindsThatAreNotReadAreRefused() throws {
        var builder = Builder()
        for version in [0, 10, 1 << 40] {
            builder.version = version
            XCTAssertThrowsError(try model(builder.file(500, [:])), "\(version)") { XCTAssertTrue($0 is ModelError) }
        }
        builder.version = 9
        for (kind, name) in [
            (555, "customModel"), (2000, "textClassifier"), (2002, "visionFeaturePrint"), (2005, "wordEmbedding"),
            (304, "bayesianProbitRegressor"), (3000, "serializedModel"),
        ] {
            XCTAssertThrowsError(try model(builder.file(kind, [:])), name) { error in
                XCTAssertEqual((error as? ModelError)?.kind, .unsupported, "\(error)")
                XCTAssertTrue("\(error)".contains(name), "\(error)")
            }
        }
        XCTAssertThrowsError(try model(ProtoWriter.bytes([1: .int(4)])))
        for kind in CoreMLKind.allCases { XCTAssertFalse("\(kind)".contains("model "), "\(kind.rawValue)") }
    }

    // MARK: Packages and files of weights

    func testPackagesNameTheirModel() throws {
        let folder = try TemporaryFolder()
        let package = folder.url.appendingPathComponent("a.mlpackage")
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        func manifest(_ path: String) throws {
            let text = #"{"itemInfoEntries": {"x": {"path": "\#(path)"}}, "rootModelIdentifier": "x"}"#
            try Data(text.utf8).write(to: package.appendingPathComponent("Manifest.json"))
        }
        XCTAssertThrowsError(try CoreMLPackage.specification(in: package))
        try manifest("com.apple.CoreML/m.mlmodel")
        XCTAssertEqual(
            try CoreMLPackage.specification(in: package).path, package.path + "/Data/com.apple.CoreML/m.mlmodel")
        for path in ["", "/etc/passwd", "../m.mlmodel", "a/../../m", "a//b"] {
            try manifest(path)
            XCTAssertThrowsError(try CoreMLPackage.specification(in: package), path)
        }
        try Data("{}".utf8).write(to: package.appendingPathComponent("Manifest.json"))
        XCTAssertThrowsError(try CoreMLPackage.specification(in: package))
    }

    func testOffsetsOfWeightsAreChecked() throws {
        let folder = try TemporaryFolder()
        func file(version: UInt32 = 2, sentinel: UInt32 = 0xDEAD_BEEF, size: UInt64 = 8, start: UInt64 = 128) -> Data {
            var bytes = [UInt8](repeating: 0, count: 136)
            func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
                withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
            }
            put(version, at: 4)
            put(sentinel, at: 64)
            put(UInt32(2), at: 68)
            put(size, at: 72)
            put(start, at: 80)
            put(Float(1.5).bitPattern, at: 128)
            return Data(bytes)
        }
        func blob(_ data: Data, at offset: Int = 64) throws -> CoreMLBlobFile.Blob {
            try CoreMLBlobFile(contentsOf: folder.write(data, "w.bin")).blob(at: offset)
        }
        XCTAssertEqual(try blob(file()).elements.elements(as: Float.self), [1.5, 0])
        for offset in [0, -64, 65, 128, 1 << 40, .max] {
            XCTAssertThrowsError(try blob(file(), at: offset), "\(offset)")
        }
        XCTAssertThrowsError(try blob(file(version: 1)))
        XCTAssertThrowsError(try blob(file(sentinel: 1)))
        XCTAssertThrowsError(try blob(file(size: 9)))
        XCTAssertThrowsError(try blob(file(size: .max)))
        XCTAssertThrowsError(try blob(file(start: .max)))
        XCTAssertThrowsError(try blob(Data([0, 0, 0, 0, 2, 0, 0, 0])))
    }

    // MARK: Damaged files

    /// A network with layers of many kinds.
    private var network: [UInt8] {
        var builder = Builder()
        builder.inputs = [Builder.array("x", [2, 4, 4])]
        builder.outputs = [Builder.array("z", [3]), Builder.array("r", [])]
        let window: ProtoFields = [
            1: .int(2), 2: .int(2), 10: .int(1), 20: .ints([2, 2]), 30: .ints([1, 1]), 51: .message([:]), 70: .int(1),
            90: Builder.weights((0..<16).map { Float($0) }), 91: Builder.weights([1, 2]),
        ]
        return builder.file(
            500,
            [
                1: .repeated([
                    Builder.layer("c", ["x"], ["a"], 100, window),
                    Builder.layer("p", ["a"], ["b"], 120, [10: .ints([2, 2]), 20: .ints([2, 2]), 30: .message([:])]),
                    Builder.layer("r", ["b"], ["d"], 130, [10: .message([:])]),
                    Builder.layer("u", ["d"], ["e"], 210, [1: .ints([2, 2]), 5: .int(1)]),
                    Builder.layer("f", ["e"], ["f"], 301),
                    Builder.layer(
                        "i", ["f"], ["z"], 140,
                        [1: .int(32), 2: .int(3), 20: Builder.weights([Float](repeating: 1, count: 96))]),
                    Builder.layer("q", ["x"], ["s"], 310, [1: .ints([2, 1, 0, 3])]),
                    Builder.layer("t", ["x"], ["r"], 300, [1: .ints([4, 4, 2])]),
                ])
            ])
    }

    /// Every damaged file is refused with a typed error, or runs.
    private func use(_ bytes: [UInt8]) {
        do {
            let graph = try NetworkFile(ModelBytes(Data(bytes))).graph()
            let shapes = graph.inputs.map { ($0.shape ?? []).map { min($0 ?? 2, 64) } }
            guard shapes.allSatisfy({ $0.reduce(1, *) <= 1 << 16 }) else { return }
            _ = try Session(graph: graph, options: .init(threads: 1)).outputDescriptions(for: shapes)
        } catch {
            XCTAssertTrue(error is ModelError, "\(error)")
        }
    }

    func testTheWholeFileRuns() throws {
        let graph = try NetworkFile(ModelBytes(Data(network))).graph()
        let outputs = try Session(graph: graph).run(["x": Tensor([Float](repeating: 1, count: 32), shape: [2, 4, 4])])
        XCTAssertEqual(outputs["z"]?.shape, [3])
    }

    func testFilesCutAtEveryLengthAreRefused() {
        let bytes = network
        for length in 0..<bytes.count { use(Array(bytes[..<length])) }
    }

    func testFilesWithFlippedBitsAreRefusedOrRun() {
        let bytes = network
        var random = SystemRandomNumberGenerator.Seeded(seed: 7)
        for _ in 0..<3000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: damaged.indices, using: &random)
                damaged[index] =
                    Bool.random(using: &random)
                    ? damaged[index] ^ 1 << UInt8.random(in: 0..<8, using: &random)
                    : .random(in: 0...255, using: &random)
            }
            use(damaged)
        }
    }

    func testNoiseIsRefused() {
        var random = SystemRandomNumberGenerator.Seeded(seed: 8)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...200, using: &random)
            var bytes: [UInt8] = [0x08, 4, 0xA2, 0x1F]
            bytes += (0..<count).map { _ in .random(in: 0...255, using: &random) }
            use(bytes)
        }
    }
}

/// The list of what runs.
final class CoreMLDocumentTests: XCTestCase {
    func testTheDocumentListsWhatRuns() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Documentation/CoreMLFiles.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        func listed(_ heading: String, to end: String) throws -> Set<String> {
            let start = try XCTUnwrap(text.range(of: heading)).upperBound
            let stop = try XCTUnwrap(text.range(of: end, range: start..<text.endIndex)).lowerBound
            return Set(
                text[start..<stop].split(separator: "`").enumerated().compactMap { $0 % 2 == 1 ? String($1) : nil })
        }
        let layers = NeuralNetworkLayerDefinition.supported
        let names = Set(NeuralNetworkLayerNames.all.values)
        XCTAssertEqual(try listed("## Layers of neural networks", to: "Limits:"), layers)
        XCTAssertEqual(layers, names)
        XCTAssertEqual(
            try listed("## Operations of ML programs", to: "; `const`"), ProgramDefinition.supported)
        XCTAssertTrue(text.contains("\(layers.count) of \(names.count) run"))
    }
}
