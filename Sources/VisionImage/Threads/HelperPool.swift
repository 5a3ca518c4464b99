/// The threads that everything in the process shares out its work with: performs their lanes, networks their rows.
///
/// There are two levels of work, and for each as many threads as the processors less one, as who asks has a thread of its
/// own. Where none is to be had, who asks does all by itself.
package final class HelperPool: Sendable {
    package static let shared = HelperPool()

    /// Of more than this a process with these processors has no use.
    package static let useful = Processors.count - 1
    /// Threads stay for good: whatever is wanted, no more than this, or than are useful, are lent for a level.
    package static let most = 64

    /// What threads are lent for.
    package enum Level: Int, CaseIterable, Sendable {
        /// Whole works. One may wait for what another one makes, and one may be short and another long; so they leave the
        /// other level its threads.
        case works
        /// Parts of one work, which neither wait nor ask for threads.
        case parts
    }

    private struct State {
        /// Who has been lent last is the last, and perhaps still awake.
        var idle: [Helper] = []
        var lent = [Int](repeating: 0, count: Level.allCases.count)
    }

    private let state = Locked(State())

    package init() {}

    /// Lends threads, some or none; each has to be given back.
    ///
    /// - Parameter wanted: More than are useful are only lent when somebody wants so many, and then `most`.
    package func borrow(_ wanted: Int, for level: Level) -> [Helper] {
        guard wanted > 0 else { return [] }
        return state.withLock { state in
            let taken = min(wanted, max(Self.useful, min(wanted, Self.most)) - state.lent[level.rawValue])
            guard taken > 0 else { return [] }
            while state.idle.count < taken { state.idle.insert(Helper(), at: 0) }
            state.lent[level.rawValue] += taken
            defer { state.idle.removeLast(taken) }
            return Array(state.idle.suffix(taken))
        }
    }

    package func giveBack(_ helpers: [Helper], from level: Level) {
        state.withLock { state in
            state.lent[level.rawValue] -= helpers.count
            state.idle.append(contentsOf: helpers)
        }
    }
}
