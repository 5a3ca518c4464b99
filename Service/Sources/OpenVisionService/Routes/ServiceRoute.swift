import HTTPTypes
import Hummingbird
import VisionAnalysis

/// A route of the service: what the router, the OpenAPI document and the metrics are made of.
struct ServiceRoute: Sendable {
    /// What a route does.
    enum Action: Equatable, Sendable {
        /// Analyses of the client's choice.
        case analyze
        /// One analysis, by its name.
        case request(String)
        /// One of the models, whose name is in the path.
        case model
        /// The search for similar photos.
        case search
        /// Descriptions: of the requests, and of the routes.
        case requests, openAPI
        /// For those who run the service.
        case health, ready, metrics
        /// A file of the page.
        case page(String)
    }

    let method: HTTPRequest.Method
    /// The path as OpenAPI writes it: `/v1/models/{name}`.
    let path: String
    let summary: String
    let action: Action
    /// The arguments besides the image.
    var parameters: [AnalysisParameter] = []

    /// Whether an image is sent.
    var takesImage: Bool {
        switch action {
        case .analyze, .request, .model, .search: true
        default: false
        }
    }

    /// Whether a token is needed, if there is one.
    var needsToken: Bool { takesImage || action == .requests || action == .metrics }

    /// The path as the router writes it: `/v1/models/:name`.
    var routerPath: RouterPath {
        RouterPath(path.replacing("{", with: ":").replacing("}", with: ""))
    }

    /// The routes of a service.
    static func all(_ configuration: ServiceConfiguration, hasMetrics: Bool) -> [ServiceRoute] {
        var routes = [
            ServiceRoute(
                method: .post, path: "/v1/analyze", summary: "Several analyses of one image.", action: .analyze)
        ]
        routes += AnalysisDescription.all.map { kind in
            ServiceRoute(
                method: .post, path: "/v1/\(kind.name)", summary: kind.summary, action: .request(kind.name),
                parameters: kind.parameters)
        }
        if let model = configuration.models.values.first {
            routes.append(
                ServiceRoute(
                    method: .post, path: "/v1/models/{name}", summary: "What a model says about an image.",
                    action: .model, parameters: AnalysisPlan.modelParameters(model)))
        }
        if configuration.index != nil {
            routes.append(
                ServiceRoute(
                    method: .post, path: "/v1/search", summary: "The most similar photos of the index.",
                    action: .search, parameters: SearchOptions.parameters))
        }
        routes.append(
            ServiceRoute(
                method: .get, path: "/v1/requests", summary: "The analyses with their parameters.", action: .requests))
        routes += [
            ServiceRoute(method: .get, path: "/healthz", summary: "Whether the service runs.", action: .health),
            ServiceRoute(method: .get, path: "/readyz", summary: "Whether the service takes requests.", action: .ready),
        ]
        if hasMetrics {
            routes.append(
                ServiceRoute(
                    method: .get, path: "/metrics", summary: "Metrics in Prometheus's text format.", action: .metrics))
        }
        routes.append(ServiceRoute(method: .get, path: "/openapi.json", summary: "This document.", action: .openAPI))
        routes += PageFile.all.map { file in
            ServiceRoute(
                method: .get, path: file.name == PageFile.index ? "/" : "/page/\(file.name)",
                summary: "A file of the page.", action: .page(file.name))
        }
        return routes
    }
}

/// The arguments of a search.
struct SearchOptions: Sendable {
    let count: Int
    let distance: Float

    private init(_ options: inout AnalysisOptions) throws {
        count = try options.integer("top", in: 1...1000, default: 20)
        distance = try options.number("maxDistance", in: 0...4).map { Float($0) } ?? .infinity
    }

    /// - Throws: `AnalysisError`.
    init(_ arguments: AnalysisArguments) throws {
        var options = AnalysisOptions("search", arguments)
        try self.init(&options)
        try options.end()
    }

    static let parameters: [AnalysisParameter] = {
        var options = AnalysisOptions("search", .none)
        // Without values nothing can be wrong.
        _ = try? SearchOptions(&options)
        return options.parameters
    }()
}
