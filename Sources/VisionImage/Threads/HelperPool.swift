import Foundation
import Synchronization

/// The threads that everything in the process shares out its work with: performs their lanes, networks their rows.
///
/// There is one less than the processors, as who asks has a thread of its own. So whatever happens at the same time, no
/// more threads are at work than that and those that ask; where none is idle, who asks does all by itself.
package final class HelperPool: Sendable {
    package static let shared = HelperPool()

    /// Of more than this a process with these processors has no use.
    package static let useful = max(ProcessInfo.processInfo.activeProcessorCount - 1, 0)

    private struct State {
        var idle: [Helper] = []
        var made = 0
    }

    private let state = Locked(State())

    package init() {}

    /// Lends idle threads, some or none; each has to be given back.
    ///
    /// - Parameter wanted: More than are useful are only made when somebody wants so many.
    package func borrow(_ wanted: Int) -> [Helper] {
        guard wanted > 0 else { return [] }
        return state.withLock { state in
            while state.idle.count < wanted, state.made < max(Self.useful, wanted) {
                state.idle.append(Helper())
                state.made += 1
            }
            let taken = min(wanted, state.idle.count)
            defer { state.idle.removeLast(taken) }
            return Array(state.idle.suffix(taken))
        }
    }

    package func giveBack(_ helpers: [Helper]) {
        state.withLock { $0.idle.append(contentsOf: helpers) }
    }
}
