import Synchronization

/// Bounds the bytes of all bodies that are in memory.
final class ByteBudget: Sendable {
    /// Bytes that one body has taken; they are given back when it is released.
    final class Share: Sendable {
        private let budget: ByteBudget
        private let taken = Mutex(0)

        fileprivate init(_ budget: ByteBudget) { self.budget = budget }

        deinit { budget.giveBack(taken.withLock { $0 }) }

        /// Takes more bytes; false if there is no room for them.
        func grow(by count: Int) -> Bool {
            guard budget.take(count) else { return false }
            taken.withLock { $0 += count }
            return true
        }
    }

    private let limit: Int
    private let used = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// The bytes in use.
    var inUse: Int { used.withLock { $0 } }

    func makeShare() -> Share { Share(self) }

    private func take(_ count: Int) -> Bool {
        used.withLock { used in
            guard count <= limit - used else { return false }
            used += count
            return true
        }
    }

    private func giveBack(_ count: Int) { used.withLock { $0 -= count } }
}
