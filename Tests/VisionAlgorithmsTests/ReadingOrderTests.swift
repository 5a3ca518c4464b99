import Foundation
import VisionAlgorithms
import XCTest

final class ReadingOrderTests: XCTestCase {
    private func box(_ x: Double, _ y: Double, _ length: Double, _ height: Double = 20) -> RotatedBox {
        RotatedBox(centre: SIMD2(x + length / 2, y + height / 2), axis: SIMD2(1, 0), length: length, height: height)
    }

    /// The boxes turned about the origin, and in another order; the order of reading must be the same.
    private func check(_ boxes: [RotatedBox], _ text: String, line: UInt = #line) {
        for angle in [0.0, 7, 90, -90, 180] {
            let axis = SIMD2(cos(angle * .pi / 180), sin(angle * .pi / 180))
            func turned(_ point: SIMD2<Double>) -> SIMD2<Double> {
                SIMD2(axis.x * point.x - axis.y * point.y, axis.y * point.x + axis.x * point.y)
            }
            let page = boxes.map { box in
                RotatedBox(centre: turned(box.centre), axis: turned(box.axis), length: box.length, height: box.height)
            }
            let shuffled = page.indices.sorted { ($0 * 7 + 3) % 11 < ($1 * 7 + 3) % 11 }
            let order = ReadingOrder.indices(of: shuffled.map { page[$0] }).map { shuffled[$0] }
            XCTAssertEqual(order, Array(boxes.indices), "\(text), \(angle)°", line: line)
        }
    }

    func testColumnsOfRunningTextAreReadOneAfterTheOther() {
        let title = box(50, 0, 500)
        let left = (0..<5).map { box(0, 60 + 30 * Double($0), 280) }
        let right = (0..<5).map { box(320, 60 + 30 * Double($0), 280) }
        check([title] + left + right + [box(0, 260, 600)], "two columns")
    }

    func testCellsOfATableAreReadRowByRow() {
        check(
            (0..<4).flatMap { row in (0..<3).map { box(150 * Double($0), 30 * Double(row), 60) } }, "a table")
        check([box(0, 0, 300), box(400, 3, 80), box(0, 30, 250), box(400, 33, 80)], "a receipt")
    }

    func testParagraphsAndSingleLines() {
        check((0..<6).map { box(0, 40 * Double($0), 400) }, "lines")
        check([box(0, 0, 100)], "one line")
        XCTAssertEqual(ReadingOrder.indices(of: []), [])
    }

    func testVerticalLinesFollowEachOtherFromRightToLeft() {
        let boxes = (0..<4).map { column in
            RotatedBox(
                centre: SIMD2(400 - 60 * Double(column), 200), axis: SIMD2(0, 1), length: 300, height: 30)
        }
        XCTAssertEqual(ReadingOrder.indices(of: boxes.reversed()), [3, 2, 1, 0])
    }
}
