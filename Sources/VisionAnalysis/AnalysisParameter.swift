/// A parameter of an analysis: its name, what it may be, and its value where it is not given.
///
/// It is encoded as the JSON Schema of its values.
public struct AnalysisParameter: Sendable {
    /// What the value of a parameter may be.
    public enum Values: Equatable, Sendable {
        /// A number in a range.
        case number(ClosedRange<Double>, default: Double?)
        /// A whole number in a range.
        case integer(ClosedRange<Int>, default: Int)
        /// True or false; false if it is not given.
        case flag
        /// One of these words.
        case word([String], default: String)
        /// A list of texts: any, or some of these.
        case texts(among: [String]?)
    }

    /// The name.
    public let name: String
    /// What the value may be.
    public let values: Values
}

extension AnalysisParameter: Encodable {
    private enum Key: String, CodingKey {
        case type, minimum, maximum, items
        case allowed = "enum"
        case standard = "default"
    }

    /// Encodes the schema of the values.
    public func encode(to encoder: any Encoder) throws {
        var schema = encoder.container(keyedBy: Key.self)
        switch values {
        case .number(let range, let standard):
            try schema.encode("number", forKey: .type)
            try schema.encode(range.lowerBound, forKey: .minimum)
            try schema.encode(range.upperBound, forKey: .maximum)
            try schema.encodeIfPresent(standard, forKey: .standard)
        case .integer(let range, let standard):
            try schema.encode("integer", forKey: .type)
            try schema.encode(range.lowerBound, forKey: .minimum)
            try schema.encode(range.upperBound, forKey: .maximum)
            try schema.encode(standard, forKey: .standard)
        case .flag:
            try schema.encode("boolean", forKey: .type)
            try schema.encode(false, forKey: .standard)
        case .word(let words, let standard):
            try schema.encode("string", forKey: .type)
            try schema.encode(words, forKey: .allowed)
            try schema.encode(standard, forKey: .standard)
        case .texts(let known):
            try schema.encode("array", forKey: .type)
            var items = schema.nestedContainer(keyedBy: Key.self, forKey: .items)
            try items.encode("string", forKey: .type)
            try items.encodeIfPresent(known, forKey: .allowed)
        }
    }
}

/// A kind of analysis that can be asked for by name.
public struct AnalysisDescription: Sendable {
    /// The name.
    public let name: String
    /// What it finds, in a few words.
    public let summary: String
    /// Its parameters.
    public let parameters: [AnalysisParameter]

    /// All kinds.
    public static let all: [AnalysisDescription] = AnalysisKind.allCases.map { kind in
        var options = AnalysisOptions(kind.rawValue, .none)
        // Without values nothing can be wrong.
        _ = try? kind.type.init(&options)
        return AnalysisDescription(name: kind.rawValue, summary: kind.summary, parameters: options.parameters)
    }
}
