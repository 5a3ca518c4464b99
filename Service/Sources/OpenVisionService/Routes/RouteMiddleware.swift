import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// What each route does before and after its answer: it checks the token, turns errors into answers, counts and logs.
struct RouteMiddleware<Context: RequestContext>: RouterMiddleware {
    let service: AnalysisService
    let route: ServiceRoute

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var (request, context) = (request, context)
        let exchange = Exchange(&request, context.logger, context.id, route: route.path)
        context.logger = exchange.logger
        var response: Response
        do {
            if route.needsToken, let token = service.configuration.token,
                !token.matches(request.headers[.authorization])
            {
                throw ServiceError(
                    .unauthorized, "The request needs a valid token: Authorization: Bearer …",
                    headers: [.wwwAuthenticate: "Bearer"])
            }
            response = try await next(request, context)
        } catch is ClientDisconnected {
            // Nobody reads it.
            response = Response(status: HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"))
        } catch {
            response = try exchange.response(to: error, request, context)
        }
        exchange.finish(&response, context, service.metrics)
        return response
    }
}

/// Answers requests that match no route, with the service's error format.
struct FallbackMiddleware: RouterMiddleware {
    typealias Context = ServiceRequestContext

    let service: AnalysisService

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            // Routes have caught theirs.
            var request = request
            let exchange = Exchange(&request, context.logger, context.id, route: "other")
            let path = request.uri.path
            var methods = Set(service.routes.filter { $0.matches(path) }.map(\.method.rawValue))
            if methods.contains("GET") { methods.insert("HEAD") }
            let allowed = methods.sorted().joined(separator: ", ")
            var response = try exchange.response(
                to: methods.isEmpty
                    ? error
                    : ServiceError(
                        .methodNotAllowed, "This address allows \(allowed) only.", headers: [.allow: allowed]),
                request, context)
            // A client does not look for a body after the header of such an answer.
            if request.method == .head { response = response.createHeadResponse() }
            exchange.finish(&response, context, service.metrics)
            return response
        }
    }
}

extension ServiceRoute {
    /// Whether a path is one of the route's, whatever the method.
    func matches(_ path: String) -> Bool {
        let (own, given) = (self.path.split(separator: "/"), path.split(separator: "/"))
        return own.count == given.count && zip(own, given).allSatisfy { $0.first == "{" || $0 == $1 }
    }
}

/// A request and its answer, for the log and the metrics.
private struct Exchange {
    private static let requestID = HTTPField.Name("X-Request-Id")

    let logger: Logger
    private let id: String
    private let route: String
    private let method: String
    private let start = ContinuousClock.now
    /// How much of the body was read; nil for a request without one.
    private let body: ObservedBody.Progress?

    init(_ request: inout Request, _ logger: Logger, _ id: String, route: String) {
        // A proxy's own number, so that both logs have the same.
        let given = Self.requestID.flatMap { request.headers[$0] }
        self.id = given.flatMap { ServiceConfiguration.isModelName($0) ? $0 : nil } ?? id
        self.route = route
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        if length > 0 || request.headers[.transferEncoding] != nil {
            let progress = ObservedBody.Progress()
            request.body = RequestBody(asyncSequence: ObservedBody(body: request.body, progress: progress))
            body = progress
        } else {
            body = nil
        }
        method =
            ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].contains(request.method.rawValue)
            ? request.method.rawValue : "other"
        var logger = logger
        logger[metadataKey: "hb.request.id"] = "\(self.id)"
        self.logger = logger
    }

    func response(to error: any Error, _ request: Request, _ context: some RequestContext) throws -> Response {
        let answer = ServiceError(error)
        if answer.code == .failed, !(error is ServiceError) {
            logger.error("unexpected error", metadata: ["error": "\(error)"])
        }
        return try answer.response(from: request, context: context)
    }

    func finish(_ response: inout Response, _ context: some RequestContext, _ metrics: ServiceMetrics) {
        let duration = ContinuousClock.now - start
        // Hummingbird would read the rest, to find the next request, for as long as the client sends.
        if let body, !body.isAtEnd { endConnection(context, &response) }
        if let name = Self.requestID { response.headers[name] = id }
        if let name = HTTPField.Name("X-Content-Type-Options") { response.headers[name] = "nosniff" }
        metrics.answered(route: route, method: method, status: response.status.code, after: duration)
        logger.info(
            "answered",
            metadata: [
                "route": "\(route)", "method": "\(method)", "status": "\(response.status.code)",
                "milliseconds": "\((duration / .milliseconds(1) * 10).rounded() / 10)",
            ])
    }

    /// Ends the connection after an answer.
    ///
    /// What arrives in the next seconds is read and dropped, because a connection that is closed on a client that still
    /// sends takes the answer with it.
    private func endConnection(_ context: some RequestContext, _ response: inout Response) {
        response.headers[.connection] = "close"
        guard let channel = (context as? any ConnectionRequestContext)?.connection else { return }
        // The answer is short, and written long before.
        channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
    }
}
