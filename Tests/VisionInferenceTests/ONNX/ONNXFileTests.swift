import Foundation
import ModelTestSupport
import XCTest

@testable import VisionInference

final class ONNXFileTests: XCTestCase {
    /// A model with one of everything that the reader keeps.
    private func sample() throws -> ONNXModel {
        var builder = ONNXBuilder(opset: 17, name: "sample")
        builder.input("x", [1, "n", nil])
        builder.input("any", nil, .int64)
        try builder.initialiser("w", [2, 3], [1, 2, 3, 4, 5, -6.5])
        try builder.initialiser("axes", [2], [-1, 1] as [Int64])
        try builder.initialiser("half", .float16, [2], elements: [Float16(1.5), -2])
        let inner = { () -> ONNXGraph in
            var inner = ONNXBuilder()
            inner.output(inner.node("Relu", ["x"]))
            return inner.model.graph
        }()
        let tensor = try ONNXTensor("t", .int32, [2], [7, -8] as [Int32])
        let y = builder.node(
            "Everything", ["x", "", "w"],
            [
                "i": -3, "f": 0.25, "s": "text", "is": [1, -2], "fs": [0.5, 1], "ss": ["a", "b"], "t": .tensor(tensor),
                "g": .graph(inner), "r": .reference("outer", kind: 2), "b": .bytes([0xff, 0]),
            ], name: "one", domain: "org.example")
        builder.output(y, [1, 2])
        builder.model.metadata = ["classes": "a,b"]
        var function = ONNXFunction()
        function.name = "F"
        function.domain = "org.example"
        function.inputs = ["a"]
        function.outputs = ["b"]
        function.attributes = ["alpha"]
        function.defaults = [ONNXAttribute("beta", 2)]
        function.nodes = inner.nodes
        function.opsets = ["": 17]
        builder.model.functions = [function]
        return builder.model
    }

    func testWrittenModelIsReadBackTheSame() throws {
        let model = try sample()
        let data = model.serialised()
        let copy = try ONNXModel(data)
        XCTAssertEqual(copy.serialised(), data)
        XCTAssertEqual(copy.opsets, ["": 17])
        XCTAssertEqual(copy.metadata, ["classes": "a,b"])
        XCTAssertEqual(copy.graph.inputs.map(\.name), ["x", "any"])
        XCTAssertEqual(copy.graph.inputs[0].type, .tensor(.float, shape: [1, "n", nil]))
        XCTAssertEqual(copy.graph.inputs[1].type, .tensor(.int64, shape: nil))
        XCTAssertEqual(copy.graph.initialisers.map(\.shape), [[2, 3], [2], [2]])
        XCTAssertEqual(copy.graph.initialisers[0].data.elements(as: Float.self), [1, 2, 3, 4, 5, -6.5])
        XCTAssertEqual(copy.graph.initialisers[2].data.elements(as: Float16.self), [1.5, -2])
        let node = copy.graph.nodes[0]
        XCTAssertEqual(node.inputs, ["x", "", "w"])
        guard case .int(-3)? = node.attribute("i"), case .float(0.25)? = node.attribute("f"),
            case .ints([1, -2])? = node.attribute("is"), case .floats([0.5, 1])? = node.attribute("fs"),
            case .strings(["a", "b"])? = node.attribute("ss"), case .bytes([0xff, 0])? = node.attribute("b"),
            case .tensor(let tensor)? = node.attribute("t"), case .graph(let inner)? = node.attribute("g"),
            case .reference("outer", kind: 2)? = node.attribute("r")
        else { return XCTFail("\(node.attributes)") }
        XCTAssertEqual(tensor.data.elements(as: Int32.self), [7, -8])
        XCTAssertEqual(inner.nodes.map(\.operatorType), ["Relu"])
        XCTAssertEqual(copy.functions[0].defaults.map(\.name), ["beta"])
    }

