import Dispatch
import Foundation

/// Handles the first Ctrl-C as a request to stop after the current frame, so that videos and tables are completed. The
/// second one ends the program as usual.
final class Interrupt: @unchecked Sendable {
    // Unchecked: `source` is set once, before the signal can arrive; `requested` is guarded by the lock.

    /// The exit code that shells report for a program that Ctrl-C stopped.
    static let exitCode: Int32 = 130

    private let mutex = NSLock()
    private var requested = false
    private let source: any DispatchSourceSignal

    init() {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { [weak self] in
            signal(SIGINT, SIG_DFL)
            self?.request()
        }
        source.resume()
    }

    deinit {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }

    var isRequested: Bool { mutex.withLock { requested } }

    private func request() { mutex.withLock { requested = true } }
}
