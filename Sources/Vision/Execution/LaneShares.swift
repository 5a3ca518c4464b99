import Foundation
import Synchronization
import VisionImage

/// Which lanes of a perform which thread works on.
///
/// Each thread has a share of its own, lanes that follow each other, so that from frame to frame a tracker's memory stays
/// in the cache of one core. A thread that has done with its share takes from the end of what the others have left, most
/// from the one that is furthest behind: one that is late, or never comes, holds up nothing.
final class LaneShares: @unchecked Sendable {
    // Unchecked: `first` and `shares` are reached under the lock of `condition` only.
    private let condition = NSCondition()
    private var first: Range<Int>
    private var shares: [Range<Int>]
    private let unfinished: Atomic<Int>

    /// Others are in their last lane when one waits for the end, and lanes mostly take some tenths of a millisecond.
    private static let patience = Duration.microseconds(500)

    /// - Parameter first: So many works come before the lanes, whose numbers follow theirs: nobody gets a lane before all of
    ///   them are taken.
    init(first: Int = 0, lanes: Int, threads: Int) {
        self.first = 0..<first
        shares = Self.shares(of: lanes, threads: threads).map { first + $0.lowerBound..<first + $0.upperBound }
        unfinished = Atomic(first + lanes)
    }

    /// The share of each thread.
    static func shares(of lanes: Int, threads: Int) -> [Range<Int>] {
        (0..<threads).map { lanes * $0 / threads..<lanes * ($0 + 1) / threads }
    }

    /// The next lane for a thread; nil when all are taken.
    func take(_ thread: Int) -> Int? {
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
    func wait() {
        guard !Awake.wait(for: Self.patience, until: { isDone }) else { return }
        condition.lock()
        while !isDone { condition.wait() }
        condition.unlock()
    }

    private var isDone: Bool { unfinished.load(ordering: .acquiring) == 0 }
}
