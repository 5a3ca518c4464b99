@testable import VisionAlgorithms
import XCTest

final class PageDirectionTests: XCTestCase {
    private let right = SIMD2(1.0, 0), down = SIMD2(0, 1.0), slanted = SIMD2(0.94, 0.34)

    func testALineAloneIsReadUpsideDownIfItIsDoubtful() {
        XCTAssertEqual(PageDirection.doubtful(axes: [], scores: []), [])
        XCTAssertEqual(PageDirection.doubtful(axes: [right], scores: [0.5]), [0])
        XCTAssertEqual(PageDirection.doubtful(axes: [right], scores: [0.9]), [])
    }

    func testConfidentLinesDecideForThoseThatRunAlike() {
        let axes = [right, right, slanted, right, down]
        XCTAssertEqual(PageDirection.doubtful(axes: axes, scores: [0.9, 0.9, 0.9, 0.3, 0.3]), [4])
        XCTAssertEqual(PageDirection.doubtful(axes: axes, scores: [0.9, 0.9, 0.5, 0.3, 0.9]), [2, 3])
    }

    func testAPageOnItsHeadIsReadUpsideDownAlthoughAFewLinesMakeSense() {
        let scores: [Float] = [0.9, 0.85, 0.8] + [Float](repeating: 0.4, count: 20)
        XCTAssertEqual(
            PageDirection.doubtful(axes: [SIMD2<Double>](repeating: right, count: 23), scores: scores),
            Array(3..<23))
    }
}
