import Hummingbird
import NIOCore
import Synchronization

/// A body that notes when it has been read to its end.
struct ObservedBody: AsyncSequence, Sendable {
    /// Whether a body has been read to its end.
    final class Progress: Sendable {
        private let ended = Atomic(false)

        var isAtEnd: Bool { ended.load(ordering: .acquiring) }

        fileprivate func end() { ended.store(true, ordering: .releasing) }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var parts: RequestBody.AsyncIterator
        fileprivate let progress: Progress

        mutating func next() async throws -> ByteBuffer? {
            let part = try await parts.next()
            // For a cancelled task the parts end early.
            if part == nil, !Task.isCancelled { progress.end() }
            return part
        }
    }

    let body: RequestBody
    let progress: Progress

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(parts: body.makeAsyncIterator(), progress: progress) }
}
