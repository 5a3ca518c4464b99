import Foundation
import Synchronization
import XCTest
import VisionThreads

final class ThreadPoolTests: XCTestCase {
    func testABorrowedThreadIsNotLentAgainUntilItIsReturned() {
        let pool = ThreadPool()
        let first = pool.borrow(3, for: .jobs)
        XCTAssertEqual(first.count, 3)
        let most = max(ThreadPool.usefulCount, 3)
        let second = pool.borrow(most, for: .jobs)
        XCTAssertEqual(second.count, most - 3, "more threads than anybody wanted")
        XCTAssertEqual(pool.borrow(1, for: .jobs).count, 0)
        let parts = pool.borrow(most, for: .parts)
        XCTAssertEqual(parts.count, most, "jobs left no threads for their parts")
        XCTAssertEqual(Set((first + second + parts).map(ObjectIdentifier.init)).count, 2 * most, "one was lent twice")
        pool.giveBack(first, from: .jobs)
        let again = pool.borrow(2, for: .jobs)
        XCTAssertTrue(Set(first.map(ObjectIdentifier.init)).isSuperset(of: again.map(ObjectIdentifier.init)))
        XCTAssertEqual(again.count, 2)
        XCTAssertEqual(pool.borrow(0, for: .jobs).count, 0)
        XCTAssertEqual(pool.borrow(-1, for: .jobs).count, 0)
    }

    /// Calls that follow each other closely find the thread spinning, those after a pause asleep.
    func testEachTaskIsDoneOnce() throws {
        let thread = try XCTUnwrap(ThreadPool().borrow(1, for: .parts).first)
        let done = Atomic(0)
        for turn in 1...2000 {
            if turn % 200 == 0 { Thread.sleep(forTimeInterval: 0.002) }
            thread.call { done.add(1, ordering: .releasing) }
            let limit = ContinuousClock.now + .seconds(60)
            while done.load(ordering: .acquiring) < turn, ContinuousClock.now < limit {}
            XCTAssertEqual(done.load(ordering: .acquiring), turn)
        }
    }

    func testThreadsAreNotTheCallersAndWorkAtTheSameTime() {
        let threads = ThreadPool().borrow(2, for: .parts)
        let came = Atomic(0), caller = pthread_self()
        let done = expectation(description: "done")
        done.expectedFulfillmentCount = 2
        for thread in threads {
            thread.call {
                XCTAssertEqual(pthread_equal(pthread_self(), caller), 0)
                came.add(1, ordering: .acquiringAndReleasing)
                // Goes on only when both are here.
                while came.load(ordering: .acquiring) < 2 { sched_yield() }
                done.fulfill()
            }
        }
        wait(for: [done], timeout: 60)
    }

    /// Threads of virtual machines were woken up where the caller was busy, and waited for it.
    func testOneThatSleptWakesUpOnAnotherProcessor() throws {
        try XCTSkipIf(Processors.count == 1, "there is no other one")
        let thread = try XCTUnwrap(ThreadPool().borrow(1, for: .parts).first)
        let done = Atomic(0), place = Atomic(-1)
        var (elsewhere, here) = (0, 0)
        for turn in 1...20 {
            // Asleep by then, and the caller wherever it wakes up.
            Thread.sleep(forTimeInterval: 0.005)
            let before = try processor()
            thread.call {
                place.store((try? processor()) ?? -1, ordering: .relaxed)
                done.store(turn, ordering: .releasing)
            }
            let after = try processor()
            let limit = ContinuousClock.now + .seconds(60)
            while done.load(ordering: .acquiring) < turn, ContinuousClock.now < limit {}
            // In its first turn the thread may not have begun yet; and the caller may be moved.
            guard turn > 1, before == after else { continue }
            XCTAssertGreaterThanOrEqual(place.load(ordering: .relaxed), 0)
            if place.load(ordering: .relaxed) == before { here += 1 } else { elsewhere += 1 }
        }
        // Spinning, it may be moved like any thread.
        XCTAssertGreaterThan(elsewhere, 3 * here)
    }

    func testAThreadThatAWorkerMakesMayRunWhereTheProcessMay() throws {
        let pool = ThreadPool(), first = try XCTUnwrap(pool.borrow(1, for: .jobs).first)
        let allowed = try processors()
        for turn in 1...5 {
            Thread.sleep(forTimeInterval: 0.005)
            let found = Locked<Set<String>>([]), done = expectation(description: "turn \(turn)")
            first.call {
                let mine = try? processors()
                found.withLock { _ = $0.insert(mine ?? "") }
                Thread.detachNewThread {
                    let made = try? processors()
                    found.withLock { _ = $0.insert(made ?? "") }
                    done.fulfill()
                }
            }
            wait(for: [done], timeout: 60)
            XCTAssertEqual(found.withLock { $0 }, [allowed])
        }
    }

    func testBlockedJobsRunAtTheSameTimeUpToTheLimit() {
        let pool = ThreadPool(), began = Atomic(0), gate = DispatchSemaphore(value: 0)
        let order = Locked<[Int]>([]), done = expectation(description: "done")
        done.expectedFulfillmentCount = ThreadPool.maximumCount + 10
        for _ in 0..<ThreadPool.maximumCount {
            pool.start {
                began.add(1, ordering: .acquiringAndReleasing)
                gate.wait()
                done.fulfill()
            }
        }
        let limit = ContinuousClock.now + .seconds(60)
        while began.load(ordering: .acquiring) < ThreadPool.maximumCount, ContinuousClock.now < limit { sched_yield() }
        XCTAssertEqual(began.load(ordering: .acquiring), ThreadPool.maximumCount)
        for number in 0..<10 {
            pool.start {
                order.withLock { $0.append(number) }
                done.fulfill()
            }
        }
        XCTAssertEqual(order.current, [], "more jobs at the same time than the limit")
        // One thread after the other: the jobs that wait have one thread only, so their order is known.
        gate.signal()
        while order.current.count < 10, ContinuousClock.now < limit { sched_yield() }
        XCTAssertEqual(order.current, Array(0..<10))
        for _ in 1..<ThreadPool.maximumCount { gate.signal() }
        wait(for: [done], timeout: 60)
    }

    func testJobsLeaveTheThreadsOfTheLevelsAlone() {
        let pool = ThreadPool(), gate = DispatchSemaphore(value: 0), done = expectation(description: "done")
        done.expectedFulfillmentCount = 5
        for _ in 0..<5 {
            pool.start {
                gate.wait()
                done.fulfill()
            }
        }
        let threads = pool.borrow(3, for: .jobs)
        XCTAssertEqual(threads.count, 3)
        let came = expectation(description: "came")
        came.expectedFulfillmentCount = 3
        for thread in threads { thread.call { came.fulfill() } }
        wait(for: [came], timeout: 60)
        for _ in 0..<5 { gate.signal() }
        wait(for: [done], timeout: 60)
    }

    func testTheNumberOfLentThreadsIsLimited() {
        XCTAssertLessThanOrEqual(
            ThreadPool().borrow(.max, for: .parts).count, max(ThreadPool.maximumCount, ThreadPool.usefulCount))
    }
}

/// The processor that the calling thread runs on.
private func processor() throws -> Int {
    let text = try String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)
    // The name, in parentheses, may hold spaces; after it come the third field and those that follow.
    let fields = text.drop { $0 != ")" }.split(separator: " ")
    return try XCTUnwrap(Int(fields[37]))
}

/// Those that the calling thread may run on.
private func processors() throws -> String {
    let text = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    return String(try XCTUnwrap(text.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }))
}
