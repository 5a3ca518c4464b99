import Foundation

/// Decodes on a thread of its own, a few frames ahead of the tasks that take them.
final class FrameBuffer: @unchecked Sendable {
    // Unchecked: `condition` guards what changes. The decoder is used by the thread alone.
    private let condition = NSCondition()
    private let decoder: VideoDecoder
    private let cancellation: VideoCancellation
    private let capacity: Int
    private let discardsLateFrames: Bool

    private var frames: [VideoFrame] = []
    private var waiting: [CheckedContinuation<VideoFrame?, any Error>] = []
    private var hasStarted = false
    private var isStopped = false
    private var discarded = 0
    private var currentWarnings: [String] = []
    /// How the video ended; nil while it goes on.
    private var end: Result<Void, any Error>?

    /// - Parameter discardsLateFrames: Whether the thread goes on while no task takes frames, and keeps the newest
    ///   only.
    init(_ decoder: VideoDecoder, _ cancellation: VideoCancellation, discardsLateFrames: Bool) {
        self.decoder = decoder
        self.cancellation = cancellation
        self.discardsLateFrames = discardsLateFrames
        capacity = discardsLateFrames ? 1 : 2
    }

    var discardedFrameCount: Int { condition.withLock { discarded } }
    var warnings: [String] { condition.withLock { currentWarnings } }

    /// Returns the next frame, nil after the last; a task that is cancelled ends the video.
    func next() async throws -> VideoFrame? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation(take)
        } onCancel: {
            stop()
        }
    }

    private func take(_ continuation: CheckedContinuation<VideoFrame?, any Error>) {
        condition.lock()
        defer { condition.unlock() }
        if isStopped { return continuation.resume(throwing: CancellationError()) }
        if !frames.isEmpty {
            let frame = frames.removeFirst()
            condition.signal()
            return continuation.resume(returning: frame)
        }
        if let end {
            // The error is thrown once; after that the sequence is over.
            self.end = .success(())
            return continuation.resume(with: end.map { nil })
        }
        waiting.append(continuation)
        guard !hasStarted else { return }
        hasStarted = true
        // It blocks on networks, so no thread of a pool runs it.
        Thread { [self] in decode() }.start()
    }

    /// Ends the video and everything that waits for it.
    func stop() {
        condition.lock()
        isStopped = true
        frames = []
        let left = waiting
        waiting = []
        condition.broadcast()
        condition.unlock()
        // Only now: the thread would tell those that wait that the video failed.
        cancellation.cancel()
        for continuation in left { continuation.resume(throwing: CancellationError()) }
    }

    private func decode() {
        var number = 0
        do {
            while let buffer = try decoder.next() {
                let frame = VideoFrame(
                    pixelBuffer: buffer, seconds: decoder.currentTime, number: number, format: decoder.format)
                number += 1
                guard deposit(frame) else { return }
            }
            finish(.success(()))
        } catch {
            finish(.failure(error))
        }
    }

    /// Hands a frame over, after waiting for room. Returns false once the video was stopped.
    private func deposit(_ frame: VideoFrame) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while frames.count >= capacity, !isStopped, !discardsLateFrames { condition.wait() }
        guard !isStopped else { return false }
        if !waiting.isEmpty {
            waiting.removeFirst().resume(returning: frame)
        } else {
            if frames.count >= capacity {
                frames.removeFirst()
                discarded += 1
            }
            frames.append(frame)
        }
        return true
    }

    private func finish(_ result: Result<Void, any Error>) {
        condition.lock()
        currentWarnings = decoder.warnings
        let left = waiting
        waiting = []
        end = left.isEmpty ? result : .success(())
        condition.unlock()
        for (index, continuation) in left.enumerated() {
            // One task gets the error, the others see the end.
            continuation.resume(with: index == 0 ? result.map { nil } : .success(nil))
        }
    }
}
