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
        let exchange = Exchange(request, context.logger, context.id, route: route.path)
        var context = context
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
        } catch is ClientHasGone {
            // Nobody reads it.
            response = Response(status: HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"))
        } catch {
            response = try exchange.response(to: error, request, context)
        }
        exchange.finish(&response, context, service.metrics)
        return response
    }
}

/// Answers what no route does, in the form of the service's errors.
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
            let exchange = Exchange(request, context.logger, context.id, route: "other")
            let methods = Set(service.routes.filter { $0.matches(request.uri.path) }.map(\.method.rawValue))
            var response = try exchange.response(
                to: methods.isEmpty
                    ? error
                    : ServiceError(
                        .methodNotAllowed, "This address allows \(methods.sorted().joined(separator: ", ")) only.",
                        headers: [.allow: methods.sorted().joined(separator: ", ")]),
                request, context)
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
    /// Bodies up to 4 MiB are read although they are refused.
    private static let shortBody = 4 << 20
    private static let requestID = HTTPField.Name("X-Request-Id")

    let logger: Logger
    private let id: String
    private let route: String
    private let method: String
    private let start = ContinuousClock.now
    /// Whether reading the rest of a refused body, to find the next request, would be a waste.
    private let hasLongBody: Bool

    init(_ request: Request, _ logger: Logger, _ id: String, route: String) {
        // A proxy's own number, so that both logs have the same.
        let given = Self.requestID.flatMap { request.headers[$0] }
        self.id = given.flatMap { ServiceConfiguration.isModelName($0) ? $0 : nil } ?? id
        self.route = route
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        hasLongBody = length > Self.shortBody || request.headers[.transferEncoding] != nil
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
        if response.status.kind != .successful, hasLongBody { endConnection(context, &response) }
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
