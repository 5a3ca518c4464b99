import Foundation
import HTTPTypes
import VisionAnalysis

/// The OpenAPI document of a service, made of its routes.
struct OpenAPIDocument {
    private static let bearer = "bearer"

    private let routes: [ServiceRoute]
    private let models: [String]?
    private let hasToken: Bool

    init(_ routes: [ServiceRoute], _ configuration: ServiceConfiguration) {
        self.routes = routes
        hasToken = configuration.token != nil
        // Everyone may read the document; the names of models are for those who have the token.
        models = hasToken ? nil : configuration.models.keys.sorted()
    }

    /// The document.
    var json: JSON {
        var paths: [String: JSON] = [:]
        for route in routes { paths[route.path] = .object([route.method.rawValue.lowercased(): operation(route)]) }
        var components: [String: JSON] = ["schemas": ["Error": Self.error, "Image": Self.image]]
        if hasToken { components["securitySchemes"] = [Self.bearer: ["type": "http", "scheme": "bearer"]] }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "OpenVision", "version": "1",
                "description":
                    "Analyses images. Boxes and points are in pixels of the upright image, from its top left.",
            ],
            "paths": .object(paths), "components": .object(components),
        ]
    }

    private func operation(_ route: ServiceRoute) -> JSON {
        var operation: [String: JSON] = [
            "summary": .string(route.summary), "operationId": .string(Self.identifier(route)),
            "responses": responses(route),
        ]
        var parameters: [JSON] = []
        if route.action == .model {
            var schema: [String: JSON] = ["type": "string"]
            if let models { schema["enum"] = .array(models.map { .string($0) }) }
            parameters.append(["name": "name", "in": "path", "required": true, "schema": .object(schema)])
        }
        if route.takesImage {
            parameters += arguments(route).map { name, schema in
                var parameter: [String: JSON] = ["name": .string(name), "in": "query", "schema": schema]
                // Lists have commas.
                (parameter["style"], parameter["explode"]) = ("form", false)
                return .object(parameter)
            }
            operation["requestBody"] = body(route)
        }
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if hasToken, route.needsToken { operation["security"] = [.object([Self.bearer: []])] }
        return .object(operation)
    }

    private static func identifier(_ route: ServiceRoute) -> String {
        switch route.action {
        case .analyze: "analyze"
        case .request(let name): name
        case .model: "model"
        case .search: "search"
        case .requests: "requests"
        case .openAPI: "openapi"
        case .health: "health"
        case .ready: "ready"
        case .metrics: "metrics"
        case .page(let name): "page-\(name)"
        }
    }

    // MARK: - Arguments

    private var requestNames: JSON {
        ["type": "string", "enum": .array(AnalysisDescription.all.map { .string($0.name) })]
    }

    /// The arguments of a route, for queries.
    private func arguments(_ route: ServiceRoute) -> [(name: String, schema: JSON)] {
        if route.action == .analyze {
            return [("requests", ["type": "array", "items": requestNames, "minItems": 1, "uniqueItems": true])]
        }
        return route.parameters.map { ($0.name, .schema($0)) }
    }

    /// The arguments of a route, for bodies of JSON.
    private func fields(_ route: ServiceRoute) -> [String: JSON] {
        guard route.action == .analyze else { return Dictionary(uniqueKeysWithValues: arguments(route)) }
        let objects = AnalysisDescription.all.map { kind -> JSON in
            var properties: [String: JSON] = ["name": ["const": .string(kind.name)]]
            for parameter in kind.parameters { properties[parameter.name] = .schema(parameter) }
            return [
                "type": "object", "properties": .object(properties), "required": ["name"],
                "additionalProperties": false,
            ]
        }
        return [
            "requests": ["type": "array", "minItems": 1, "items": ["anyOf": .array([requestNames] + objects)]]
        ]
    }

    private func body(_ route: ServiceRoute) -> JSON {
        var fields = fields(route)
        var form: [String: JSON] = ["image": ["type": "string", "format": "binary"]]
        // The elements of a list are parts of the same name.
        for (name, schema) in arguments(route) { form[name] = schema }
        fields["image"] = [
            "type": "string", "contentEncoding": "base64", "format": "byte", "minLength": 4,
        ]
        var content: [String: JSON] = [:]
        for type in Upload.mediaTypes {
            switch type {
            case "application/json":
                content[type] = [
                    "schema": [
                        "type": "object", "properties": .object(fields), "required": ["image"],
                        "additionalProperties": false,
                    ]
                ]
            case "multipart/form-data":
                content[type] = [
                    "schema": [
                        "type": "object", "properties": .object(form), "required": ["image"],
                        "additionalProperties": false,
                    ]
                ]
            default: content[type] = ["schema": ["type": "string", "format": "binary"]]
            }
        }
        return [
            "required": true, "content": .object(content),
            "description": .string(
                "An image. Arguments are in the query or beside the image in the body, not in both. In queries and "
                    + "forms, the elements of a list may be separated by commas."),
        ]
    }

    // MARK: - Answers

    private func responses(_ route: ServiceRoute) -> JSON {
        var responses: [String: JSON] = [:]
        for code in ServiceError.Code.allCases where code.belongs(to: route, hasToken: hasToken) {
            var response: [String: JSON] = [
                "description": .string(code.status.reasonPhrase),
                "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]],
            ]
            switch code.status {
            // Not with a network that is not installed, which is 503 as well.
            case .tooManyRequests, .serviceUnavailable:
                response["headers"] = [
                    "Retry-After": ["required": .boolean(code == .busy), "schema": ["type": "integer", "minimum": 1]]
                ]
            case .unauthorized:
                response["headers"] = ["WWW-Authenticate": ["required": true, "schema": ["const": "Bearer"]]]
            default: break
            }
            responses[String(code.status.code)] = .object(response)
        }
        responses["200"] = ["description": "OK", "content": .object([mediaType(route): ["schema": answer(route)]])]
        return .object(responses)
    }

    private func mediaType(_ route: ServiceRoute) -> String {
        switch route.action {
        case .metrics: "text/plain"
        case .page(let name): PageFile.all.first { $0.name == name }?.mediaType ?? ""
        default: "application/json"
        }
    }

    private func answer(_ route: ServiceRoute) -> JSON {
        switch route.action {
        case .analyze: report(names: AnalysisDescription.all.map(\.name), areAll: false)
        case .request(let name): report(names: [name], areAll: true)
        case .model: report(names: models, areAll: false)
        case .search: report(names: ["search"], areAll: true)
        case .requests:
            [
                "type": "object", "required": ["requests", "models", "search"],
                "properties": [
                    "requests": ["type": "array", "items": ["type": "object", "required": ["name", "parameters"]]],
                    "models": ["type": "array", "items": ["type": "string"]], "search": ["type": "boolean"],
                ],
            ]
        case .health, .ready: ["type": "object", "required": ["status"], "properties": ["status": ["type": "string"]]]
        case .openAPI: ["type": "object", "required": ["openapi", "paths"]]
        case .metrics, .page: ["type": "string"]
        }
    }

    /// - Parameters:
    ///   - names: The names of results; nil for any.
    ///   - areAll: Whether all of the results are there, or some.
    private func report(names: [String]?, areAll: Bool) -> JSON {
        let list: JSON = ["type": "array", "items": ["type": "object"]]
        let results: [String: JSON] = Dictionary(
            uniqueKeysWithValues: (names ?? []).map { ($0, list) })
        return [
            "type": "object", "required": ["schema", "kind", "id", "image", "results", "errors", "error"],
            "properties": [
                "schema": ["const": 1], "kind": ["const": "analyze"], "id": ["type": "null"],
                "image": ["$ref": "#/components/schemas/Image"],
                "results": [
                    "type": "object", "properties": .object(results),
                    "additionalProperties": names == nil ? list : false,
                    "required": .array(areAll ? (names ?? []).map { .string($0) } : []),
                ],
                "errors": ["type": "object", "additionalProperties": ["type": "string"]],
                "error": ["type": "null"],
            ],
        ]
    }

    private static let image: JSON = [
        "type": "object", "required": ["path", "width", "height"], "description": "The upright image.",
        "properties": [
            "path": ["type": "null"], "width": ["type": "integer", "minimum": 1],
            "height": ["type": "integer", "minimum": 1],
        ],
    ]

    private static let error: JSON = [
        "type": "object", "required": ["error"],
        "properties": [
            "error": [
                "type": "object", "required": ["code", "message"],
                "properties": [
                    "code": [
                        "type": "string", "enum": .array(ServiceError.Code.allCases.map { .string($0.rawValue) }),
                    ],
                    "message": ["type": "string"],
                ],
            ]
        ],
    ]
}

extension ServiceError.Code {
    /// Whether a route may answer with the code.
    fileprivate func belongs(to route: ServiceRoute, hasToken: Bool) -> Bool {
        switch self {
        case .failed: true
        case .unauthorized: hasToken && route.needsToken
        case .methodNotAllowed: false
        case .closing: route.takesImage || route.action == .ready
        case .notFound: route.action == .model
        default: route.takesImage
        }
    }
}
