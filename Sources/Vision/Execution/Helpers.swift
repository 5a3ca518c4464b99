import VisionImage

import Dispatch

/// Threads of the system's pool that are called to help with something, and may come or not.
///
/// Where all of the pool is busy nobody comes. So that calls do not pile up then, no more are made than a few for each
/// thread, and a call that is answered too late holds on to nothing.
final class Helpers: Sendable {
    private typealias Help = @Sendable (_ thread: Int) -> Void

    /// Calls of all performs that no thread has answered yet.
    private static let unanswered = Locked(0)
    private static let mostUnanswered = 4

    private let help: Locked<Help?>

    /// Calls threads 1 ... count.
    init(count: Int, _ help: @escaping @Sendable (_ thread: Int) -> Void) {
        self.help = Locked(help)
        for thread in 1..<(count + 1) {
            let isCalled = Self.unanswered.withLock { unanswered in
                guard unanswered < count * Self.mostUnanswered else { return false }
                unanswered += 1
                return true
            }
            guard isCalled else { return }
            DispatchQueue.global().async {
                Self.unanswered.withLock { $0 -= 1 }
                self.help.current?(thread)
            }
        }
    }

    /// Says that no more help is wanted.
    func dismiss() { help.current = nil }
}
