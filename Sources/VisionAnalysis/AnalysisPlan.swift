package import CoreML
import Vision

/// The analyses of an image that someone asked for, each kind at most once.
package struct AnalysisPlan: Sendable {
    /// An analysis with its name.
    struct Part: Sendable {
        let kind: AnalysisKind
        let analysis: any Analysis
    }

    let parts: [Part]

    /// Reads a list of names, or of objects with a `name` and parameters beside it; a single one need not be a list.
    ///
    /// - Throws: `AnalysisError` for a name or a parameter that does not exist, or twice the same name.
    package init(_ value: JSONValue) throws {
        let elements = if case .array(let elements) = value { elements } else { [value] }
        guard !elements.isEmpty else { throw AnalysisError("No request is named.") }
        var seen = Set<AnalysisKind>()
        parts = try elements.map { element in
            let (name, parameters) = try Self.nameAndParameters(element)
            guard let kind = AnalysisKind(rawValue: name) else {
                throw AnalysisError(
                    "There is no request \"\(name.prefix(60))\"; there are "
                        + AnalysisKind.allCases.map(\.rawValue).joined(separator: ", ") + ".")
            }
            guard seen.insert(kind).inserted else { throw AnalysisError("The request \(name) is named twice.") }
            var options = AnalysisOptions(kind, parameters)
            let analysis = try kind.type.init(&options)
            try options.end()
            // Parameters such as languages are checked by the requests themselves.
            _ = try analysis.makeRequests()
            return Part(kind: kind, analysis: analysis)
        }
    }

    /// Reads names that are separated by commas.
    ///
    /// - Throws: As `init(_:)`.
    package init(names: String) throws {
        let names = names.split(separator: ",").map { JSONValue.string($0.trimmingCharacters(in: .whitespaces)) }
        try self.init(.array(names))
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
