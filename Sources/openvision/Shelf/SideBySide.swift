import Foundation
import VisionImage

/// Works on many inputs at once, each on a thread of its own, with only a few of them in memory.
///
/// Inputs are asked for and results are handed over on the caller's thread, so that neither has to be safe for others.
enum SideBySide {
    /// Inputs and results that may wait for each thread: enough that none stands still while a batch is written.
    private static let lead = 4

    /// - Parameters:
    ///   - isOrdered: results come in the order of the inputs; else as they are done.
    ///   - next: the next input; nil ends.
    ///   - work: runs on the threads.
    ///   - take: gets each result.
    /// - Throws: what `next` and `take` throw; by then no thread is at work any more.
    static func run<Input: Sendable, Output: Sendable>(
        threads: Int, isOrdered: Bool, next: () throws -> Input?, work: @escaping @Sendable (Input) -> Output,
        take: (Output) throws -> Void
    ) throws {
        let threads = max(1, threads)
        let board = Board<Input, Output>()
        for _ in 0..<threads {
            Thread.detachNewThread { board.serve(work) }
        }
        defer { board.close(threads: threads) }

        var (given, taken) = (0, 0)
        var isAtEnd = false
        var early: [Int: Output] = [:]
        while true {
            // Results that wait for an earlier one count as well: a slow first input must not let them pile up.
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

    /// What the caller and the threads share.
    private final class Board<Input: Sendable, Output: Sendable>: @unchecked Sendable {
        // Unchecked: everything is reached under the lock of the condition only.
        private let changed = NSCondition()
        private var inputs: [(number: Int, input: Input)] = []
        private var outputs: [(number: Int, output: Output)] = []
        private var isClosed = false
        private var ended = 0

        func give(_ input: Input, number: Int) {
            changed.lock()
            defer { changed.unlock() }
            inputs.append((number, input))
            changed.broadcast()
        }

        func awaitResult() -> (number: Int, output: Output) {
            changed.lock()
            defer { changed.unlock() }
            while outputs.isEmpty { changed.wait() }
            return outputs.removeFirst()
        }

        func serve(_ work: @Sendable (Input) -> Output) {
            while let (number, input) = awaitInput() {
                let output = work(input)
                changed.lock()
                outputs.append((number, output))
                changed.broadcast()
                changed.unlock()
            }
        }

        private func awaitInput() -> (number: Int, input: Input)? {
            changed.lock()
            defer { changed.unlock() }
            while inputs.isEmpty, !isClosed { changed.wait() }
            guard !isClosed else {
                ended += 1
                changed.broadcast()
                return nil
            }
            return inputs.removeFirst()
        }

        /// Lets what is being worked on come to its end, and nothing else.
        func close(threads: Int) {
            changed.lock()
            defer { changed.unlock() }
            isClosed = true
            changed.broadcast()
            while ended < threads { changed.wait() }
        }
    }
}
