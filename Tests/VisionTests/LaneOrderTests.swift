import XCTest

@testable import Vision

final class LaneOrderTests: XCTestCase {
    func testLanesOfLikeLengthStayWhereTheyAre() {
        XCTAssertEqual(LaneOrder.balanced([2, 2.5, 2, 2.9], threads: 2), [0, 1, 2, 3])
        XCTAssertEqual(LaneOrder.balanced([0, 0, 0], threads: 2), [0, 1, 2])
        XCTAssertEqual(LaneOrder.balanced([1, 9, 1], threads: 1), [0, 1, 2])
        XCTAssertEqual(LaneOrder.balanced([1, 9], threads: 2), [0, 1])
        XCTAssertEqual(LaneOrder.balanced([], threads: 2), [])
    }

    func testSharesTakeAboutAsLongAsEachOtherAndEndWithTheShortest() {
        let times = [9.0, 8, 7, 6, 1, 1, 2, 2]
        let order = LaneOrder.balanced(times, threads: 2)
        XCTAssertEqual(order.sorted(), Array(times.indices))
        let sums = [order[..<4], order[4...]].map { $0.reduce(0) { $0 + times[$1] } }
        XCTAssertEqual(sums[0], sums[1], accuracy: 1)
        for share in [order[..<4], order[4...]] {
            XCTAssertEqual(share.map { times[$0] }, share.map { times[$0] }.sorted(by: >))
        }
    }

    func testEachLaneComesOnceForAnyTimesAndThreads() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let times = (0..<Int.random(in: 0...40, using: &random)).map { _ in Double.random(in: 0...3, using: &random)
            }
            let threads = Int.random(in: 1...9, using: &random)
            XCTAssertEqual(LaneOrder.balanced(times, threads: threads).sorted(), Array(times.indices))
        }
    }
}
