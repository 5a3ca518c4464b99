import XCTest

@testable import VisionThreads

final class QueueTests: XCTestCase {
    func testElementsComeInTheOrderInWhichTheyWereAdded() {
        var queue = Queue<Int>()
        XCTAssertNil(queue.popFirst())
        var (added, taken) = (0, 0)
        for round in 0..<50 {
            for _ in 0..<round % 7 {
                queue.append(added)
                added += 1
            }
            for _ in 0..<round % 5 where taken < added {
                XCTAssertEqual(queue.popFirst(), taken)
                taken += 1
            }
        }
        while let next = queue.popFirst() {
            XCTAssertEqual(next, taken)
            taken += 1
        }
        XCTAssertEqual(taken, added)
    }
}
