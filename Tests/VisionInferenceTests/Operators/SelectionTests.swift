import XCTest

@testable import VisionInference

final class SelectionTests: XCTestCase {
    private typealias Runner = OperatorRunner

    func testTheLargestAndTheSmallest() throws {
        let x = try Tensor.floats([3, 1, 3, 2, 0, 9], [2, 3])
        let two = try Tensor.ints([2])
        var results = try Runner.run(TopK(), [x, two], outputs: 2)
        XCTAssertEqual(results[0].floats, [3, 3, 9, 2])
        XCTAssertEqual(results[1].integers, [0, 2, 2, 0])
        results = try Runner.run(TopK(axis: 0, largest: false), [x, try Tensor.ints([1])], outputs: 2)
        XCTAssertEqual(results[0].floats, [2, 0, 3])
        XCTAssertEqual(results[1].integers, [1, 1, 0])
        Runner.assertInvalid(TopK(), [x, try Tensor.ints([4])])
        Runner.assertInvalid(TopK(), [x, try Tensor.ints([-1])])
        Runner.assertInvalid(TopK(), [x, try Tensor.ints([1, 1])])
        XCTAssertEqual(try Runner.run(TopK(), [x, try Tensor.ints([0])], outputs: 2)[0].shape, [2, 0])
    }

    func testAFewOfManyAreThoseThatSortingGives() throws {
        var numbers = (0..<1000).map { Float(($0 * 7919) % 501) }
        numbers[17] = .nan
        let order = numbers.indices.sorted { a, b in
            if numbers[a].isNaN || numbers[b].isNaN { return numbers[a].isNaN && !numbers[b].isNaN }
            return numbers[a] == numbers[b] ? a < b : numbers[a] > numbers[b]
        }
        for count in [1, 10, 124, 125, 900] {
            let results = try Runner.run(
                TopK(), [try Tensor.floats(numbers), try Tensor.ints([Int64(count)])], outputs: 2)
            XCTAssertEqual(results[1].integers, Array(order[..<count]))
        }
    }

    func testSuppressionKeepsTheBestOfEachClass() throws {
        let boxes = try Tensor.floats(
            [0, 0, 1, 1, 0, 0.1, 1, 1.1, 0, -0.1, 1, 0.9, 0, 10, 1, 11, 0, 10.1, 1, 11.1, 0, 100, 1, 101], [1, 6, 4])
        let scores = try Tensor.floats([0.9, 0.75, 0.6, 0.95, 0.5, 0.3], [1, 1, 6])
        func run(_ limit: Int64, _ overlap: Float, _ threshold: Float?) throws -> [Int] {
            let threshold = try threshold.map { try Tensor.floats([$0]) }
            let output = try Runner.run(
                NonMaxSuppression(),
                [boxes, scores, try Tensor.ints([limit]), try Tensor.floats([overlap]), threshold])[0]
            XCTAssertEqual(output.shape[1], 3)
            return (output.integers ?? []).enumerated().filter { $0.offset % 3 == 2 }.map(\.element)
        }
        XCTAssertEqual(try run(3, 0.5, 0), [3, 0, 5])
        XCTAssertEqual(try run(30, 0.5, 0.4), [3, 0])
        XCTAssertEqual(try run(1, 0.5, 0), [3])
        XCTAssertEqual(try run(0, 0.5, 0), [])
        XCTAssertEqual(try run(9, 0.99, nil), [3, 0, 1, 2, 4, 5])
        let turned = try Tensor.floats([1, 1, 0, 0, 1, 1.1, 0, 0.1], [1, 2, 4])
        let few = try Tensor.floats([0.1, 0.2], [1, 1, 2])
        XCTAssertEqual(
            try Runner.run(
                NonMaxSuppression(), [turned, few, try Tensor.ints([5]), try Tensor.floats([0.5])])[0].integers,
            [0, 0, 1])
        let centres = try Tensor.floats([0.5, 0.5, 1, 1, 0.5, 0.6, 1, 1], [1, 2, 4])
        XCTAssertEqual(
            try Runner.run(
                NonMaxSuppression(centerPointBox: true),
                [centres, few, try Tensor.ints([5]), try Tensor.floats([0.5])])[0].integers, [0, 0, 1])
        Runner.assertInvalid(NonMaxSuppression(), [boxes, few, try Tensor.ints([5])])
    }

