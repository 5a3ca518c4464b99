import VisionImage
import VisionModels
import VisionThreads

/// Runs the works of one perform, side by side where they share nothing.
///
/// The threads are the caller's own and idle ones of the process's pool; `Settings.threadCount` limits how many one perform
/// uses. Results do not depend on it: a work sees only its image, the state of its own lane, and what was seen for it before any
/// work began.
struct RequestExecutor {
    struct Job: Sendable {
        let work: RequestWork
        let context: PerformContext
    }

    /// One thing for one thread to do.
    private enum Task: Sendable {
        case look(Int)
        case lane([Int])
    }

    /// What there is to do in a perform, and what has come of it.
    private final class Round: Sendable {
        let jobs: [Job]
        let tasks: [Task]
        let looks: CompanyLooks
        let outcomes: Locked<[RequestOutcome?]>

        init(_ jobs: [Job], tasks: [Task], looks: CompanyLooks) {
            (self.jobs, self.tasks, self.looks) = (jobs, tasks, looks)
            outcomes = Locked([RequestOutcome?](repeating: nil, count: jobs.count))
        }

        func run(_ task: Int) {
            switch tasks[task] {
            case .look(let look): looks.run(look)
            case .lane(let indices):
                for index in indices {
                    let outcome = RequestExecutor.outcome(of: jobs[index]) { looks.seen(by: index) }
                    outcomes.withLock { $0[index] = outcome }
                }
            }
        }
    }

    private let mostThreads: Int
    private var team: ThreadTeam

    /// Wakes up the threads that are to help, which takes as long as works take to be made and planned.
    ///
    /// - Parameter requests: So many works will there be at most. `run` has to be called, once, even if there are none.
    init(requests: Int) {
        mostThreads = max(1, min(requests, Settings.threadCount))
        team = ThreadTeam(maximumCount: mostThreads - 1, for: .jobs)
    }

    /// The outcome of each job, in the order of the jobs.
    mutating func run(_ jobs: [Job]) -> [RequestOutcome] {
        let looks = CompanyLooks(TrackerCompany(jobs), of: jobs)
        let large = looks.large(threads: Settings.threadCount)
        if !large.isEmpty {
            // Networks take their threads from the pool.
            team.giveBack()
            for look in large { looks.run(look, threads: Settings.threadCount) }
            team = ThreadTeam(maximumCount: mostThreads - 1, for: .jobs)
        }
        let threads = team.count + 1
        var lanes = Self.group(jobs)
        let times = lanes.map { lane in lane.reduce(0) { $0 + (jobs[$1].work.pace?.last ?? .zero) / .milliseconds(1) } }
        lanes = LaneOrder.shortestLast(times, threads: threads).map { lanes[$0] }
        // Lanes come after all looks: when one waits for its own, another thread is at it.
        let first = looks.largestFirst(without: large)
        let round = Round(jobs, tasks: first.map(Task.look) + lanes.map(Task.lane), looks: looks)
        let shares = WorkStealingQueues(first: first.count, count: lanes.count, threads: threads)
        team.run { thread in
            while let task = shares.take(thread) { round.run(task) }
        }
        return round.outcomes.current.map {
            $0 ?? .failure(visionError(.internalError, "Internal error: a request was lost."))
        }
    }

    /// The indices of the jobs, those of one lane together, in order.
    private static func group(_ jobs: [Job]) -> [[Int]] {
        var lanes: [[Int]] = []
        var places: [RequestWork.Lane: Int] = [:]
        for (index, job) in jobs.enumerated() {
            if let lane = job.work.lane, let place = places[lane] {
                lanes[place].append(index)
                continue
            }
            if let lane = job.work.lane { places[lane] = lanes.count }
            lanes.append([index])
        }
        return lanes
    }

    private static func outcome(of job: Job, seen: () -> SeenWindow?) -> RequestOutcome {
        do {
            try job.context.cancellation.check()
            var context = job.context
            context.seen = seen()
            let start = ContinuousClock.now
            defer { job.work.pace?.last = ContinuousClock.now - start }
            return .success(try job.work.run(context))
        } catch {
            return .failure(visionError(from: error))
        }
    }
}
