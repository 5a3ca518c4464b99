import VisionImage
import VisionModels

import Dispatch

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
    private enum Task {
        case look(Int)
        case lane([Int])
    }

    /// The outcome of each job, in the order of the jobs.
    static func run(_ jobs: [Job]) -> [RequestOutcome] {
        let looks = CompanyLooks(TrackerCompany(jobs), of: jobs)
        // Lanes come after all looks: when one waits for its own, another thread is at it.
        let tasks = looks.runLarge(threads: Settings.threadCount).map(Task.look) + group(jobs).map(Task.lane)
        let outcomes = Locked([RequestOutcome?](repeating: nil, count: jobs.count))
        let next = Locked(0)
        DispatchQueue.concurrentPerform(iterations: max(1, min(tasks.count, Settings.threadCount))) { _ in
            while true {
                let place = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard place < tasks.count else { return }
                switch tasks[place] {
                case .look(let look): looks.run(look)
                case .lane(let indices):
                    for index in indices {
                        let outcome = outcome(of: jobs[index], seen: looks.seen(by: index))
                        outcomes.withLock { $0[index] = outcome }
                    }
                }
            }
        }
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

    private static func outcome(of job: Job, seen: SeenWindow?) -> RequestOutcome {
        do {
            try job.context.cancellation.check()
            var context = job.context
            context.seen = seen
            return .success(try job.work.run(context))
        } catch {
            return .failure(visionError(from: error))
        }
    }
}
