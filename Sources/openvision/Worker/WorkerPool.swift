import Foundation
import VisionAnalysis
import VisionThreads

/// Runs jobs on several threads and writes each report as soon as it is there.
///
/// Whoever sends a job may wait for its answer before sending another, so reports never wait for input. The threads
/// stay: one for each job would leave threads that spin in wait for the next.
final class WorkerPool: @unchecked Sendable {
    // Unchecked: the lock of the condition guards the jobs and the summary.

    struct Summary: Sendable {
        var done = 0
        var failed = 0
        var seconds = 0.0
        /// Whether nobody reads the output any more.
        var isBroken = false
    }

    typealias Job = @Sendable () -> AnalysisReport

    private let threads: Int
    private let changed = NSCondition()
    private var waiting: [Job] = []
    private var running = 0
    private var isEnded = false
    private var summary = Summary()
    private let start = ContinuousClock.now

    init(threads: Int) {
        self.threads = threads
        // A reader that has gone is an error of writing, not the end of the process in the middle of a job.
        signal(SIGPIPE, SIG_IGN)
        for _ in 0..<threads { ThreadPool.shared.startUnqueued { [self] in serve() } }
    }

    /// Whether nobody reads the output any more.
    var isBroken: Bool {
        changed.lock()
        defer { changed.unlock() }
        return summary.isBroken
    }

    /// Starts a job; waits while as many wait for a thread as there are threads.
    func start(_ job: @escaping Job) {
        changed.lock()
        defer { changed.unlock() }
        while waiting.count >= threads { changed.wait() }
        waiting.append(job)
        changed.broadcast()
    }

    /// Waits until all jobs are done.
    func finish() -> Summary {
        changed.lock()
        defer { changed.unlock() }
        while running > 0 || !waiting.isEmpty { changed.wait() }
        isEnded = true
        changed.broadcast()
        summary.seconds = (ContinuousClock.now - start) / .seconds(1)
        return summary
    }

    private func serve() {
        while let job = take() {
            let report = job()
            let line = (try? AnalysisJSON.data(report)).map { $0 + Data("\n".utf8) }
            changed.lock()
            summary.done += report.isComplete ? 1 : 0
            summary.failed += report.isComplete ? 0 : 1
            // Under the lock, so that lines do not mix.
            if let line, !summary.isBroken, (try? FileHandle.standardOutput.write(contentsOf: line)) == nil {
                summary.isBroken = true
            }
            running -= 1
            changed.broadcast()
            changed.unlock()
        }
    }

    /// Waits for a job; nil at the end.
    private func take() -> Job? {
        changed.lock()
        defer { changed.unlock() }
        while waiting.isEmpty {
            guard !isEnded else { return nil }
            changed.wait()
        }
        running += 1
        changed.broadcast()
        return waiting.removeFirst()
    }
}
