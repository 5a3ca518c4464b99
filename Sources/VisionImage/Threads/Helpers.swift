import Dispatch
import Synchronization

/// Threads of the process's pool that one piece of work is shared out to: none where others have them all.
package struct Helpers {
    private let helpers: [Helper]
    private let level: HelperPool.Level

    /// Borrows up to `most` threads, and wakes them up for what they will be called to do in a moment.
    package init(most: Int, for level: HelperPool.Level) {
        self.level = level
        helpers = HelperPool.shared.borrow(most, for: level)
        for helper in helpers { helper.call {} }
    }

    package var count: Int { helpers.count }

    /// Gives them back without having called them.
    package func giveBack() { HelperPool.shared.giveBack(helpers, from: level) }

    /// Does something on the caller's thread, which has number 0, and on these, 1 ... `count`, and gives them back.
    ///
    /// Returns when all that have begun are done. One that comes when the caller has done does not begin: so `body` must
    /// take its work from where the others take theirs, until nothing is left.
    package func run(_ body: @escaping @Sendable (_ thread: Int) -> Void) {
        let gate = Gate(body)
        for (index, helper) in helpers.enumerated() {
            helper.call { [level] in
                gate.enter(index + 1)
                HelperPool.shared.giveBack([helper], from: level)
            }
        }
        body(0)
        gate.close()
    }

    /// Lets threads begin until it is closed. Those that come later find that it holds on to nothing.
    private final class Gate: Sendable {
        private let body: Locked<(@Sendable (Int) -> Void)?>
        private let active = Atomic(0)
        private let group = DispatchGroup()
        /// Mostly some tenths of a millisecond are left to do when one has nothing to do any longer.
        private static let patience = Duration.microseconds(500)

        init(_ body: @escaping @Sendable (Int) -> Void) { self.body = Locked(body) }

        func enter(_ thread: Int) {
            let body = body.withLock { body in
                if body != nil {
                    group.enter()
                    active.add(1, ordering: .relaxed)
                }
                return body
            }
            guard let body else { return }
            body(thread)
            active.subtract(1, ordering: .releasing)
            group.leave()
        }

        /// Waits for those that have begun.
        func close() {
            body.withLock { $0 = nil }
            if !Awake.wait(for: Self.patience, until: { active.load(ordering: .acquiring) == 0 }) { group.wait() }
        }
    }
}
