import XCTest

@testable import Vision

final class JobOrderTests: XCTestCase {
    func testTheShortestQueuesOfEachShareComeLastAndNoneLeavesItsShare() {
        let times = [1.0, 3, 2, 9, 8, 7, 0, 7]
        XCTAssertEqual(JobOrder.shortestLast(times, threads: 1), [3, 4, 5, 7, 1, 2, 0, 6])
        XCTAssertEqual(JobOrder.shortestLast(times, threads: 2), [3, 1, 2, 0, 4, 5, 7, 6])
        XCTAssertEqual(JobOrder.shortestLast(times, threads: 3), [1, 0, 3, 4, 2, 5, 7, 6])
    }

    func testQueuesOfEqualCostStayInOrder() {
        XCTAssertEqual(JobOrder.shortestLast([2, 2, 2, 2, 2], threads: 2), [0, 1, 2, 3, 4])
        XCTAssertEqual(JobOrder.shortestLast([], threads: 2), [])
    }

    func testEachQueueComesOnceForAnyCostsAndThreads() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let times = (0..<Int.random(in: 0...40, using: &random)).map { _ in Double.random(in: 0...3, using: &random)
            }
            let threads = Int.random(in: 1...9, using: &random)
            XCTAssertEqual(JobOrder.shortestLast(times, threads: threads).sorted(), Array(times.indices))
        }
    }
}