    func testWhatIsNotZeroIsFound() throws {
        let x = try Tensor.floats([0, 1, -0.0, 2, .nan, 0], [2, 3])
        let output = try Runner.run(NonZero(), [x])[0]
        XCTAssertEqual(output.shape, [2, 3])
        XCTAssertEqual(output.integers, [0, 1, 1, 1, 0, 1])
        XCTAssertEqual(try Runner.run(NonZero(), [try Tensor.bools([false])])[0].shape, [1, 0])
        XCTAssertEqual(try Runner.run(NonZero(), [try Tensor([Int64(1) << 40])])[0].integers, [0])
    }

    func testSlicesAreCompressed() throws {
        let x = try Tensor.counting([3, 2])
        let condition = try Tensor.bools([false, true, true])
        for constants: Set<Int> in [[], [1]] {
            XCTAssertEqual(
                try Runner.values(Compress(axis: 0), [x, condition], shape: [2, 2], constants: constants),
                [2, 3, 4, 5] as [Float])
            XCTAssertEqual(
                try Runner.values(Compress(), [x, condition], shape: [2], constants: constants), [1, 2] as [Float])
        }
        Runner.assertInvalid(Compress(axis: 1), [x, condition])
    }

    func testDifferentElements() throws {
        let x = try Tensor.floats([2, 1, 1, 3, 4, 3])
        var results = try Runner.run(Unique(), [x], outputs: 4)
        XCTAssertEqual(results[0].floats, [1, 2, 3, 4])
        XCTAssertEqual(results[1].integers, [1, 0, 3, 4])
        XCTAssertEqual(results[2].integers, [1, 0, 0, 2, 3, 2])
        XCTAssertEqual(results[3].integers, [2, 1, 2, 1])
        results = try Runner.run(Unique(sorted: false), [x], outputs: 4)
        XCTAssertEqual(results[0].floats, [2, 1, 3, 4])
        results = try Runner.run(
            Unique(axis: 0), [try Tensor.floats([1, 0, 0, 1, 0, 0, 2, 3, 4], [3, 3])], outputs: 4)
        XCTAssertEqual(results[0].floats, [1, 0, 0, 2, 3, 4])
        XCTAssertEqual(results[2].integers, [0, 0, 1])
    }

    func testGenerators() throws {
        XCTAssertEqual(
            try Runner.values(
                OneHot(axis: -1), [try Tensor.ints([0, -1, 5]), try Tensor.ints([3]), try Tensor.floats([2, 5])],
                shape: [3, 3]), [5, 2, 2, 2, 2, 5, 2, 2, 2] as [Float])
        XCTAssertEqual(
            try Runner.values(
                OneHot(axis: 0), [try Tensor.ints([0, 1]), try Tensor.floats([3]), try Tensor([Int8(0), 1])],
                shape: [3, 2]), [1, 0, 0, 1, 0, 0] as [Int8])
        Runner.assertInvalid(
            OneHot(), [try Tensor.ints([0]), try Tensor.ints([1 << 50]), try Tensor.floats([2, 5])])
        func range(_ bounds: Float...) throws -> [Float] {
            try Runner.values(NumberRange(), try bounds.map { try Tensor(scalar: $0) }, constants: [0, 1, 2])
        }
        XCTAssertEqual(try range(1, 4, 2), [1, 3])
        XCTAssertEqual(try range(4, 1, -1), [4, 3, 2])
        XCTAssertEqual(try range(4, 1, 1), [])
        XCTAssertThrowsError(try range(0, 1, 0))
        XCTAssertThrowsError(try range(0, 1e30, 1))
        XCTAssertThrowsError(try range(0, .nan, 1))
        XCTAssertEqual(
            try Runner.values(EyeLike(type: .int32, k: 1), [try Tensor.counting([2, 3])]),
            [0, 1, 0, 0, 0, 1] as [Int32])
        let x = try Tensor.counting([3, 3])
        XCTAssertEqual(try Runner.values(Trilu(), [x]), [0, 1, 2, 0, 4, 5, 0, 0, 8] as [Float])
        XCTAssertEqual(
            try Runner.values(Trilu(upper: false), [x, try Tensor(scalar: Int64(-1))]),
            [0, 0, 0, 3, 0, 0, 6, 7, 0] as [Float])
        XCTAssertEqual(
            try Runner.values(Trilu(upper: false), [x, try Tensor(scalar: Int64.max)]), x.floats ?? [])
    }
}
