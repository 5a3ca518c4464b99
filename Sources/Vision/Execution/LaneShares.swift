import Foundation
import Synchronization
import VisionImage

/// Which lanes of a perform which thread works on.
///
/// Each thread has a share of its own, lanes that follow each other, so that from frame to frame a tracker's memory stays
/// in the cache of one core. A thread that has done with its share takes from the end of what the others have left, most
/// from the one that is furthest behind: one that is late, or never comes, holds up nothing.
///
/// Threads may come before it is known what there is to do. Who waits stays awake for a moment, as it mostly is a moment.
final class LaneShares: @unchecked Sendable {
    // Unchecked: `first` and `shares` are reached under the lock of `condition` only.
    private let condition = NSCondition()
    private var first = 0..<0
    private var shares: [Range<Int>]
    private let isOpen = Atomic(false)
    private let unfinished = Atomic(0)

    /// Nobody gets a lane before they are opened.
    init(threads: Int) { shares = [Range<Int>](repeating: 0..<0, count: threads) }

    /// - Parameter first: So many works come before the lanes, whose numbers follow theirs: nobody gets a lane before all of
    ///   them are taken.
    convenience init(first: Int = 0, lanes: Int, threads: Int) {
        self.init(threads: threads)
        open(first: first, lanes: lanes)
    }

    /// The share of each thread.
    static func shares(of lanes: Int, threads: Int) -> [Range<Int>] {
        (0..<threads).map { lanes * $0 / threads..<lanes * ($0 + 1) / threads }
    }

    /// Says what there is to do. Called once.
    func open(first: Int = 0, lanes: Int) {
        condition.lock()
        self.first = 0..<first
        shares = Self.shares(of: lanes, threads: shares.count).map { first + $0.lowerBound..<first + $0.upperBound }
        unfinished.store(first + lanes, ordering: .relaxed)
        isOpen.store(true, ordering: .releasing)
        condition.broadcast()
        condition.unlock()
    }

    /// The next lane for a thread; nil when all are taken. Waits until they are opened.
    func take(_ thread: Int) -> Int? {
        wait { isOpen.load(ordering: .acquiring) }
        condition.lock()
        defer { condition.unlock() }
        if !first.isEmpty { return first.removeFirst() }
        if let lane = shares[thread].first {
            shares[thread] = lane + 1..<shares[thread].upperBound
            return lane
        }
        guard let behind = shares.indices.max(by: { shares[$0].count < shares[$1].count }),
            let lane = shares[behind].last
        else { return nil }
        shares[behind] = shares[behind].lowerBound..<lane
        return lane
    }

    /// Says that a lane which was taken is done.
    func finish() {
        guard unfinished.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    /// Returns when all lanes are done.
    func wait() { wait { unfinished.load(ordering: .acquiring) == 0 } }

    private func wait(until isDone: () -> Bool) {
        guard !Awake.wait(until: isDone) else { return }
        condition.lock()
        while !isDone() { condition.wait() }
        condition.unlock()
    }
}