    /// The fields that writers may use instead of raw bytes: packed or one by one, before the type or after it.
    func testTypedFieldsBecomeRawBytes() throws {
        func tensor(_ fields: [UInt8]) throws -> ONNXTensor {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: url) }
            try Data(fields).write(to: url)
            return try ONNXTensor(contentsOf: url)
        }
        let floats = try tensor([0x22, 8, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0x0a, 1, 2, 0x10, 1])
        XCTAssertEqual(floats.data.elements(as: Float.self), [1, 2])
        let single = try tensor([0x25, 0, 0, 0x80, 0x3f, 0x25, 0, 0, 0, 0x40, 0x08, 2, 0x10, 1])
        XCTAssertEqual(single.data.elements(as: Float.self), [1, 2])
        let minusOne: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]
        let bytes = try tensor([0x08, 2, 0x10, 3, 0x2a, 11, 5] + minusOne)
        XCTAssertEqual(bytes.data.elements(as: Int8.self), [5, -1])
        let wide = try tensor([0x10, 7, 0x38] + minusOne)
        XCTAssertEqual(wide.data.elements(as: Int64.self), [-1])
        XCTAssertEqual(wide.shape, [])
        let half = try tensor([0x08, 1, 0x10, 10, 0x2a, 2, 0x80, 0x78])
        XCTAssertEqual(half.data.elements(as: Float16.self), [1])
        XCTAssertThrowsError(try tensor([0x08, 3, 0x10, 1, 0x4a, 4, 0, 0, 0, 0])) { error in
            guard (error as? ModelError)?.kind == .damaged else { return XCTFail("\(error)") }
        }
    }

    func testEveryTruncationIsRefusedOrRead() throws {
        let data = try sample().serialised()
        var refused = 0
        for length in 0..<data.count {
            do { _ = try ONNXModel(data.prefix(length)) } catch is ModelError { refused += 1 }
        }
        // Cut between two fields a file is whole; everywhere else it is not.
        XCTAssertGreaterThan(refused, data.count * 9 / 10)
    }

    func testEveryDamagedByteIsRefusedOrRead() throws {
        let data = try sample().serialised()
        for index in data.indices {
            for value: UInt8 in [0, 0x7f, 0x80, 0xff] {
                var damaged = data
                damaged[index] = value
                do { _ = try ONNXModel(damaged).serialised() } catch is ModelError {}
            }
        }
    }

    func testGraphsWithinGraphsHaveALimit() throws {
        var graph = ONNXGraph()
        for _ in 0..<100 {
            var outer = ONNXGraph()
            var node = ONNXNode()
            node.attributes = [ONNXAttribute("body", .graph(graph))]
            outer.nodes = [node]
            graph = outer
        }
        var model = ONNXModel()
        model.graph = graph
        XCTAssertThrowsError(try ONNXModel(model.serialised())) { error in
            let text = (error as? ModelError)?.reason ?? ""
            XCTAssertEqual((error as? ModelError)?.kind, .damaged, "\(error)")
            XCTAssertTrue(text.contains("too deep"), text)
        }
    }

    func testSizesThatOverflowAreRefused() {
        XCTAssertThrowsError(try ONNXTensor("t", .float, [1 << 40, 1 << 40], [] as [Float]))
        XCTAssertThrowsError(try ONNXTensor("t", .float, [-1], [] as [Float]))
        XCTAssertThrowsError(try ONNXTensor("t", .float, [Int.max], [] as [Float]))
        XCTAssertThrowsError(try ONNXTensor("t", .float, [3], [1, 2] as [Float]))
    }

    // MARK: External data

    private func externalModel(location: String, offset: String = "4", length: String = "8") -> Data {
        func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] { [number << 3 | 2, UInt8(bytes.count)] + bytes }
        func entry(_ key: String, _ value: String) -> [UInt8] {
            field(13, field(1, Array(key.utf8)) + field(2, Array(value.utf8)))
        }
        let tensor =
            [0x08, 2, 0x10, 1] + field(8, Array("w".utf8)) + entry("location", location) + entry("offset", offset)
            + entry("length", length) + [0x70, 1]
        return Data([0x08, 8] + field(7, field(5, tensor)))
    }

    func testExternalDataIsReadFromTheFileBesideTheModel() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var weights = Data()
        for value: Float in [9, 1.5, -2] { withUnsafeBytes(of: value) { weights.append(contentsOf: $0) } }
        try weights.write(to: folder.appendingPathComponent("w.bin"))
        let url = folder.appendingPathComponent("model.onnx")
        try externalModel(location: "w.bin").write(to: url)
        let model = try ONNXModel(contentsOf: url)
        XCTAssertEqual(model.graph.initialisers[0].data.elements(as: Float.self), [1.5, -2])

        XCTAssertThrowsError(try ONNXModel(externalModel(location: "w.bin")))
        XCTAssertThrowsError(try ONNXModel(externalModel(location: "w.bin", offset: "5"), folder: folder))
        XCTAssertThrowsError(try ONNXModel(externalModel(location: "w.bin", offset: "-4"), folder: folder))
        XCTAssertThrowsError(try ONNXModel(externalModel(location: "w.bin", length: "4"), folder: folder))
    }

    func testExternalDataThatIsShortenedAfterwardsStillCounts() throws {
        let folder = try TemporaryFolder()
        let weights = try folder.write(
            [9, 1.5, -2].withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in Data(bytes) }, "w.bin")
        let model = try ONNXModel(externalModel(location: "w.bin", offset: "8", length: "8"), folder: folder.url)
        // A mapping would end the process from here on.
        XCTAssertEqual(truncate(weights.path, 0), 0)
        XCTAssertEqual(model.graph.initialisers[0].data.elements(as: Double.self), [1.5])
    }

    func testExternalDataThatIsAPipeIsRefused() throws {
        let folder = try TemporaryFolder()
        let pipe = try NamedPipe(at: folder.url.appendingPathComponent("w.bin"))
        let (data, url) = (externalModel(location: "w.bin"), folder.url)
        XCTAssertEqual(
            pipe.error { _ = try ONNXModel(data, folder: url) } as? ModelError,
            .unreadable("\(pipe.url.path) is not a regular file but a named pipe"))
    }

    func testExternalDataOutsideTheModelsFolderIsRefused() throws {
        let parent = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let folder = parent.appendingPathComponent("model")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: parent) }
        let secret = parent.appendingPathComponent("w.bin")
        try Data(count: 64).write(to: secret)
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("link.bin"), withDestinationURL: secret)
        for location in ["../w.bin", secret.path, "link.bin", "", "."] {
            XCTAssertThrowsError(try ONNXModel(externalModel(location: location), folder: folder), location)
        }
    }
}
