import Foundation
import HTTPTypes
public import Hummingbird
public import HummingbirdCore
import Logging
public import Metrics
import NIOCore
import Synchronization
import Vision
import VisionAnalysis
import VisionPhotos

/// Analyses images over HTTP.
///
/// The service has no server of its own: `addRoutes(to:)` mounts it in an application, `makeRouter()` makes a router of
/// it alone.
///
///     let service = try AnalysisService(ServiceConfiguration())
///     let router = Router(context: ServiceRequestContext.self)
///     service.addRoutes(to: router)
///     try await Application(router: router).runService()
public final class AnalysisService: Sendable {
    let configuration: ServiceConfiguration
    let routes: [ServiceRoute]
    let jobs: JobQueue
    /// Searches share one connection to their database: one that waits for it must not hold a worker.
    let searches: JobQueue
    let metrics: ServiceMetrics
    private let reader: BodyReader
    private let prometheus: PrometheusMetrics?
    private let documents: Documents

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - configuration: What it offers, and its limits.
    ///   - metrics: Where it counts. `PrometheusMetrics` is served at `/metrics`.
    /// - Throws: `ConfigurationError` for a name of a model that is not allowed.
    public init(
        _ configuration: ServiceConfiguration = ServiceConfiguration(),
        metrics: any MetricsFactory = PrometheusMetrics()
    ) throws {
        for name in configuration.models.keys.sorted() { try ServiceConfiguration.check(modelName: name) }
        self.configuration = configuration
        let shown = ServiceMetrics(metrics)
        self.metrics = shown
        prometheus = metrics as? PrometheusMetrics
        let limits = configuration.limits
        jobs = JobQueue(workers: limits.workers, capacity: limits.queue) { shown.show(jobs: $0) }
        searches = JobQueue(workers: 1, capacity: limits.queue) { shown.show(searches: $0) }
        reader = BodyReader(limits: limits, budget: ByteBudget(limit: limits.bodyBytesInFlight))
        routes = ServiceRoute.all(configuration, hasMetrics: prometheus != nil)
        documents = try Documents(routes, configuration)
    }

    /// Accepts no further images, and reports that at `/readyz`; requests whose images are being sent or analysed are
    /// answered. Call this when a shutdown starts.
    public func close() { jobs.close() }

    /// The bytes of bodies that are in memory.
    var bodyBytesInUse: Int { reader.budget.inUse }

    /// Performs requests with a grey image of 64 × 64 pixels, which loads their networks: the first images do not wait
    /// for them.
    ///
    /// - Parameter requests: The names, separated by commas.
    /// - Throws: `AnalysisError` for a name that does not exist, `ConfigurationError` where a network is missing or
    ///   damaged.
    public func prepare(requests: String) async throws {
        let report = try await AnalysisPlan(names: requests).analyze(Self.sample)
        guard report.isComplete else {
            throw ConfigurationError(description: report.reasons.joined(separator: " "))
        }
    }

    /// A grey image of 64 × 64 pixels, as PNG.
    private static let sample =
        Data(
            base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAAAAACPAi4CAAAAKUlEQVR42u3MQREAAA"
                + "wCIKMb3RD77SAA6VEEAoFAIBAIBAKBQCAQfA8G320AeXC6efoAAAAASUVORK5CYII=") ?? Data()

    // MARK: - Routes

