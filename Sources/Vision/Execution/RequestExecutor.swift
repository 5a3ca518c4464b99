import VisionThreads

/// Runs the jobs of one perform; jobs of different serial queues run in parallel.
///
/// Uses the caller's thread and idle threads of the process's pool, up to `Settings.threadCount`. Results do not depend
/// on the number of threads: a job depends only on its image, the state of its serial queue, and the results of its
/// shared task.
struct RequestExecutor {
    struct Entry: Sendable {
        let job: RequestJob
        var context: PerformContext
    }

    /// Called with the number of a job and its outcome as soon as it is done, on any thread.
    typealias Finished = @Sendable (Int, RequestOutcome) -> Void

    /// One task for one thread.
    private enum Task: Sendable {
        case shared(Int)
        case serial([Int])
    }

    /// The tasks of a perform and their outcomes.
    private final class Round: Sendable {
        let entries: [Entry]
        let tasks: [Task]
        let sharedTasks: SharedTasks
        let outcomes: Locked<[RequestOutcome?]>
        let finished: Finished?

        init(_ entries: [Entry], tasks: [Task], sharedTasks: SharedTasks, finished: Finished?) {
            (self.entries, self.tasks, self.sharedTasks) = (entries, tasks, sharedTasks)
            self.finished = finished
            outcomes = Locked([RequestOutcome?](repeating: nil, count: entries.count))
        }

        func run(_ task: Int) {
            switch tasks[task] {
            case .shared(let number): sharedTasks.run(number)
            case .serial(let numbers):
                for number in numbers {
                    let outcome = RequestExecutor.outcome(of: entries[number]) { sharedTasks.wait(for: number) }
                    outcomes.withLock { $0[number] = outcome }
                    finished?(number, outcome)
                }
            }
        }
    }

    private let maximumThreads: Int
    private var team: ThreadTeam

    /// Wakes up the worker threads, which takes about as long as creating and planning the jobs.
    ///
    /// - Parameter requests: The maximum number of jobs. `run` must be called once, even without jobs.
    init(requests: Int) {
        maximumThreads = max(1, min(requests, Settings.threadCount))
        team = ThreadTeam(maximumCount: maximumThreads - 1, for: .jobs)
    }

    /// Runs the jobs and returns their outcomes in the same order.
    mutating func run(_ entries: [Entry], finished: Finished? = nil) -> [RequestOutcome] {
        let sharedTasks = SharedTasks(of: entries)
        let large = sharedTasks.large(threads: Settings.threadCount)
        if !large.isEmpty {
            // Networks borrow their threads from the pool.
            team.giveBack()
            for number in large { sharedTasks.run(number, threads: Settings.threadCount) }
            team = ThreadTeam(maximumCount: maximumThreads - 1, for: .jobs)
        }
        let threads = team.count + 1
        var queues = Self.serialQueues(of: entries)
        let costs = queues.map { queue in
            queue.reduce(0) { $0 + (entries[$1].job.cost?.last ?? .zero) / .milliseconds(1) }
        }
        queues = JobOrder.shortestLast(costs, threads: threads).map { queues[$0] }
        // Jobs start after all shared tasks have started: a job that waits for its task waits for another thread.
        let first = sharedTasks.largestFirst(without: large)
        let round = Round(
            entries, tasks: first.map(Task.shared) + queues.map(Task.serial), sharedTasks: sharedTasks,
            finished: finished)
        let workQueues = WorkStealingQueues(first: first.count, count: queues.count, threads: threads)
        team.run { thread in
            while let task = workQueues.take(thread) { round.run(task) }
        }
        return round.outcomes.current.map {
            $0 ?? .failure(visionError(.internalError, "Internal error: a request was lost."))
        }
    }

    /// Returns the numbers of the jobs, grouped by serial queue, in order.
    private static func serialQueues(of entries: [Entry]) -> [[Int]] {
        var queues: [[Int]] = []
        var indices: [SerialQueue: Int] = [:]
        for (number, entry) in entries.enumerated() {
            if let queue = entry.job.queue, let index = indices[queue] {
                queues[index].append(number)
                continue
            }
            if let queue = entry.job.queue { indices[queue] = queues.count }
            queues.append([number])
        }
        return queues
    }

    private static func outcome(of entry: Entry, prepared: () -> Void) -> RequestOutcome {
        do {
            try entry.context.cancellation.check()
            prepared()
            let start = ContinuousClock.now
            defer { entry.job.cost?.last = ContinuousClock.now - start }
            return .success(try entry.job.run(entry.context))
        } catch {
            return .failure(visionError(from: error))
        }
    }
}
