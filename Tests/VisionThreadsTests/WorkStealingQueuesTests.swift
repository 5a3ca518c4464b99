import XCTest

import VisionThreads

final class WorkStealingQueuesTests: XCTestCase {
    func testEachThreadBeginsWithItsOwnQueue() {
        let queues = WorkStealingQueues(count: 10, threads: 3)
        XCTAssertEqual(queues.take(0), 0)
        XCTAssertEqual(queues.take(2), 6)
        XCTAssertEqual(queues.take(1), 3)
        XCTAssertEqual(queues.take(0), 1)
    }

    func testAnIdleThreadStealsFromTheTailOfTheLongestQueue() {
        let queues = WorkStealingQueues(count: 9, threads: 3)
        for task in [3, 4] { XCTAssertEqual(queues.take(1), task) }
        for task in [0, 1, 2] { XCTAssertEqual(queues.take(0), task) }
        XCTAssertEqual(queues.take(0), 8)
        XCTAssertEqual(queues.take(2), 6)
    }

    func testTheFirstTasksAreTakenBeforeAllOthers() {
        let queues = WorkStealingQueues(first: 3, count: 4, threads: 2)
        XCTAssertEqual([queues.take(1), queues.take(0), queues.take(1)], [0, 1, 2])
        XCTAssertEqual([queues.take(1), queues.take(0)], [5, 3])
    }

    func testOneThreadTakesEverythingWhenTheOthersNeverCome() {
        let queues = WorkStealingQueues(count: 7, threads: 4)
        var taken: [Int] = []
        while let task = queues.take(0) { taken.append(task) }
        XCTAssertEqual(taken.sorted(), Array(0..<7))
        XCTAssertNil(queues.take(3), "one that is late finds nothing")
    }

    func testManyThreadsTakeEachTaskOnce() {
        for count in [1, 2, 5, 16, 100] {
            let queues = WorkStealingQueues(first: 3, count: count, threads: 4)
            let counts = Locked([Int](repeating: 0, count: count + 3))
            ThreadTeam(maximumCount: 3, for: .jobs).run { thread in
                while let task = queues.take(thread) { counts.withLock { $0[task] += 1 } }
            }
            XCTAssertEqual(counts.withLock { $0 }, Array(repeating: 1, count: count + 3))
        }
    }
}
