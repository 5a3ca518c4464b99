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

    func testTheLongestLinesShowWhetherOthersAreReadUpsideDown() {
        let axes = [SIMD2<Double>](repeating: right, count: 11) + [down, down]
        let lengths = [5, 9, 9, 9, 9, 9, 9, 9, 4, 9, 5, 1, 2]
        let leading = PageDirection.leading(Array(1..<13), axes: axes, lengths: lengths)
        XCTAssertEqual(leading, [1, 2, 3, 4, 5, 6, 7, 9, 11, 12], "the eight longest, and those that run otherwise")
        XCTAssertEqual(PageDirection.leading([0, 8, 10], axes: axes, lengths: lengths), [0, 8, 10])
        let all = Array(0..<13)
        XCTAssertEqual(PageDirection.following(leading, of: all, turned: [], axes: axes), [])
        XCTAssertEqual(PageDirection.following(leading, of: all, turned: [4], axes: axes), [0, 8, 10])
        XCTAssertEqual(PageDirection.following(leading, of: all, turned: [12], axes: axes), [])
    }
}
