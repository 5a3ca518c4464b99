import Foundation
import Synchronization
import VisionImage

/// The threads of one run: the caller's own and those it could borrow from the process's pool.
///
/// Between the steps of a network the borrowed threads wait in a loop instead of sleeping, because a step takes
/// microseconds. How many there are has no influence on results: each part of a step computes the same bits whoever
/// runs it.
package final class Workers: Sendable {
    /// Threads with the caller's.
    package let count: Int
    private let crew: Crew?

    private init(crew: Crew?, count: Int) {
        self.crew = crew
        self.count = count
    }

    /// The caller's thread alone.
    package static let single = Workers(crew: nil, count: 1)

    /// Runs `body` with up to `threads` threads. Fewer when other runs have borrowed them.
    package static func with<Result>(threads: Int, _ body: (Workers) throws -> Result) rethrows -> Result {
        guard threads > 1 else { return try body(.single) }
        let helpers = HelperPool.shared.borrow(min(threads - 1, HelperPool.useful), for: .parts)
        guard !helpers.isEmpty else { return try body(.single) }
        let crew = Crew()
        for helper in helpers { helper.call(crew.serve) }
        defer {
            crew.dismiss()
            HelperPool.shared.giveBack(helpers, from: .parts)
        }
        return try body(Workers(crew: crew, count: helpers.count + 1))
    }

    /// Calls `body(part, worker)` for every part below `parts`, each once, and returns when all are done. `worker` is
    /// below `count`, and no two calls at the same time have the same.
    package func parallel(_ parts: Int, _ body: (_ part: Int, _ worker: Int) -> Void) {
        guard let crew, parts > 1 else {
            for part in 0..<max(parts, 0) { body(part, 0) }
            return
        }
        crew.run(parts, body)
    }
}

/// What one run's threads share: the work of the current step, and how much of it has been taken.
///
/// A thread takes a part by moving `ticket` on from a value that it has read before it read the work. Since the work
/// changes only together with the ticket's step number, and only when every part is done, whoever succeeds holds the
/// right work, and a thread that comes late can do no harm; nobody waits for it.
private final class Crew: Sendable {
    private typealias Body = (Int, Int) -> Void

    /// Number of the step in the upper half, next part in the lower.
    private let ticket = Atomic<UInt64>(0)
    private let parts = Atomic<Int>(0)
    /// The address of the work's closure.
    private let work = Atomic<UInt>(0)
    private let done = Atomic<Int>(0)
    private let joined = Atomic<Int>(0)
    private let over = Atomic<Bool>(false)

    func run(_ parts: Int, _ body: (Int, Int) -> Void) {
        withoutActuallyEscaping(body) { escapable in
            withUnsafePointer(to: escapable) { pointer in
                // While work and parts change, the ticket is one that nobody can take a part with.
                let step = (ticket.load(ordering: .relaxed) >> 32) &+ 1
                ticket.store(step << 32 | 0xFFFF_FFFF, ordering: .sequentiallyConsistent)
                done.store(0, ordering: .relaxed)
                work.store(UInt(bitPattern: pointer), ordering: .releasing)
                self.parts.store(parts, ordering: .releasing)
                ticket.store((step &+ 1) << 32, ordering: .sequentiallyConsistent)
                while takePart(worker: 0) {}
                var spins = 0
                while done.load(ordering: .acquiring) != parts { spinPause(&spins) }
            }
        }
    }

    /// Does one part; false when there is none left.
    private func takePart(worker: Int) -> Bool {
        var seen = ticket.load(ordering: .acquiring)
        while true {
            let parts = parts.load(ordering: .acquiring)
            let pointer = UnsafeRawPointer(bitPattern: work.load(ordering: .acquiring))
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

    /// A helper's life in one run.
    func serve() {
        let worker = joined.wrappingAdd(1, ordering: .relaxed).oldValue + 1
        var spins = 0
        while !over.load(ordering: .acquiring) {
            if takePart(worker: worker) { spins = 0 } else { spinPause(&spins) }
        }
    }

    /// Sends the helpers home; they may take a moment.
    func dismiss() { over.store(true, ordering: .releasing) }
}

/// Waits a moment; after a while lets other threads have the core.
@inline(__always)
private func spinPause(_ spins: inout Int) {
    spins += 1
    if spins < 4000 { pauseProcessor() } else { sched_yield() }
}
