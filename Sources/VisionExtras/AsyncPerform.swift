public import Vision

// Performing blocks its thread, often for longer than a task may hold a thread of Swift's cooperative pool. These
// functions perform on a thread of OpenVision's pool and let the task wait without blocking one. Their name differs
// from `perform` so that `try handler.perform(…)` keeps its meaning in async functions.

extension VNImageRequestHandler {
    /// Performs the requests on another thread and waits without blocking.
    ///
    /// Cancelling the task cancels the requests. Completion handlers are called on the other thread. The requests must
    /// not be used until the call returns, except to cancel them.
    ///
    /// - Throws: The errors of `perform(_:)`.
    public func performAsync(_ requests: [VNRequest], isolation: isolated (any Actor)? = #isolation) async throws {
        try await performDetached(requests, pixels: { self.pixelCount }, isolation: isolation) { try self.perform($0) }
    }
}

extension VNSequenceRequestHandler {
    /// Performs the requests on a frame on another thread and waits without blocking.
    ///
    /// Cancelling the task cancels the requests. Completion handlers are called on the other thread. The requests must
    /// not be used until the call returns, except to cancel them, and the frame must not be written to.
    ///
    /// - Parameters:
    ///   - requests: The requests.
    ///   - pixelBuffer: The frame.
    ///   - orientation: Its orientation.
    /// - Throws: The errors of `perform(_:on:orientation:)`.
    public func performAsync(
        _ requests: [VNRequest], on pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation = .up,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let pixels = CVPixelBufferGetWidth(pixelBuffer) * CVPixelBufferGetHeight(pixelBuffer)
        try await performDetached(requests, pixels: { pixels }, isolation: isolation) {
            try self.perform($0, on: pixelBuffer, orientation: orientation)
        }
    }

    /// Performs the requests on an image on another thread and waits without blocking, as for a pixel buffer.
    public func performAsync(
        _ requests: [VNRequest], on image: CGImage, orientation: CGImagePropertyOrientation = .up,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await performDetached(requests, pixels: { image.width * image.height }, isolation: isolation) {
            try self.perform($0, on: image, orientation: orientation)
        }
    }
}

/// Transfers requests to the thread that performs them.
private struct RequestTransfer: @unchecked Sendable {
    // Unchecked: the caller waits until the performing thread has released them; `cancel()` is safe from any thread.
    let requests: [VNRequest]
}

private func performDetached(
    _ requests: [VNRequest], pixels: @escaping @Sendable () -> Int, isolation: isolated (any Actor)?,
    _ perform: @escaping @Sendable ([VNRequest]) throws -> Void
) async throws {
    let transfer = RequestTransfer(requests: requests)
    try Task.checkCancellation()
    let detached = DetachedPerform()
    // While the perform waits for its turn, it can be cancelled already.
    let announcement = detached.announce(requests)
    try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation(isolation: isolation) {
            (continuation: CheckedContinuation<Void, any Error>) in
            detached.start(pixels: pixels) {
                let result = Result { try perform(transfer.requests) }
                announcement.withdraw()
                continuation.resume(with: result)
            }
        }
    } onCancel: {
        for request in transfer.requests { request.cancel() }
        detached.cancel()
    }
}
