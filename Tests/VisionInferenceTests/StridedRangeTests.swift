import XCTest

@testable import VisionInference

final class StridedRangeTests: XCTestCase {
    func testBeginsEndsAndStrides() throws {
        let range = StridedRange(begin: [1, -2], end: [3, 0], strides: [1, -1])
        XCTAssertEqual(
            try range.resolved(rank: 3), .init(starts: [1, -2], ends: [3, 0], axes: [0, 1], steps: [1, -1]))
    }

    func testMasksTakeTheWholeAxis() throws {
        let range = StridedRange(begin: [5, 5], end: [6, 6], strides: [1, -1], beginMask: 3, endMask: 3)
        XCTAssertEqual(
            try range.resolved(rank: 2),
            .init(starts: [0, .max], ends: [.max, .min], axes: [0, 1], steps: [1, -1]))
    }

    func testShrinkingDropsTheAxis() throws {
        let range = StridedRange(begin: [2, -1, 0], end: [9, 9, 4], strides: [1, 1, 2], shrinkMask: 3)
        XCTAssertEqual(
            try range.resolved(rank: 3),
            .init(starts: [2, -1, 0], ends: [3, .max, 4], axes: [0, 1, 2], steps: [1, 1, 2], removed: [0, 1]))
    }

    func testAnEllipsisSkipsAxes() throws {
        let range = StridedRange(begin: [1, 0, 2], end: [2, 0, 3], strides: [1, 1, 1], ellipsisMask: 2)
        XCTAssertEqual(
            try range.resolved(rank: 5), .init(starts: [1, 2], ends: [2, 3], axes: [0, 4], steps: [1, 1]))
    }

    func testNewAxesAreCountedInTheResult() throws {
        // x[3, newaxis, ..., newaxis, 1:2] of five axes: one axis goes, two come.
        let range = StridedRange(
            begin: [3, 0, 0, 0, 1], end: [4, 0, 0, 0, 2], strides: [1, 1, 1, 1, 1], ellipsisMask: 4,
            newAxisMask: 0b01010, shrinkMask: 1)
        XCTAssertEqual(
            try range.resolved(rank: 5),
            .init(starts: [3, 1], ends: [4, 2], axes: [0, 4], steps: [1, 1], removed: [0], inserted: [0, 4]))
    }

    func testEndsThatAreOffsets() throws {
        let range = StridedRange(begin: [2], end: [3], strides: [1], endIsOffset: true)
        XCTAssertEqual(try range.resolved(rank: 1).ends, [5])
    }

    func testNonsenseIsRefused() {
        XCTAssertThrowsError(try StridedRange(begin: [0], end: [1], strides: [0]).resolved(rank: 1))
        XCTAssertThrowsError(try StridedRange(begin: [0, 0], end: [1, 1], strides: [1, 1]).resolved(rank: 1))
        XCTAssertThrowsError(
            try StridedRange(begin: [0, 0], end: [1, 1], strides: [1, 1], ellipsisMask: 3).resolved(rank: 1))
    }
}
