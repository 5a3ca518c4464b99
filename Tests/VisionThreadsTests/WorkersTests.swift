import Synchronization
import XCTest

import VisionThreads

final class WorkersTests: XCTestCase {
    func testEveryPartRunsOnceWhateverTheNumberOfThreads() {
        for threads in [1, 2, 3, 8] {
            Workers.with(threads: threads) { workers in
                XCTAssertLessThanOrEqual(workers.count, threads)
                for step in 0..<2000 {
                    let parts = step % 7
                    var counts = [Int](repeating: 0, count: max(parts, 1))
                    counts.withUnsafeMutableBufferPointer { counts in
                        nonisolated(unsafe) let counts = counts
                        workers.parallel(parts) { part, worker in
                            counts[part] += 1
                            precondition(worker < workers.count)
                        }
                    }
                    XCTAssertEqual(counts.reduce(0, +), parts)
                    XCTAssertLessThanOrEqual(counts.max() ?? 0, 1)
                }
            }
        }
    }

    func testEachThreadBeginsWithItsOwnPartsAndThenHelpsTheOther() throws {
        try Workers.with(threads: 2) { workers in
            guard workers.count == 2 else { throw XCTSkip("there is no second thread") }
            for helped in [0, 1] {
                let order = Locked<[[Int]]>([[], []])
                let begun = Atomic<Int>(0)
                workers.parallel(8) { part, worker in
                    let isFirst = order.withLock { order in
                        order[worker].append(part)
                        return order[worker].count == 1
                    }
                    guard isFirst else { return }
                    begun.wrappingAdd(1, ordering: .releasing)
                    // Neither ends its first part before the other has begun one, and one waits until all else is done.
                    _ = SpinWait.wait(for: .seconds(5)) { begun.load(ordering: .acquiring) == 2 }
                    if worker == helped {
                        _ = SpinWait.wait(for: .seconds(5)) { order.withLock { $0[1 - helped].count == 7 } }
                    }
                }
                let found = order.withLock { $0 }
                XCTAssertEqual(found[helped], [helped * 4])
                XCTAssertEqual(found[1 - helped], helped == 0 ? [4, 5, 6, 7, 1, 2, 3] : [0, 1, 2, 3, 5, 6, 7])
            }
        }
    }

    func testRunsAtTheSameTimeShareTheThreads() {
        let total = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<50 {
                Workers.with(threads: 2) { workers in
                    workers.parallel(10) { _, _ in total.wrappingAdd(1, ordering: .relaxed) }
                }
            }
        }
        XCTAssertEqual(total.load(ordering: .relaxed), 8 * 50 * 10)
    }
}
