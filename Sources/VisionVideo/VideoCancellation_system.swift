import CVisionVideo

/// Ends the calls on a decoder from any thread.
package final class VideoCancellation: @unchecked Sendable {
    // Unchecked: the flag is atomic, on the side of C and in Swift behind a lock.
    let pointer: OpaquePointer?
    private let lock = NSLock()
    private var wasCancelled = false

    package init() { pointer = cvv_cancellation_create() }

    deinit { cvv_cancellation_free(pointer) }

    package var isCancelled: Bool { lock.withLock { wasCancelled } }

    package func cancel() {
        lock.withLock { wasCancelled = true }
        if let pointer { cvv_cancel(pointer) }
    }
}
