import Foundation
import XCTest

@testable import VisionModels

/// A table of 32-bit floats.
func tableData(_ arrays: [(name: String, values: [Float])]) -> Data {
    tableData(
        arrays.map { array in
            (array.name, 7, array.values.count, Data(array.values.flatMap { withUnsafeBytes(of: $0, Array.init) }))
        })
}

/// A table of arrays of any type, by the type's number in the format.
func tableData(_ arrays: [(name: String, kind: UInt8, count: Int, bytes: Data)]) -> Data {
    func integer(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var head = Data("OVTABLE1".utf8) + integer(arrays.count, 4)
    var body = Data()
    let size = head.count + arrays.reduce(0) { $0 + 12 + $1.name.utf8.count }
    for array in arrays {
        body.append(contentsOf: [UInt8](repeating: 0, count: (8 - (size + body.count) % 8) % 8))
        head.append(contentsOf: [array.kind, UInt8(array.name.utf8.count), 0, 0] + integer(array.count, 4))
        head.append(contentsOf: integer(size + body.count, 4) + Array(array.name.utf8))
        body += array.bytes
    }
    return head + body
}

final class BinaryTableTests: XCTestCase {
    private let table = tableData([
        ("signed", 1, 3, Data([255, 0, 127])), ("bytes", 2, 2, Data([255, 1])), ("short", 3, 1, Data([0, 128])),
        ("words", 4, 1, Data([0, 128])), ("long", 5, 1, Data([255, 255, 255, 255])),
        ("half", 6, 2, Data([0, 0x38, 0, 0xC0])), ("float", 7, 1, Data([0, 0, 0x80, 0x3E])),
        ("text", 8, 8, Data("a b\n\nç\n".utf8)),
    ])

    func testArraysOfEveryType() throws {
        let table = try BinaryTable(table)
        XCTAssertEqual(try table.integers("signed"), [-1, 0, 127])
        XCTAssertEqual(try table.integers("bytes"), [255, 1])
        XCTAssertEqual(try table.integers("short"), [-32768])
        XCTAssertEqual(try table.integers("words"), [32768])
        XCTAssertEqual(try table.integers("long"), [-1])
        XCTAssertEqual(try table.floats("signed"), [-1, 0, 127])
        XCTAssertEqual(try table.floats("half"), [0.5, -2])
        XCTAssertEqual(try table.floats("float", count: 1), [0.25])
        XCTAssertEqual(try table.lines("text"), ["a b", "", "ç"])
    }

    func testASliceIsATableToo() throws {
        let data = Data([1, 2, 3]) + table
        XCTAssertEqual(try BinaryTable(data.dropFirst(3)).integers("bytes"), [255, 1])
    }

    func testArraysThatAreNotAsExpectedAreRefused() throws {
        let table = try BinaryTable(table)
        XCTAssertThrowsError(try table.integers("nothing"))
        XCTAssertThrowsError(try table.integers("half"))
        XCTAssertThrowsError(try table.integers("text"))
        XCTAssertThrowsError(try table.floats("text"))
        XCTAssertThrowsError(try table.lines("bytes"))
        XCTAssertThrowsError(try table.floats("half", count: 3)) { error in
            XCTAssertEqual((error as? WeightFileError)?.kind, .mismatch)
        }
    }

    func testDamagedTablesAreRefused() throws {
        for count in 0..<table.count {
            XCTAssertThrowsError(try BinaryTable(table.prefix(count)), "\(count)") { error in
                XCTAssertEqual((error as? WeightFileError)?.kind, .damaged)
            }
        }
        XCTAssertThrowsError(try BinaryTable(tableData([("x", 9, 0, Data())])))
        XCTAssertThrowsError(try BinaryTable(tableData([("x", 5, 1 << 30, Data())])))
        XCTAssertThrowsError(try BinaryTable(builtIn: "nothing.table"))
    }

    func testEveryBuiltInFileCanBeRead() throws {
        for name in BuiltInFile.names {
            let data = try XCTUnwrap(BuiltInFile.data(named: name))
            if name.hasSuffix(".table") { XCTAssertNoThrow(try BinaryTable(data), name) }
        }
        XCTAssertEqual(
            BuiltInFile.names.filter { $0.hasSuffix(".onnx") }.sorted(),
            BuiltInNetwork.all.map { $0.id + ".onnx" }.sorted())
        XCTAssertNil(BuiltInFile.data(named: "nothing"))
    }
}
