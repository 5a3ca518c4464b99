import Foundation

/// Processes a sequence of inputs on several threads, with only a few of them in memory at a time.
///
/// Inputs are requested and results are delivered on the caller's thread, so that neither has to be thread-safe.
package enum ParallelPipeline {
    /// The number of inputs and results that may wait for each thread: enough that no thread is idle while a batch is
    /// written.
    private static let lead = 4

    /// Runs the pipeline to its end.
    ///
    /// - Parameters:
    ///   - threads: The number of threads of the process's pool, 1 or more, besides the caller's. They do not count
    ///     toward the limit of the pool's jobs, so a pipeline may run within such a job or within another pipeline.
    ///   - isOrdered: Whether results are delivered in the order of the inputs; otherwise in the order in which they
    ///     are done.
    ///   - next: Returns the next input; nil at the end.
    ///   - work: Computes the result of an input, on any of the threads.
    ///   - take: Receives each result.
    /// - Throws: The errors of `next` and `take`, after all calls of `work` have ended.
    package static func run<Input: Sendable, Output: Sendable>(
        threads: Int, isOrdered: Bool, next: () throws -> Input?, work: @escaping @Sendable (Input) -> Output,
        take: (Output) throws -> Void
    ) throws {
        let threads = max(1, threads)
        let board = Board<Input, Output>()
        for _ in 0..<threads {
            ThreadPool.shared.startUnqueued { board.serve(work) }
        }
        defer { board.close() }

        var (given, taken) = (0, 0)
        var isAtEnd = false
        var early: [Int: Output] = [:]
        while true {
            // Results that wait for an earlier one count, too, so that they do not pile up behind a slow input.
            while !isAtEnd, given - taken < threads * lead {
                guard let input = try next() else {
                    isAtEnd = true
                    break
                }
                board.give(input, number: given)
                given += 1
            }
            guard taken < given else { return }
            let (number, output) = board.awaitResult()
            guard isOrdered else {
                taken += 1
                try take(output)
                continue
            }
            early[number] = output
            while let output = early.removeValue(forKey: taken) {
                taken += 1
                try take(output)
            }
        }
    }

    /// The state that the caller and the threads share.
    private final class Board<Input: Sendable, Output: Sendable>: @unchecked Sendable {
        // Unchecked: the lock of the condition guards all state.
        private let changed = NSCondition()
        private var inputs = Queue<(number: Int, input: Input)>()
        private var outputs = Queue<(number: Int, output: Output)>()
        private var isClosed = false
        /// The number of inputs being processed.
        private var active = 0

        func give(_ input: Input, number: Int) {
            changed.lock()
            defer { changed.unlock() }
            inputs.append((number, input))
            changed.broadcast()
        }

        func awaitResult() -> (number: Int, output: Output) {
            changed.lock()
            defer { changed.unlock() }
            while true {
                if let result = outputs.popFirst() { return result }
                changed.wait()
            }
        }

        func serve(_ work: @Sendable (Input) -> Output) {
            while let (number, input) = takeInput() {
                let output = work(input)
                changed.lock()
                active -= 1
                outputs.append((number, output))
                changed.broadcast()
                changed.unlock()
            }
        }

        /// Waits for an input; nil when the pipeline is closed.
        private func takeInput() -> (number: Int, input: Input)? {
            changed.lock()
            defer { changed.unlock() }
            while !isClosed {
                if let input = inputs.popFirst() {
                    active += 1
                    return input
                }
                changed.wait()
            }
            return nil
        }

        /// Stops threads from taking inputs, and waits until none is processing one.
        func close() {
            changed.lock()
            defer { changed.unlock() }
            isClosed = true
            changed.broadcast()
            while active > 0 { changed.wait() }
        }
    }
}
