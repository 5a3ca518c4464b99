import Foundation
import VisionThreads
import XCTest

final class ParallelPipelineTests: XCTestCase {
    func testResultsKeepTheOrderOfTheInputsWhereItIsWanted() throws {
        for threads in [1, 2, 5] {
            for isOrdered in [true, false] {
                var next = 0
                var results: [Int] = []
                try ParallelPipeline.run(threads: threads, isOrdered: isOrdered) {
                    defer { next += 1 }
                    return next < 200 ? next : nil
                } work: { number in
                    if number % 17 == 0 { usleep(2000) }
                    return number * number
                } take: {
                    results.append($0)
                }
                let squares = (0..<200).map { $0 * $0 }
                XCTAssertEqual(isOrdered ? results : results.sorted(), squares)
            }
        }
    }

    func testOnlyAFewInputsAreUnderWayAtOnce() throws {
        var (given, taken, most) = (0, 0, 0)
        try ParallelPipeline.run(threads: 2, isOrdered: true) {
            given += 1
            most = max(most, given - taken)
            return given <= 500 ? given : nil
        } work: { number in
            if number == 1 { usleep(50_000) }
            return number
        } take: { _ in
            taken += 1
        }
        XCTAssertEqual(taken, 500)
        XCTAssertLessThanOrEqual(most, 10)
    }

    func testPipelinesWithinAnotherRunWhileThePoolRunsAsManyBlockedJobsAsItMay() {
        let gate = DispatchSemaphore(value: 0)
        let blocked = expectation(description: "every job blocks"), done = expectation(description: "the pipeline ends")
        blocked.expectedFulfillmentCount = ThreadPool.maximumCount
        for _ in 0..<ThreadPool.maximumCount {
            ThreadPool.shared.start {
                blocked.fulfill()
                gate.wait()
            }
        }
        wait(for: [blocked], timeout: 60)
        @Sendable func sum(of numbers: [Int], each: (Int) -> Int) -> Int {
            var (next, sum) = (numbers.makeIterator(), 0)
            try? ParallelPipeline.run(threads: 3, isOrdered: true) {
                next.next()
            } work: {
                $0 * 2
            } take: {
                sum += each($0)
            }
            return sum
        }
        let result = Locked(0)
        Thread.detachNewThread {
            let total = sum(of: [1, 2, 3]) { outer in sum(of: [outer, outer]) { $0 } }
            result.withLock { $0 = total }
            done.fulfill()
        }
        wait(for: [done], timeout: 20)
        for _ in 0..<ThreadPool.maximumCount { gate.signal() }
        XCTAssertEqual(result.withLock { $0 }, 48)
    }

    func testAnErrorEndsThePipeline() throws {
        struct Stop: Error {}
        let working = Locked(0)
        var taken = 0
        XCTAssertThrowsError(
            try ParallelPipeline.run(threads: 3, isOrdered: false) {
                1
            } work: { number -> Int in
                working.withLock { $0 += 1 }
                usleep(500)
                working.withLock { $0 -= 1 }
                return number
            } take: { _ in
                taken += 1
                if taken == 20 { throw Stop() }
            }
        ) { XCTAssertTrue($0 is Stop) }
        XCTAssertEqual(taken, 20)
        XCTAssertEqual(working.withLock { $0 }, 0, "no thread is at work any more")
    }
}
