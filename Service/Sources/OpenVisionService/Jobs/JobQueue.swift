import Synchronization

/// Runs a bounded number of jobs at a time; a bounded number of others wait in order, without a thread.
final class JobQueue: Sendable {
    /// Why a job was not taken.
    enum Refusal: Error {
        /// As many jobs as are allowed wait.
        case full
        /// The service is about to end.
        case closed
    }

    /// What the queue is doing.
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
        /// The number of the last job that came.
        var last = 0
        /// Jobs that were cancelled before they began to wait.
        var cancelled = Set<Int>()
    }

    private let workers: Int
    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - workers: The most jobs that run at a time.
    ///   - capacity: The most jobs that wait.
    init(workers: Int, capacity: Int) { (self.workers, self.capacity) = (max(1, workers), max(0, capacity)) }

    var load: Load { state.withLock { Load(running: $0.running, waiting: $0.waiters.count) } }

    /// Why a job would be refused now; nil if it would be taken.
    var refusal: Refusal? { state.withLock { refusal(of: $0) } }

    /// Lets no further jobs in; those that wait are still run.
    func close() { state.withLock { $0.isClosed = true } }

    /// Runs a job when its turn comes.
    ///
    /// - Throws: `Refusal`; `CancellationError` when the task is cancelled before its turn; the error of the job.
    func run<Result>(_ job: () async throws -> Result) async throws -> Result {
        try await begin()
        defer { end() }
        return try await job()
    }

    private func refusal(of state: State) -> Refusal? {
        if state.isClosed { return .closed }
        return state.running >= workers && state.waiters.count >= capacity ? .full : nil
    }

    private func begin() async throws {
        let number = try state.withLock { state in
            if let refusal = refusal(of: state) { throw refusal }
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { turn in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if state.running < workers {
                        state.running += 1
                        return .success(())
                    }
                    // Another may have taken the last place meanwhile.
                    guard state.waiters.count < capacity else { return .failure(Refusal.full) }
                    state.waiters.append(Waiter(number: number, turn: turn))
                    return nil
                }
                if let outcome { turn.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                if let index = state.waiters.firstIndex(where: { $0.number == number }) {
                    return state.waiters.remove(at: index)
                }
                state.cancelled.insert(number)
                return nil
            }
            waiter?.turn.resume(throwing: CancellationError())
        }
        // Cancelled after its turn came: the job finds out by itself.
        state.withLock { _ = $0.cancelled.remove(number) }
    }

    private func end() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiters.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.turn.resume()
    }
}
