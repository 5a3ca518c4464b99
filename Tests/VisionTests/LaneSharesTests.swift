import Foundation
import XCTest

@testable import Vision

final class LaneSharesTests: XCTestCase {
    func testEachThreadBeginsWithItsOwnShare() {
        let shares = LaneShares(lanes: 10, threads: 3)
        XCTAssertEqual(shares.take(0), 0)
        XCTAssertEqual(shares.take(2), 6)
        XCTAssertEqual(shares.take(1), 3)
        XCTAssertEqual(shares.take(0), 1)
    }

    func testWhoHasDoneTakesFromTheEndOfWhatIsFurthestBehind() {
        let shares = LaneShares(lanes: 9, threads: 3)
        for lane in [3, 4] { XCTAssertEqual(shares.take(1), lane) }
        for lane in [0, 1, 2] { XCTAssertEqual(shares.take(0), lane) }
        XCTAssertEqual(shares.take(0), 8)
        XCTAssertEqual(shares.take(2), 6)
    }

    func testNobodyGetsALaneBeforeAllThatComesFirstIsTaken() {
        let shares = LaneShares(first: 3, lanes: 4, threads: 2)
        XCTAssertEqual([shares.take(1), shares.take(0), shares.take(1)], [0, 1, 2])
        XCTAssertEqual([shares.take(1), shares.take(0)], [5, 3])
    }

    func testOneThreadDoesEverythingWhenTheOthersNeverCome() {
        let shares = LaneShares(lanes: 7, threads: 4)
        var taken: [Int] = []
        while let lane = shares.take(0) {
            taken.append(lane)
            shares.finish()
        }
        XCTAssertEqual(taken.sorted(), Array(0..<7))
        shares.wait()
        XCTAssertNil(shares.take(3), "one that is late finds nothing")
    }

    func testManyThreadsTakeEachLaneOnceAndTheWaitIsForAllOfThem() {
        for lanes in [1, 2, 5, 16, 100] {
            let shares = LaneShares(lanes: lanes, threads: 4)
            let counts = Counts(lanes)
            let done = expectation(description: "threads")
            done.expectedFulfillmentCount = 3
            for thread in 1..<4 {
                Thread.detachNewThread {
                    while let lane = shares.take(thread) {
                        counts.count(lane)
                        shares.finish()
                    }
                    done.fulfill()
                }
            }
            while let lane = shares.take(0) {
                counts.count(lane)
                shares.finish()
            }
            shares.wait()
            XCTAssertEqual(counts.all, Array(repeating: 1, count: lanes))
            wait(for: [done], timeout: 60)
        }
    }

    private final class Counts: @unchecked Sendable {
        // Unchecked: reached under the lock only.
        private let lock = NSLock()
        private var counts: [Int]
        init(_ count: Int) { counts = Array(repeating: 0, count: count) }
        func count(_ lane: Int) { lock.withLock { counts[lane] += 1 } }
        var all: [Int] { lock.withLock { counts } }
    }
}
