import Foundation
import VisionAnalysis
import VisionThreads

/// Runs jobs on several threads and writes each report as soon as it is there.
///
/// Whoever sends a job may wait for its answer before sending another, so reports never wait for input.
final class WorkerPool: Sendable {
    struct Summary: Sendable {
        var done = 0
        var failed = 0
        var seconds = 0.0
        /// Whether nobody reads the output any more.
        var isBroken = false
    }

    private let threads: Int
    private let slots: DispatchSemaphore
    private let summary = Locked(Summary())
    private let start = ContinuousClock.now

    init(threads: Int) {
        self.threads = threads
        slots = DispatchSemaphore(value: threads)
        // A reader that has gone is an error of writing, not the end of the process in the middle of a job.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Whether nobody reads the output any more.
    var isBroken: Bool { summary.current.isBroken }

    /// Starts a job; waits while as many run as there are threads.
    func start(_ job: @escaping @Sendable () -> AnalysisReport) {
        slots.wait()
        ThreadPool.shared.startUnqueued { [self] in
            let report = job()
            let line = (try? AnalysisJSON.data(report)).map { $0 + Data("\n".utf8) }
            summary.withLock { summary in
                summary.done += report.isComplete ? 1 : 0
                summary.failed += report.isComplete ? 0 : 1
                // Under the lock, so that lines do not mix.
                if let line, !summary.isBroken, (try? FileHandle.standardOutput.write(contentsOf: line)) == nil {
                    summary.isBroken = true
                }
            }
            slots.signal()
        }
    }

    /// Waits until all jobs are done.
    func finish() -> Summary {
        for _ in 0..<threads { slots.wait() }
        for _ in 0..<threads { slots.signal() }
        return summary.withLock { summary in
            summary.seconds = (ContinuousClock.now - start) / .seconds(1)
            return summary
        }
    }
}
