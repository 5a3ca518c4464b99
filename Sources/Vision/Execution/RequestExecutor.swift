import VisionImage
import VisionThreads

/// Runs the jobs of one perform, side by side where they share nothing.
///
/// The threads are the caller's own and idle ones of the process's pool; `Settings.threadCount` limits how many one
/// perform uses. Results do not depend on it: a job depends on its image, the state of its own serial queue, and what
/// was prepared for it before any job ran.
struct RequestExecutor {
    struct Entry: Sendable {
        let job: RequestJob
        let context: PerformContext
    }

    /// One task for one thread.
    private enum Task: Sendable {
        case shared(Int)
        case serial([Int])
    }

    /// What there is to do in a perform, and what has come of it.
    private final class Round: Sendable {
        let entries: [Entry]
        let tasks: [Task]
        let sharedTasks: SharedTasks
        let outcomes: Locked<[RequestOutcome?]>

        init(_ entries: [Entry], tasks: [Task], sharedTasks: SharedTasks) {
            (self.entries, self.tasks, self.sharedTasks) = (entries, tasks, sharedTasks)
            outcomes = Locked([RequestOutcome?](repeating: nil, count: entries.count))
        }

        func run(_ task: Int) {
            switch tasks[task] {
            case .shared(let number): sharedTasks.run(number)
            case .serial(let numbers):
                for number in numbers {
                    let outcome = RequestExecutor.outcome(of: entries[number]) { sharedTasks.wait(for: number) }
                    outcomes.withLock { $0[number] = outcome }
                }
            }
        }
    }

    private let maximumThreads: Int
    private var team: ThreadTeam

    /// Wakes up the threads that will take part, which takes as long as it takes to make and plan the jobs.
    ///
    /// - Parameter requests: The most jobs that there will be. `run` has to be called, once, even if there are none.
    init(requests: Int) {
        maximumThreads = max(1, min(requests, Settings.threadCount))
        team = ThreadTeam(maximumCount: maximumThreads - 1, for: .jobs)
    }

    /// The outcome of each job, in their order.
    mutating func run(_ entries: [Entry]) -> [RequestOutcome] {
        let sharedTasks = SharedTasks(of: entries)
        let large = sharedTasks.large(threads: Settings.threadCount)
        if !large.isEmpty {
            // Networks take their threads from the pool.
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
        // Jobs come after all shared tasks: when one waits for its own, another thread is running it.
        let first = sharedTasks.largestFirst(without: large)
        let round = Round(
            entries, tasks: first.map(Task.shared) + queues.map(Task.serial), sharedTasks: sharedTasks)
        let workQueues = WorkStealingQueues(first: first.count, count: queues.count, threads: threads)
        team.run { thread in
            while let task = workQueues.take(thread) { round.run(task) }
        }
        return round.outcomes.current.map {
            $0 ?? .failure(visionError(.internalError, "Internal error: a request was lost."))
        }
    }

    /// The numbers of the jobs, those of one serial queue together, in order.
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
