public import Hummingbird
public import NIOCore
import Synchronization

/// A context of requests that knows the connection, so that a request whose client has gone can be cancelled.
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

/// The client of a request has closed the connection.
struct ClientHasGone: Error {}

/// Tells when the client of a connection closes it.
///
/// Hummingbird reads on while a request is answered, and says nothing about the end of the input: the client may have
/// closed its side only. Such clients are rare; those that have gone are not.
private final class ClosingHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = NIOAny

    let closed: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation

    init() { (closed, end) = AsyncStream.makeStream() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { end.finish() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end.finish()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end.finish() }
}

/// Runs an operation for a client; cancels it when its time is up, or when the client goes away.
///
/// - Parameter connection: The connection of the client; nil where it is not known.
/// - Throws: `TimeIsUp`, `ClientHasGone`, the error of the operation.
func runWhileWanted<Result: Sendable>(
    limit: Duration, _ connection: (any Channel)?, _ operation: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    guard let connection else { return try await withTimeLimit(limit, operation) }
    let handler = ClosingHandler()
    do {
        // At the front, where events come in.
        try await connection.pipeline.addHandler(handler, position: .first).get()
    } catch {
        throw ClientHasGone()
    }
    defer { connection.pipeline.removeHandler(handler, promise: nil) }
    return try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await withTimeLimit(limit, operation) }
        group.addTask {
            for await _ in handler.closed {}
            // The stream ends for a cancelled task as well.
            try Task.checkCancellation()
            return nil
        }
        defer { group.cancelAll() }
        guard let result = try await group.next() ?? nil else { throw ClientHasGone() }
        return result
    }
}
