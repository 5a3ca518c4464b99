package import Foundation

/// A named pipe that nobody writes to, where a file is expected: whoever opens it without care waits for ever.
package struct NamedPipe: Sendable {
    package let url: URL

    /// Makes the pipe; a file of that name is replaced.
    package init(at url: URL) throws {
        self.url = url
        unlink(url.path)
        guard mkfifo(url.path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Somebody opened the pipe and waited.
    package struct Waited: Error {}

    /// What `body` throws; nil when it throws nothing, `Waited` when it has not come back after 20 seconds.
    package func error(of body: @escaping @Sendable () throws -> Void) -> (any Error)? {
        let outcome = Outcome()
        let thread = Thread {
            let result = Result { try body() }
            if case .failure(let error) = result { outcome.error = error }
            outcome.isDone.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
        if outcome.isDone.wait(timeout: .now() + 20) == .timedOut {
            // Whoever waits gets an empty file, and goes on.
            close(open(url.path, O_RDWR | O_NONBLOCK))
            return Waited()
        }
        return outcome.error
    }

    private final class Outcome: @unchecked Sendable {
        // Unchecked: the error is read after the semaphore only.
        let isDone = DispatchSemaphore(value: 0)
        var error: (any Error)?
    }
}
