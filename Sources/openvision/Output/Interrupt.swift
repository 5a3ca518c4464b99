import Dispatch
import Foundation

/// Turns the first Ctrl-C into a request to stop after the current frame, so that videos and tables are ended properly.
/// A second one ends the program as usual.
final class Interrupt: @unchecked Sendable {
    // Unchecked: `source` is set before the signal can come and never again; `requested` is behind the lock.

    /// The exit code of a program that was stopped by Ctrl-C, as shells have it.
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
