public import Hummingbird
public import NIOCore
import Synchronization

/// A request context that knows the connection, so that a request whose client disconnects can be cancelled.
public protocol ConnectionRequestContext: RequestContext {
    /// The connection of the request; nil where there is none, as in tests of a router.
    var connection: (any Channel)? { get }
}

/// The context of the service's own router.
public struct ServiceRequestContext: ConnectionRequestContext {
    /// What Hummingbird keeps for each request.
    public var coreContext: CoreRequestContextStorage
    /// The connection of the request.
    public let connection: (any Channel)?

    /// Creates the context of a request.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        connection = source.channel
    }
}

/// The client of a request closed the connection.
struct ClientDisconnected: Error {}

/// Notices when the client of a connection closes it.
///
/// Hummingbird reads on while a request is answered, and reports nothing at the end of the input: the client may have
/// closed only its sending side. Such clients are rare; those that disconnect are not. The end of the input is reported
/// once, often together with the last bytes of the body, so the handler stays in the pipeline and remembers it.
final class DisconnectionHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = NIOAny

    private struct State {
        var isDisconnected = false
        var last = 0
        var streams: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Returns the handler of a connection. Where the server did not add it, it is added now, and sees only what comes
    /// later.
    ///
    /// - Throws: `ClientDisconnected` for a connection that is closed.
    static func find(in connection: any Channel) async throws -> DisconnectionHandler {
        do {
            return try await connection.eventLoop.submit {
                let pipeline = connection.pipeline.syncOperations
                if let handler = try? pipeline.handler(type: DisconnectionHandler.self) { return handler }
                let handler = DisconnectionHandler()
                // At the front, where events come in.
                try pipeline.addHandler(handler, position: .first)
                return handler
            }.get()
        } catch {
            throw ClientDisconnected()
        }
    }

    /// A stream that ends when the client disconnects; at once if it already has.
    var disconnection: AsyncStream<Void> {
        let (stream, end) = AsyncStream<Void>.makeStream()
        let number = state.withLock { state -> Int? in
            guard !state.isDisconnected else { return nil }
            state.last += 1
            state.streams[state.last] = end
            return state.last
        }
        guard let number else {
            end.finish()
            return stream
        }
        end.onTermination = { [self] _ in state.withLock { _ = $0.streams.removeValue(forKey: number) } }
        return stream
    }

    private func disconnect() {
        let streams = state.withLock { state in
            state.isDisconnected = true
            defer { state.streams = [:] }
            return state.streams
        }
        // Outside the lock, because the end of a stream takes it.
        for stream in streams.values { stream.finish() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { disconnect() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        disconnect()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { disconnect() }
}

/// Runs an operation for a client; cancels it when the client disconnects.
///
/// - Parameter connection: The connection of the client; nil where it is not known.
/// - Throws: `ClientDisconnected`, the error of the operation.
func withClientCancellation<Result: Sendable>(
    of connection: (any Channel)?, _ operation: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    guard let connection else { return try await operation() }
    let handler = try await DisconnectionHandler.find(in: connection)
    return try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await operation() }
        group.addTask {
            for await _ in handler.disconnection {}
            // The stream ends for a cancelled task as well.
            try Task.checkCancellation()
            return nil
        }
        defer { group.cancelAll() }
        guard let result = try await group.next() ?? nil else { throw ClientDisconnected() }
        return result
    }
}
