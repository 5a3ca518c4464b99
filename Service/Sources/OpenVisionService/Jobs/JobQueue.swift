import Synchronization

/// Runs a bounded number of jobs at a time; a bounded number of others wait in order, without a thread.
final class JobQueue: Sendable {
    /// Why a job was not accepted.
    enum Refusal: Error {
        /// As many jobs as are allowed wait.
        case full
        /// The service is shutting down.
        case closed
    }

    /// The permission to run a job, even if the queue is closed before it is ready.
    struct Admission: Sendable {
        fileprivate init() {}
    }

    /// The number of jobs.
    struct Load: Equatable {
        var running = 0
        var waiting = 0
    }

    private struct Waiter {
        let number: Int
        let turn: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var running = 0
        var waiters: [Waiter] = []
        var isClosed = false
        /// The number of the last job that arrived.
        var last = 0
        /// Jobs that were cancelled before they began to wait, or after their turn came.
        var cancelled = Set<Int>()

        var load: Load { Load(running: running, waiting: waiters.count) }
    }

    private let workers: Int
    private let capacity: Int
    private let onChange: @Sendable (Load) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - workers: The most jobs that run at a time.
    ///   - capacity: The most jobs that wait.
    ///   - onChange: Receives each new load, in order. It must not call the queue.
    init(workers: Int, capacity: Int, onChange: @escaping @Sendable (Load) -> Void = { _ in }) {
        (self.workers, self.capacity, self.onChange) = (max(1, workers), max(0, capacity), onChange)
    }

    var load: Load { state.withLock { $0.load } }

    /// The cancelled jobs whose numbers are still kept: none once all jobs have ended.
    var cancelledCount: Int { state.withLock { $0.cancelled.count } }

    /// Why a job would be refused now; nil if it would be accepted.
    var refusal: Refusal? {
        state.withLock { state in
            if state.isClosed { return .closed }
            return state.running >= workers && state.waiters.count >= capacity ? .full : nil
        }
    }

    /// Accepts no further jobs; those that were admitted are still run.
    func close() { state.withLock { $0.isClosed = true } }

    /// Admits a job whose input is not there yet. Its position in the queue is not reserved, so that clients that send
    /// slowly do not take it from others.
    ///
    /// - Throws: `Refusal`.
    func admit() throws -> Admission {
        if let refusal { throw refusal }
        return Admission()
    }

    /// Runs a job when its turn comes.
    ///
    /// - Throws: `Refusal`; `CancellationError` when the task is cancelled before its turn; the error of the job.
    func run<Result>(_ job: () async throws -> Result) async throws -> Result { try await run(try admit(), job) }

    /// Runs a job that was admitted when its turn comes.
    ///
    /// - Throws: `Refusal.full`; `CancellationError` when the task is cancelled before its turn; the error of the job.
    func run<Result>(_ admission: Admission, _ job: () async throws -> Result) async throws -> Result {
        try await begin()
        defer { end() }
        return try await job()
    }

    /// Changes the state, and reports the load before another change can.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            let before = state.load
            let result = body(&state)
            if state.load != before { onChange(state.load) }
            return result
        }
    }

    private func begin() async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        // A job that is cancelled when it is refused or after its turn came finds out by itself.
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { turn in
                let outcome: Result<Void, any Error>? = change { state in
                    if state.cancelled.contains(number) { return .failure(CancellationError()) }
                    if state.running < workers {
                        state.running += 1
                        return .success(())
                    }
                    guard state.waiters.count < capacity else { return .failure(Refusal.full) }
                    state.waiters.append(Waiter(number: number, turn: turn))
                    return nil
                }
                if let outcome { turn.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = change { state -> Waiter? in
                if let index = state.waiters.firstIndex(where: { $0.number == number }) {
                    return state.waiters.remove(at: index)
                }
                state.cancelled.insert(number)
                return nil
            }
            waiter?.turn.resume(throwing: CancellationError())
        }
    }

    private func end() {
        let next = change { state -> Waiter? in
            guard !state.waiters.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.turn.resume()
    }
}
