import ModelFixtures
import XCTest

@testable import VisionInference

final class TFLiteSparsityTests: XCTestCase {
    func testRowsOfACompressedMatrix() throws {
        // 0 5 0 / 0 0 0 / 1 0 2
        let sparsity = TFLiteSparsity(
            order: [0, 1], blockAxes: [],
            levels: [.dense(3), .compressed(segments: [0, 1, 1, 3], indices: [1, 0, 2])])
        XCTAssertEqual(try sparsity.positions(shape: [3, 3], valueCount: 3), [1, 6, 8])
    }

    func testColumnsFirst() throws {
        // The same matrix with its axes in the other order.
        let sparsity = TFLiteSparsity(
            order: [1, 0], blockAxes: [],
            levels: [.dense(3), .compressed(segments: [0, 1, 2, 3], indices: [2, 0, 2])])
        XCTAssertEqual(try sparsity.positions(shape: [3, 3], valueCount: 3), [6, 1, 8])
    }

    func testBlocks() throws {
        // A 4 × 4 matrix of 2 × 2 blocks, of which the upper right and the lower left one are stored.
        let sparsity = TFLiteSparsity(
            order: [0, 1, 2, 3], blockAxes: [0, 1],
            levels: [.dense(2), .compressed(segments: [0, 1, 2], indices: [1, 0]), .dense(2), .dense(2)])
        XCTAssertEqual(try sparsity.positions(shape: [4, 4], valueCount: 8), [2, 3, 6, 7, 8, 9, 12, 13])
    }

    func testOneAxisInBlocks() throws {
        let sparsity = TFLiteSparsity(
            order: [0, 1, 2], blockAxes: [0],
            levels: [.dense(2), .compressed(segments: [0, 1, 1], indices: [2]), .dense(4)])
        XCTAssertEqual(try sparsity.positions(shape: [8, 3], valueCount: 4), [2, 5, 8, 11])
    }

    func testContradictionsAreErrors() {
        let dense = TFLiteSparsity.Level.dense(2)
        let compressed = TFLiteSparsity.Level.compressed(segments: [0, 1, 2], indices: [0, 1])
        XCTAssertNoThrow(
            try TFLiteSparsity(order: [0, 1], blockAxes: [], levels: [dense, compressed])
                .positions(shape: [2, 2], valueCount: 2))
        let cases: [(TFLiteSparsity, [Int])] = [
            (.init(order: [0, 0], blockAxes: [], levels: [dense, compressed]), [2, 2]),
            (.init(order: [0], blockAxes: [], levels: [dense, compressed]), [2, 2]),
            (.init(order: [0, 1], blockAxes: [], levels: [dense]), [2, 2]),
            (.init(order: [0, 1], blockAxes: [], levels: [.dense(3), compressed]), [2, 2]),
            (.init(order: [0, 1], blockAxes: [], levels: [dense, compressed]), [2, 1]),
            (.init(order: [0, 1], blockAxes: [], levels: [dense, compressed]), [2, .max]),
            (.init(order: [0, 1, 2], blockAxes: [0], levels: [.dense(1), compressed, dense]), [3, 2]),
            (.init(order: [0, 1, 2], blockAxes: [5], levels: [.dense(1), compressed, dense]), [2, 2]),
            (.init(order: [0, 1, 2], blockAxes: [0], levels: [.dense(1), dense, .dense(0)]), [2, 2]),
            (
                .init(order: [0, 1], blockAxes: [], levels: [dense, .compressed(segments: [0, 2, 1], indices: [0])]),
                [2, 2]
            ),
            (
                .init(
                    order: [0, 1], blockAxes: [], levels: [dense, .compressed(segments: [-1, 0, 2], indices: [0, 1])]),
                [2, 2]
            ),
            (
                .init(order: [0, 1], blockAxes: [], levels: [dense, .compressed(segments: [0, 1], indices: [0])]),
                [2, 2]
            ),
            (
                .init(
                    order: [0, 1], blockAxes: [], levels: [dense, .compressed(segments: [0, 1, 2], indices: [0, 2])]),
                [2, 2]
            ),
            (.init(order: [0, 1], blockAxes: [], levels: [dense, dense]), [2, 2]),
        ]
        for (index, (sparsity, shape)) in cases.enumerated() {
            XCTAssertThrowsError(try sparsity.positions(shape: shape, valueCount: 2), "case \(index)") {
                XCTAssertTrue($0 is ModelError)
            }
        }
    }

    func testReadsTheLevelsOfAFile() throws {
        let file = TFLiteModelTests.variedFile()
        let model = try file.withUnsafeBytes { try TFLiteModel($0) }
        let tensor = try XCTUnwrap(model.subgraphs[0].tensors.first { $0.name == "sparse" })
        XCTAssertEqual(
            tensor.sparsity,
            TFLiteSparsity(
                order: [0, 1], blockAxes: [], levels: [.dense(2), .compressed(segments: [0, 0, 1], indices: [1])]))
        XCTAssertEqual(try tensor.sparsity?.positions(shape: tensor.shape, valueCount: 1), [3])
    }

    func testReadsIndicesOfEachWidth() throws {
        let widths: [(UInt8, FlatValue)] = [
            (1, .int32s([0, 1, 300])), (2, .uint16s([0, 1, 300])), (3, .bytes([0, 1, 200])),
        ]
        for (kind, values) in widths {
            var builder = TFLiteBuilder()
            let level: [Int: FlatValue] = [
                0: .int8(1), 2: .uint8(kind), 3: .table([0: values]), 4: .uint8(kind), 5: .table([0: values]),
            ]
            _ = builder.tensor("t", [2, 2], fields: [6: .table([0: .int32s([0]), 2: .tables([level])])])
            let file = builder.file()
            let model = try file.withUnsafeBytes { try TFLiteModel($0) }
            let expected = [0, 1, kind == 3 ? 200 : 300]
            XCTAssertEqual(
                model.subgraphs[0].tensors[0].sparsity?.levels, [.compressed(segments: expected, indices: expected)])
        }
    }
}