    /// Adds the routes of the service to a router, with the middleware that they need.
    ///
    /// Where the context of requests is a `ConnectionRequestContext`, requests whose clients disconnect are cancelled.
    public func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        for route in routes {
            router.group().add(middleware: RouteMiddleware(service: self, route: route))
                .on(route.routerPath, method: route.method) { [self] request, context in
                    try await answer(route, request, context)
                }
        }
    }

    /// Makes a router with the service alone. Other paths and methods are answered with the service's error format.
    public func makeRouter() -> Router<ServiceRequestContext> {
        let router = Router(context: ServiceRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: FallbackMiddleware(service: self))
        addRoutes(to: router)
        return router
    }

    /// Makes the server for an application: HTTP/1.1, with time limits for connections on which nothing arrives.
    public func makeServer() -> HTTPServerBuilder {
        // Later than the limit of bodies, so that a slow one is answered before its connection is closed.
        let idleTime = configuration.limits.bodyTime + .seconds(5)
        return .http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [DisconnectionHandler()], idleTimeout: TimeAmount(idleTime)))
    }

    private func answer(
        _ route: ServiceRoute, _ request: Request, _ context: some RequestContext
    ) async throws -> Response {
        switch route.action {
        case .analyze, .request, .model, .search: try await analyse(route, request, context)
        case .requests: .json(documents.requests)
        case .openAPI: .json(documents.openAPI)
        case .health: .json(documents.health)
        case .ready:
            switch jobs.refusal {
            case nil, .full: .json(documents.ready)
            case .closed: throw Self.closing
            }
        case .metrics:
            Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: prometheus?.text() ?? "")))
        case .page(let name): try page(name)
        }
    }

    private func page(_ name: String) throws -> Response {
        guard let file = PageFile.all.first(where: { $0.name == name }) else {
            throw ServiceError(.notFound, "There is nothing at this address.")
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: file.mediaType, .cacheControl: "no-cache", .contentSecurityPolicy: Self.policy,
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }

    /// The page loads nothing from elsewhere, and is in no frame.
    private static let policy =
        "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; "
        + "form-action 'self'; frame-ancestors 'none'"

    // MARK: - Images

    private static var closing: ServiceError { ServiceError(.closing, "The service is shutting down.") }

    private func analyse(
        _ route: ServiceRoute, _ request: Request, _ context: some RequestContext
    ) async throws -> Response {
        // Before the body, so that a busy service reads no images that it cannot take.
        let admission: JobQueue.Admission
        do {
            admission = try jobs.admit()
        } catch let refusal as JobQueue.Refusal {
            throw Self.error(refusal)
        }
        try Upload.check(request.headers)
        let model = route.action == .model ? try namedModel(context.parameters.get("name")) : nil
        let connection = (context as? any ConnectionRequestContext)?.connection
        let logger = context.logger
        return try await withClientCancellation(of: connection) { [self] in
            var body: BodyReader.Body? = try await reader.read(request) { await request.expectContinue(connection) }
            let upload = try Upload(body?.data ?? Data(), request)
            // Of JSON and forms only the image is needed from here on.
            body?.data = Data()
            let plan = try plan(route, upload, model)
            let report = try await run(plan, upload.image, route, admission)
            body = nil
            return try answer(report, logger)
        }
    }

    /// Analyses an image when its turn comes.
    private func run(
        _ plan: AnalysisPlan, _ image: Data, _ route: ServiceRoute, _ admission: JobQueue.Admission
    ) async throws -> AnalysisReport {
        let limits = configuration.limits
        let job: @Sendable () async throws -> AnalysisReport = { [jobs] in
            try await jobs.run(admission) { try await plan.analyze(image, maximumPixels: limits.pixels) }
        }
        do {
            return try await withTimeLimit(limits.time) { [searches] in
                try await route.action == .search ? searches.run(job) : job()
            }
        } catch is TimeoutError {
            throw ServiceError(.timeout, "The request took longer than \(limits.time.components.seconds) s.")
        } catch let refusal as JobQueue.Refusal {
            throw Self.error(refusal)
        }
    }

    /// Returns the model that a path names, with its name.
    ///
    /// - Throws: `ServiceError` if there is none.
    private func namedModel(_ text: String?) throws -> (name: String, model: VNCoreMLModel) {
        guard let name = text?.removingPercentEncoding, let model = configuration.models[name] else {
            throw ServiceError(.notFound, "There is no model of this name.")
        }
        return (name, model)
    }

    private func plan(
        _ route: ServiceRoute, _ upload: Upload, _ model: (name: String, model: VNCoreMLModel)?
    ) throws -> AnalysisPlan {
        do {
            switch route.action {
            case .request(let name): return try AnalysisPlan(name: name, upload.arguments)
            case .model:
                guard let model else { throw ServiceError(.notFound, "There is no model of this name.") }
                return try AnalysisPlan(model: model.model, name: model.name, upload.arguments)
            case .search:
                guard let index = configuration.index else { throw ServiceError(.notFound, "There is no index.") }
                let options = try SearchOptions(upload.arguments)
                return AnalysisPlan(ofPrint: "search", revision: index.revision) { print in
                    try index.nearest(options.count, to: print, within: options.distance).map(FoundPhoto.init)
                }
            default: return try AnalysisPlan(upload.arguments)
            }
        } catch let error as AnalysisError {
            throw ServiceError(.invalidRequest, error.description)
        }
    }

    /// - Throws: `ServiceError` if nothing of what was asked for could be done.
    private func answer(_ report: AnalysisReport, _ logger: Logger) throws -> Response {
        var report = report
        if let (width, height) = report.imageSize, report.failure != .tooManyPixels {
            metrics.analysed(pixels: width * height)
        }
        if !report.isComplete { logger.info("failed", metadata: ["reason": "\(report.reasons)"]) }
        // What is wrong with the computer is for its log.
        report.replaceMessages { failure in
            switch failure {
            case .invalidImage, .tooManyPixels: nil
            case .cancelled: "The request was cancelled."
            case .missingNetwork: "A network that this needs is not installed on the server."
            case .other: "The analysis failed; the log of the service says why."
            }
        }
        guard let failure = report.failure else { return .json(try report.json()) }
        let code: ServiceError.Code =
            switch failure {
            case .invalidImage: .invalidImage
            case .tooManyPixels: .tooManyPixels
            case .missingNetwork: .unavailable
            case .cancelled, .other: .failed
            }
        throw ServiceError(code, report.failureMessage ?? "")
    }

    private static func error(_ refusal: JobQueue.Refusal) -> ServiceError {
        switch refusal {
        case .full: ServiceError(.busy, "The queue is full; try again.")
        case .closed: closing
        }
    }
}

/// A photo that a search found, as in the answer.
private struct FoundPhoto: Encodable {
    let path: String
    let distance: Double

    init(_ match: PhotoSearch.Match) {
        path = match.path
        distance = (Double(match.distance) * 1e6).rounded() / 1e6
    }
}
