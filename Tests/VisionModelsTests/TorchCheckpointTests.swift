import VisionImage
import VisionModels
import XCTest

final class TorchCheckpointTests: XCTestCase {
    private func bytes(_ numbers: [Float]) -> [UInt8] { numbers.flatMap { TestArchive.little($0.bitPattern) } }

    /// Two tensors in one storage – the second of them transposed – and a half-precision one in another.
    private func writeTensors(_ writer: inout PickleWriter) {
        writer.emptyOrderedDictionary()
        writer.code("(")
        writer.text("plain")
        writer.tensor(key: "1", count: 8, offset: 0, shape: [2], strides: [1])
        writer.text("turned")
        writer.tensor(key: "1", count: 8, offset: 2, shape: [3, 2], strides: [1, 3])
        writer.text("half")
        writer.tensor(key: "2", storage: "HalfStorage", count: 4, offset: 0, shape: [4], strides: [1])
        writer.text("version")
        writer.integer(3)
        writer.code("u")
    }

    private let numbers: [Float] = [1, -2, 3, 4, 5, 6, 7, 8.5]
    /// 1, -0.5, the smallest subnormal, infinity
    private let halves: [UInt16] = [0x3C00, 0xB800, 0x0001, 0x7C00]

    private var legacy: [UInt8] {
        PickleWriter.legacy(
            storages: [
                ("2", halves.flatMap { TestArchive.little($0) }, 4), ("1", bytes(numbers), 8),
            ], root: writeTensors)
    }

    private func assertContents(_ checkpoint: TorchCheckpoint, line: UInt = #line) throws {
        XCTAssertEqual(checkpoint.names, ["plain", "turned", "half"], line: line)
        XCTAssertEqual(checkpoint["turned"]?.shape, [3, 2], line: line)
        XCTAssertEqual(try checkpoint["plain"]?.floats(), [1, -2], line: line)
        XCTAssertEqual(try checkpoint["turned"]?.floats(), [3, 6, 4, 7, 5, 8.5], line: line)
        XCTAssertEqual(try checkpoint["half"]?.floats(), [1, -0.5, 0x1p-24, .infinity], line: line)
        XCTAssertNil(checkpoint["version"], line: line)
    }

    func testTensorsOfTheOldFormAreRead() throws {
        try assertContents(try TorchCheckpoint(legacy))
    }

    func testTensorsOfTheZipFormAreRead() throws {
        var archive = TestArchive()
        archive.add("model/data.pkl", PickleWriter.one(writeTensors))
        archive.add("model/byteorder", Array("little".utf8))
        archive.add("model/data/1", bytes(numbers))
        archive.add("model/data/2", halves.flatMap { TestArchive.little($0) })
        try assertContents(try TorchCheckpoint(archive.bytes))
    }

    func testANestedStateDictionaryIsFound() throws {
        let file = PickleWriter.legacy(storages: [("1", bytes([7]), 1)]) { writer in
            writer.code("}")
            writer.text("state_dict")
            writer.emptyOrderedDictionary()
            writer.text("x")
            writer.tensor(key: "1", count: 1, offset: 0, shape: [], strides: [])
            writer.code("s")
            writer.code("s")
        }
        XCTAssertEqual(try TorchCheckpoint(file)["x"]?.floats(), [7])
    }

    func testEverythingThatWouldRunCodeIsRefusedByName() {
        for (module, name) in [("os", "system"), ("builtins", "eval"), ("torch", "load"), ("torch.nn", "Linear")] {
            let file = PickleWriter.legacy(storages: []) { writer in
                writer.global(module, name)
                writer.code("(")
                writer.text("true")
                writer.code("t")
                writer.code("R")
            }
            XCTAssertThrowsError(try TorchCheckpoint(file)) { error in
                let error = error as? WeightFileError
                XCTAssertEqual(error?.kind, .refused)
                XCTAssertTrue(error?.reason.contains("\(module).\(name)") ?? false, "\(String(describing: error))")
            }
        }
    }

    func testUnknownOperationsAreRefused() {
        // INST, OBJ, NEWOBJ and EXT1 make objects in ways of their own.
        for operation in [UInt8(ascii: "i"), UInt8(ascii: "o"), 0x81, 0x82] {
            let file = PickleWriter.legacy(storages: []) { $0.bytes.append(operation) }
            XCTAssertThrowsError(try TorchCheckpoint(file)) {
                XCTAssertEqual(($0 as? WeightFileError)?.kind, .refused)
            }
        }
    }

    func testTensorsThatLeaveTheirStorageAreRefused() {
        let shapes: [(offset: Int, shape: [Int], strides: [Int])] = [
            (0, [9], [1]), (7, [2], [1]), (0, [2, 2], [7, 1]), (-1, [1], [1]), (0, [-1], [1]), (0, [2], [-1]),
            (0, [3, 3], [0, 0]), (0, [0x7FFF_FFFF, 0x7FFF_FFFF, 0x7FFF_FFFF], [1, 1, 1]), (0, [2], []),
            (0, [Int](repeating: 1, count: 9), [Int](repeating: 1, count: 9)),
        ]
        for (offset, shape, strides) in shapes {
            let file = PickleWriter.legacy(storages: [("1", bytes(numbers), 8)]) { writer in
                writer.emptyOrderedDictionary()
                writer.text("x")
                writer.tensor(key: "1", count: 8, offset: offset, shape: shape, strides: strides)
                writer.code("s")
            }
            XCTAssertThrowsError(try TorchCheckpoint(file), "\(shape) \(strides)") {
                XCTAssertEqual(($0 as? WeightFileError)?.kind, .damaged)
            }
        }
    }

    func testDeepNestingIsReadWithoutDeepRecursion() {
        let file = PickleWriter.legacy(storages: []) { writer in
            writer.code(")")
            // TUPLE1, a tuple around a tuple around a tuple…
            writer.bytes += [UInt8](repeating: 0x85, count: 500_000)
        }
        XCTAssertThrowsError(try TorchCheckpoint(file)) {
            XCTAssertEqual(($0 as? WeightFileError)?.kind, .unsupported)
        }
    }

    func testFilesThatAreCutOffAreRefused() {
        let file = legacy
        for length in 0..<file.count { XCTAssertThrowsError(try TorchCheckpoint(Array(file[..<length]))) }
    }

    func testChangedBytesGiveErrorsOrTensorsNeverATrap() {
        let file = legacy
        var random = SplitMix64(seed: 2)
        var readable = 0
        for _ in 0..<20_000 {
            var changed = file
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let checkpoint = try? TorchCheckpoint(changed) else { continue }
            for name in checkpoint.names { _ = try? checkpoint[name]?.floats() }
            readable += 1
        }
        XCTAssertGreaterThan(readable, 100, "changes of the numbers alone leave the file readable")
    }
}
