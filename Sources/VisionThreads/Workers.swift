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
        let loop = SharedLoop(threads: borrowed.count + 1)
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

/// The shared state of the threads: the body of the current loop, and for each thread a range of its parts, with the
/// first one that has not been taken.
///
/// A thread takes the parts of its own range before those of others. So where loops follow each other that divide
/// their work alike, as layers of a network do with their rows, it finds most of what it reads in its own cache.
///
/// A thread takes a part by incrementing a ticket from a value that it has read before it read the body. The body
/// changes only together with the loop number in all tickets, and only when every part is done. So a thread whose
/// increment succeeds has the right body; a delayed thread is harmless, and no one waits for it.
private final class SharedLoop: Sendable {
    private typealias Body = @Sendable (Int, Int) -> Void

    private let threads: Int
    /// The tickets of the threads, each in lines of the cache of its own, then the number of parts that are done. A
    /// ticket has the number of the loop in the upper half, the next part in the lower.
    private nonisolated(unsafe) let memory: UnsafeMutableRawPointer
    private static let spacing = 128
    private static let closed: UInt64 = 0xFFFF_FFFF
    private static let over = UInt64.max

    private let parts = Atomic<Int>(0)
    /// The address of the loop's closure.
    private let body = Atomic<UInt>(0)
    private let joined = Atomic<Int>(0)

    init(threads: Int) {
        self.threads = threads
        memory = .allocate(byteCount: (threads + 1) * Self.spacing, alignment: Self.spacing)
        for index in 0...threads {
            (memory + index * Self.spacing).initializeMemory(as: Atomic<UInt64>.self, to: Atomic(Self.closed))
        }
    }

    deinit { memory.deallocate() }

    private func ticket(_ thread: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        (memory + thread * Self.spacing).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    private var done: UnsafeMutablePointer<Atomic<UInt64>> { ticket(threads) }

    func run(_ parts: Int, _ body: @Sendable (Int, Int) -> Void) {
        withoutActuallyEscaping(body) { escapable in
            withUnsafePointer(to: escapable) { pointer in
                // While body and parts change, no ticket admits a thread.
                let loop = (ticket(0).pointee.load(ordering: .relaxed) >> 32) &+ 1
                for thread in 0..<threads {
                    ticket(thread).pointee.store(loop << 32 | Self.closed, ordering: .releasing)
                }
                done.pointee.store(0, ordering: .relaxed)
                self.body.store(UInt(bitPattern: pointer), ordering: .releasing)
                self.parts.store(parts, ordering: .releasing)
                for thread in (0..<threads).reversed() {
                    let first = UInt64(thread * parts / threads)
                    ticket(thread).pointee.store((loop &+ 1) << 32 | first, ordering: .releasing)
                }
                takeParts(worker: 0)
                var spins = 0
                while done.pointee.load(ordering: .acquiring) != UInt64(parts) { SpinWait.pause(&spins) }
            }
        }
    }

    /// Runs parts until none is left.
    private func takeParts(worker: Int) {
        for offset in 0..<threads {
            let owner = worker + offset < threads ? worker + offset : worker + offset - threads
            while takePart(of: owner, worker: worker) {}
        }
    }

    /// Runs one part of a thread's range; returns false if none is left.
    private func takePart(of owner: Int, worker: Int) -> Bool {
        let ticket = ticket(owner)
        var seen = ticket.pointee.load(ordering: .acquiring)
        while true {
            let parts = parts.load(ordering: .acquiring)
            let pointer = UnsafeRawPointer(bitPattern: body.load(ordering: .acquiring))
            let part = Int(seen & Self.closed)
            guard part < (owner + 1) * parts / threads, let pointer else { return false }
            let (taken, now) = ticket.pointee.weakCompareExchange(
                expected: seen, desired: seen &+ 1, successOrdering: .acquiringAndReleasing,
                failureOrdering: .acquiring)
            if taken {
                pointer.load(as: Body.self)(part, worker)
                done.pointee.wrappingAdd(1, ordering: .acquiringAndReleasing)
                return true
            }
            seen = now
        }
    }

    /// Takes parts on a borrowed thread until the run is over.
    func serve() {
        let worker = joined.wrappingAdd(1, ordering: .relaxed).oldValue + 1
        let ticket = ticket(worker)
        var finished = Self.over
        var spins = 0
        while true {
            let seen = ticket.pointee.load(ordering: .acquiring)
            if seen == Self.over { return }
            // A closed ticket is that of a loop which is being opened: who begins now finds the parts of others first.
            if seen >> 32 == finished || seen & Self.closed == Self.closed {
                SpinWait.pause(&spins)
            } else {
                // The number may change meanwhile: then there is another round.
                takeParts(worker: worker)
                finished = seen >> 32
                spins = 0
            }
        }
    }

    /// Makes the borrowed threads leave, without waiting for them.
    func dismiss() {
        for thread in 0..<threads { ticket(thread).pointee.store(Self.over, ordering: .releasing) }
    }
}
