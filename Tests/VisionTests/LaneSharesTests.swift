import VisionImage
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

    func testOneThreadTakesEverythingWhenTheOthersNeverCome() {
        let shares = LaneShares(lanes: 7, threads: 4)
        var taken: [Int] = []
        while let lane = shares.take(0) { taken.append(lane) }
        XCTAssertEqual(taken.sorted(), Array(0..<7))
        XCTAssertNil(shares.take(3), "one that is late finds nothing")
    }

    func testManyThreadsTakeEachLaneOnce() {
        for lanes in [1, 2, 5, 16, 100] {
            let shares = LaneShares(first: 3, lanes: lanes, threads: 4)
            let counts = Locked([Int](repeating: 0, count: lanes + 3))
            Helpers(most: 3, for: .works).run { thread in
                while let lane = shares.take(thread) { counts.withLock { $0[lane] += 1 } }
            }
            XCTAssertEqual(counts.withLock { $0 }, Array(repeating: 1, count: lanes + 3))
        }
    }
}
