import Synchronization

/// The threads of a computation that consists of many short parallel loops, such as a run of a network: the caller's
/// thread and threads borrowed from the pool.
///
/// Between the loops the borrowed threads spin instead of sleeping, because a loop takes microseconds. The number of
/// threads has no influence on results: each part of a loop computes the same bits whichever thread runs it.
package final class Workers: Sendable {
    /// The number of threads, including the caller's.
    package let count: Int
    private let loop: SharedLoop?

    private init(loop: SharedLoop?, count: Int) {
        self.loop = loop
        self.count = count
    }

    /// Only the caller's thread.
    package static let single = Workers(loop: nil, count: 1)

    /// Runs `body` with up to `threads` threads, or fewer if other computations have borrowed them.
    package static func with<Result>(threads: Int, _ body: (Workers) throws -> Result) rethrows -> Result {
        guard threads > 1 else { return try body(.single) }
        let borrowed = ThreadPool.shared.borrow(min(threads - 1, ThreadPool.usefulCount), for: .parts)
        guard !borrowed.isEmpty else { return try body(.single) }
        let loop = SharedLoop()
        for thread in borrowed { thread.call(loop.serve) }
        defer {
            loop.dismiss()
            ThreadPool.shared.giveBack(borrowed, from: .parts)
        }
        return try body(Workers(loop: loop, count: borrowed.count + 1))
    }

    /// Calls `body(part, worker)` for every part below `parts`, each once, and returns when all are done.
    ///
    /// - Parameter body: Runs on several threads at the same time. `worker` is below `count`; no two simultaneous calls
    ///   have the same value, so it can select per-thread memory.
    package func parallel(_ parts: Int, _ body: @Sendable (_ part: Int, _ worker: Int) -> Void) {
        guard let loop, parts > 1 else {
            for part in 0..<max(parts, 0) { body(part, 0) }
            return
        }
        loop.run(parts, body)
    }
}

/// The shared state of the threads: the body of the current loop, and the number of its parts that have been taken.
///
/// A thread takes a part by incrementing `ticket` from a value that it has read before it read the body. The body
/// changes only together with the loop number in the ticket, and only when every part is done. So a thread whose
/// increment succeeds has the right body; a delayed thread is harmless, and no one waits for it.
private final class SharedLoop: Sendable {
    private typealias Body = @Sendable (Int, Int) -> Void

    /// The number of the loop in the upper half, the next part in the lower.
    private let ticket = Atomic<UInt64>(0)
    private let parts = Atomic<Int>(0)
    /// The address of the loop's closure.
    private let body = Atomic<UInt>(0)
    private let done = Atomic<Int>(0)
    private let joined = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)

    func run(_ parts: Int, _ body: @Sendable (Int, Int) -> Void) {
        withoutActuallyEscaping(body) { escapable in
            withUnsafePointer(to: escapable) { pointer in
                // While body and parts change, the ticket admits no thread.
                let loop = (ticket.load(ordering: .relaxed) >> 32) &+ 1
                ticket.store(loop << 32 | 0xFFFF_FFFF, ordering: .sequentiallyConsistent)
                done.store(0, ordering: .relaxed)
                self.body.store(UInt(bitPattern: pointer), ordering: .releasing)
                self.parts.store(parts, ordering: .releasing)
                ticket.store((loop &+ 1) << 32, ordering: .sequentiallyConsistent)
                while takePart(worker: 0) {}
                var spins = 0
                while done.load(ordering: .acquiring) != parts { SpinWait.pause(&spins) }
            }
        }
    }

    /// Runs one part; returns false if none is left.
    private func takePart(worker: Int) -> Bool {
        var seen = ticket.load(ordering: .acquiring)
        while true {
            let parts = parts.load(ordering: .acquiring)
            let pointer = UnsafeRawPointer(bitPattern: body.load(ordering: .acquiring))
            let part = Int(seen & 0xFFFF_FFFF)
            guard part < parts, let pointer else { return false }
            let (taken, now) = ticket.weakCompareExchange(
                expected: seen, desired: seen &+ 1, successOrdering: .acquiringAndReleasing,
                failureOrdering: .acquiring)
            if taken {
                pointer.load(as: Body.self)(part, worker)
                done.wrappingAdd(1, ordering: .acquiringAndReleasing)
                return true
            }
            seen = now
        }
    }

    /// Takes parts on a borrowed thread until the run is over.
    func serve() {
        let worker = joined.wrappingAdd(1, ordering: .relaxed).oldValue + 1
        var spins = 0
        while !isOver.load(ordering: .acquiring) {
            if takePart(worker: worker) { spins = 0 } else { SpinWait.pause(&spins) }
        }
    }

    /// Makes the borrowed threads leave, without waiting for them.
    func dismiss() { isOver.store(true, ordering: .releasing) }
}
