import Foundation

/// A value behind a lock.
package final class Locked<Value>: @unchecked Sendable {
    // Unchecked: the lock guards the value.
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Runs a closure while the lock is held.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// A copy of the value; setting it replaces the value as a whole.
    package var current: Value {
        get { withLock { $0 } }
        set { withLock { $0 = newValue } }
    }
}
