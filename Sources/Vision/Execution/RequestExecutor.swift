import VisionImage

import Dispatch

/// Runs the works of one perform, side by side where they share nothing.
///
/// The threads are the system's pool with the caller's own among them; `Settings.threadCount` limits how many one perform
/// uses. Results do not depend on it: a work sees only its image and the state of its own lane.
enum RequestExecutor {
    struct Job: Sendable {
        let work: RequestWork
        let context: PerformContext
    }

    /// The outcome of each job, in the order of the jobs.
    static func run(_ jobs: [Job]) -> [RequestOutcome] {
        let lanes = group(jobs)
        let threads = min(lanes.count, Settings.threadCount)
        guard threads > 1 else {
            return jobs.map(outcome)
        }
        let outcomes = Locked([RequestOutcome?](repeating: nil, count: jobs.count))
        let next = Locked(0)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            while true {
                let lane = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                guard lane < lanes.count else { return }
                for index in lanes[lane] {
                    let outcome = outcome(of: jobs[index])
                    outcomes.withLock { $0[index] = outcome }
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

    private static func outcome(of job: Job) -> RequestOutcome {
        do {
            try job.context.cancellation.check()
            return .success(try job.work.run(job.context))
        } catch {
            return .failure(visionError(from: error))
        }
    }
}
