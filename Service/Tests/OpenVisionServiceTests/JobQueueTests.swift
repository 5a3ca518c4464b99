import XCTest

@testable import OpenVisionService

final class JobQueueTests: XCTestCase {
    func testJobsRunInOrderAndFewAtATime() async throws {
        let queue = JobQueue(workers: 1, capacity: 8)
        let order = Shared<[Int]>([])
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    try await queue.run {
                        if number == 0 { await gate.wait() }
                        XCTAssertEqual(queue.load.running, 1)
                        order.change { $0.append(number) }
                    }
                }
                // Each is in the queue before the next comes.
                try await eventually { queue.load == JobQueue.Load(running: 1, waiting: number) }
            }
            await gate.open()
            try await group.waitForAll()
        }
        XCTAssertEqual(order.current, Array(0..<6))
        XCTAssertEqual(queue.load, JobQueue.Load())
    }

    func testAJobThatIsCancelledWhileItWaitsNeverRuns() async throws {
        let queue = JobQueue(workers: 1, capacity: 8)
        let gate = Gate()
        async let held: Void = queue.run { await gate.wait() }
        try await eventually { queue.load.running == 1 }
        let waiting = Task { try await queue.run { XCTFail("It ran.") } }
        try await eventually { queue.load.waiting == 1 }
        waiting.cancel()
        do {
            try await waiting.value
            XCTFail("It was not cancelled.")
        } catch is CancellationError {}
        XCTAssertEqual(queue.load.waiting, 0)
        await gate.open()
        try await held
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await queue.run {}
        }
        // Whether it is run or not, the queue is free afterwards.
        _ = try? await cancelled.value
        try await queue.run {}
        XCTAssertEqual(queue.load, JobQueue.Load())
    }

    func testAFullOrClosedQueueRefuses() async throws {
        let queue = JobQueue(workers: 1, capacity: 0)
        let gate = Gate()
        async let held: Void = queue.run { await gate.wait() }
        try await eventually { queue.load.running == 1 }
        XCTAssertEqual(queue.refusal, .full)
        do {
            try await queue.run {}
            XCTFail("It was taken.")
        } catch { XCTAssertEqual(error as? JobQueue.Refusal, .full) }
        queue.close()
        await gate.open()
        try await held
        do {
            try await queue.run {}
            XCTFail("It was taken.")
        } catch { XCTAssertEqual(error as? JobQueue.Refusal, .closed) }
    }

    func testManyJobsAndCancellationsLeaveTheQueueEmpty() async throws {
        let queue = JobQueue(workers: 3, capacity: 20)
        let peak = Shared(0)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let task = Task {
                        try await queue.run {
                            peak.change { $0 = max($0, queue.load.running) }
                            await Task.yield()
                        }
                    }
                    if number % 3 == 0 { task.cancel() }
                    _ = try? await task.value
                }
            }
        }
        XCTAssertEqual(queue.load, JobQueue.Load())
        XCTAssertTrue((1...3).contains(peak.current))
    }

    func testBytesAreGivenBack() {
        let budget = ByteBudget(limit: 10)
        do {
            let share = budget.makeShare()
            XCTAssertTrue(share.grow(by: 4))
            XCTAssertTrue(share.grow(by: 6))
            XCTAssertFalse(share.grow(by: 1))
            XCTAssertFalse(budget.makeShare().grow(by: 1))
        }
        XCTAssertEqual(budget.inUse, 0)
        XCTAssertTrue(budget.makeShare().grow(by: 10))
    }
}
