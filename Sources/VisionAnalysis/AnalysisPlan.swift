package import NetworkMetadata
import Foundation
import Vision

/// The analyses of an image that someone asked for, each kind at most once.
///
/// All of them share the decoded image and the results of networks.
///
///     let plan = try AnalysisPlan(names: "classify,faces")
///     let report = try await plan.analyze(data)
///     print(String(decoding: try report.json(), as: UTF8.self))
public struct AnalysisPlan: Sendable {
    /// An analysis with its name in the report.
    struct Part: Sendable {
        let name: String
        let analysis: any Analysis
    }

    let parts: [Part]

    init(parts: [Part]) { self.parts = parts }

    /// Reads a list of names, or of objects with a `name` and parameters beside it; a single one need not be a list.
    ///
    /// - Throws: `AnalysisError` for a name or a parameter that does not exist, or twice the same name.
    package init(_ value: JSONValue) throws {
        let elements = if case .array(let elements) = value { elements } else { [value] }
        guard !elements.isEmpty else { throw AnalysisError("No request is named.") }
        var seen = Set<AnalysisKind>()
        parts = try elements.map { element in
            let (name, parameters) = try Self.nameAndParameters(element)
            guard let kind = AnalysisKind(rawValue: name) else { throw Self.unknown(name) }
            guard seen.insert(kind).inserted else { throw AnalysisError("The request \(name) is named twice.") }
            return try Self.part(kind, AnalysisArguments(parameters))
        }
    }

    private static func part(_ kind: AnalysisKind, _ arguments: AnalysisArguments) throws -> Part {
        var options = AnalysisOptions(kind.rawValue, arguments)
        let analysis = try kind.type.init(&options)
        try options.end()
        // Parameters such as languages are checked by the requests themselves.
        _ = try analysis.makeRequests()
        return Part(name: kind.rawValue, analysis: analysis)
    }

    /// Reads names that are separated by commas.
    ///
    /// - Throws: As `init(_:)`.
    public init(names: String) throws {
        let names = names.split(separator: ",").map { JSONValue.string($0.trimmingCharacters(in: .whitespaces)) }
        try self.init(.array(names))
    }

    /// Plans the analyses that the argument `requests` lists: JSON as for `init(from:)`, or names with commas.
    ///
    /// - Throws: `AnalysisError` as there, or where there are other arguments or no `requests`.
    public init(_ arguments: AnalysisArguments) throws {
        if let other = arguments.names.first(where: { $0 != "requests" }) {
            throw AnalysisError("There is no argument \"\(other.prefix(60))\".")
        }
        switch arguments.value("requests") {
        case .string(let text) where text.first == "[" || text.first == "{":
            guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
                throw AnalysisError("requests is not valid JSON.")
            }
            try self.init(value)
        case .string(let names): try self.init(names: names)
        case let value?: try self.init(value)
        case nil: throw AnalysisError("No request is named.")
        }
    }

    /// Plans one analysis.
    ///
    /// - Throws: `AnalysisError` for a name or a parameter that does not exist, or a value that is not allowed.
    public init(name: String, _ arguments: AnalysisArguments) throws {
        guard let kind = AnalysisKind(rawValue: name) else { throw Self.unknown(name) }
        parts = [try Self.part(kind, arguments)]
    }

    private static func unknown(_ name: String) -> AnalysisError {
        AnalysisError(
            "There is no request \"\(name.prefix(60))\"; there are "
                + AnalysisKind.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    }

    private static func nameAndParameters(_ element: JSONValue) throws -> (String, [String: JSONValue]) {
        switch element {
        case .string(let name): return (name, [:])
        case .object(var parameters):
            guard case .string(let name)? = parameters.removeValue(forKey: "name") else {
                throw AnalysisError("A request has no \"name\".")
            }
            return (name, parameters)
        default: throw AnalysisError("A request must be a name, or an object with a \"name\".")
        }
    }
}

extension AnalysisPlan: Decodable {
    /// Reads a list of names, or of objects with a `name` and parameters beside it; a single one need not be a list.
    ///
    /// - Throws: `AnalysisError` for a name or a parameter that does not exist, or twice the same name.
    public init(from decoder: any Decoder) throws { try self.init(try JSONValue(from: decoder)) }
}
