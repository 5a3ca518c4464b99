import CoreML

/// The parameters of an analysis as they were given, by name. Each is read once; what is left over is a mistake.
struct AnalysisOptions {
    private let kind: AnalysisKind
    private var values: [String: JSONValue]

    init(_ kind: AnalysisKind, _ values: [String: JSONValue]) { (self.kind, self.values) = (kind, values) }

    /// Reads a number from 0 to 1; nil if it is not given.
    mutating func share(_ name: String) throws -> Float? {
        guard let value = take(name) else { return nil }
        guard let number = value.number, (0...1).contains(number) else {
            throw mistake(name, value, "a number from 0 to 1")
        }
        return Float(number)
    }

    /// Reads a whole number; nil if it is not given.
    mutating func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let value = take(name) else { return nil }
        guard case .integer(let number) = value, range.contains(number) else {
            throw mistake(name, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Reads true or false; false if it is not given.
    mutating func flag(_ name: String) throws -> Bool {
        guard let value = take(name) else { return false }
        guard case .boolean(let flag) = value else { throw mistake(name, value, "true or false") }
        return flag
    }

    /// Reads one of several words; nil if none is given.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _ type: Word.Type) throws -> Word?
    {
        guard let value = take(name) else { return nil }
        guard case .string(let text) = value, let word = Word(rawValue: text) else {
            throw mistake(name, value, Word.allCases.map(\.rawValue).joined(separator: " or "))
        }
        return word
    }

    /// Reads a list of texts; empty if it is not given.
    mutating func texts(_ name: String) throws -> [String] {
        guard let value = take(name) else { return [] }
        guard case .array(let elements) = value else { throw mistake(name, value, "a list of texts") }
        return try elements.map { element in
            guard case .string(let text) = element else { throw mistake(name, element, "a text") }
            return text
        }
    }

    /// - Throws: `AnalysisError` if there is a parameter that was not read.
    func end() throws {
        guard let name = values.keys.min() else { return }
        throw AnalysisError("\(kind.rawValue) has no parameter \"\(name)\".")
    }

    private mutating func take(_ name: String) -> JSONValue? {
        let value = values.removeValue(forKey: name)
        return value == .null ? nil : value
    }

    private func mistake(_ name: String, _ value: JSONValue, _ allowed: String) -> AnalysisError {
        let text = (try? AnalysisJSON.text(value)) ?? "not valid"
        return AnalysisError("\(name) of \(kind.rawValue) is \(text.prefix(60)); it must be \(allowed).")
    }
}
