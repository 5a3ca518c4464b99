import VisionImage

/// Which lanes of a perform which thread works on.
///
/// Each thread has a share of its own, lanes that follow each other, so that from frame to frame a tracker's memory stays
/// in the cache of one core. A thread that has done with its share takes from the end of what the others have left, most
/// from the one that is furthest behind: one that is late, or never comes, holds up nothing.
final class LaneShares: Sendable {
    private struct State {
        var first: Range<Int>
        var shares: [Range<Int>]
    }

    private let state: Locked<State>

    /// - Parameter first: So many works come before the lanes, whose numbers follow theirs: nobody gets a lane before all of
    ///   them are taken.
    init(first: Int = 0, lanes: Int, threads: Int) {
        let shares = Self.shares(of: lanes, threads: threads).map { first + $0.lowerBound..<first + $0.upperBound }
        state = Locked(State(first: 0..<first, shares: shares))
    }

    /// The share of each thread.
    static func shares(of lanes: Int, threads: Int) -> [Range<Int>] {
        (0..<threads).map { lanes * $0 / threads..<lanes * ($0 + 1) / threads }
    }

    /// The next lane for a thread; nil when all are taken.
    func take(_ thread: Int) -> Int? {
        state.withLock { state in
            if !state.first.isEmpty { return state.first.removeFirst() }
            if let lane = state.shares[thread].first {
                state.shares[thread].removeFirst()
                return lane
            }
            guard let behind = state.shares.indices.max(by: { state.shares[$0].count < state.shares[$1].count }),
                let lane = state.shares[behind].last
            else { return nil }
            state.shares[behind].removeLast()
            return lane
        }
    }
}
