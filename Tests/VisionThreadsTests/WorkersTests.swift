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
