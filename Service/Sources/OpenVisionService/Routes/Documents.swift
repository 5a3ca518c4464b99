import Foundation
import VisionAnalysis

/// The answers that do not change, encoded once.
struct Documents: Sendable {
    /// The answers of `/healthz` and `/readyz`.
    let health, ready: Data
    /// The answer of `/v1/requests`.
    let requests: Data
    /// The answer of `/openapi.json`.
    let openAPI: Data

    init(_ routes: [ServiceRoute], _ configuration: ServiceConfiguration) throws {
        health = try JSON.data(["status": "ok"])
        ready = try JSON.data(["status": "ready"])
        requests = try JSON.data(
            JSON.object([
                "requests": .array(
                    AnalysisDescription.all.map { kind in
                        [
                            "name": .string(kind.name), "summary": .string(kind.summary),
                            "parameters": JSON(kind.parameters),
                        ]
                    }),
                "models": .array(configuration.models.keys.sorted().map { .string($0) }),
                "search": .boolean(configuration.index != nil),
            ]))
        openAPI = try JSON.data(OpenAPIDocument(routes, configuration).json)
    }
}

/// A value of JSON.
indirect enum JSON: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    case string(String)
    case integer(Int)
    case boolean(Bool)
    case array([JSON])
    case object([String: JSON])
    /// The schema of a parameter's values.
    case schema(AnalysisParameter)

    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) { self = .object(Dictionary(uniqueKeysWithValues: elements)) }

    /// The schemas of parameters by their names.
    init(_ parameters: [AnalysisParameter]) {
        self = .object(Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, .schema($0)) }))
    }

    /// Encodes a value as the service writes JSON.
    static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .string(let value): try value.encode(to: encoder)
        case .integer(let value): try value.encode(to: encoder)
        case .boolean(let value): try value.encode(to: encoder)
        case .array(let value): try value.encode(to: encoder)
        case .object(let value): try value.encode(to: encoder)
        case .schema(let parameter): try parameter.encode(to: encoder)
        }
    }
}
