import VisionImage
import VisionModels

/// Runs the works of one perform, side by side where they share nothing.
///
/// The threads are the system's pool with the caller's own among them; `Settings.threadCount` limits how many one perform
/// uses. Results do not depend on it: a work sees only its image, the state of its own lane, and what was seen for it before any
/// work began.
enum RequestExecutor {
    struct Job: Sendable {
        let work: RequestWork
        let context: PerformContext
    }

    /// One thing for one thread to do.
    private enum Task: Sendable {
        case look(Int)
        case lane([Int])
    }

    /// What there is to do in a perform.
    private struct Round: Sendable {
        let tasks: [Task]
        let looks: CompanyLooks
    }

    /// The outcome of each job, in the order of the jobs.
    static func run(_ jobs: [Job]) -> [RequestOutcome] {
        var lanes = group(jobs)
        let threads = max(1, min(lanes.count, Settings.threadCount))
        let shares = LaneShares(threads: threads), round = Locked<Round?>(nil)
        let outcomes = Locked([RequestOutcome?](repeating: nil, count: jobs.count))
        @Sendable func help(_ thread: Int) {
            while let place = shares.take(thread), let round = round.current {
                switch round.tasks[place] {
                case .look(let look): round.looks.run(look)
                case .lane(let indices):
                    for index in indices {
                        let outcome = outcome(of: jobs[index]) { round.looks.seen(by: index) }
                        outcomes.withLock { $0[index] = outcome }
                    }
                }
                shares.finish()
            }
        }
        // Helpers are called first, as they take as long to wake up as the rest takes to be planned.
        let helpers = Helpers(count: threads - 1, help)
        let times = lanes.map { lane in lane.reduce(0) { $0 + (jobs[$1].work.pace?.last ?? .zero) / .milliseconds(1) } }
        lanes = LaneOrder.shortestLast(times, threads: threads).map { lanes[$0] }
        let looks = CompanyLooks(TrackerCompany(jobs), of: jobs)
        let first = looks.runLarge(threads: Settings.threadCount)
        // Lanes come after all looks: when one waits for its own, another thread is at it.
        round.withLock { $0 = Round(tasks: first.map(Task.look) + lanes.map(Task.lane), looks: looks) }
        shares.open(first: first.count, lanes: lanes.count)
        help(0)
        // A helper that only comes now finds nothing to do; it is not waited for.
        shares.wait()
        helpers.dismiss()
        return outcomes.current.map {
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
