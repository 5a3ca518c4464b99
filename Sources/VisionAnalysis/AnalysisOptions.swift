import NetworkMetadata

/// Reads the parameters of an analysis, each once; what is left over at the end is a mistake.
public struct AnalysisOptions: Sendable {
    private let name: String
    private var arguments: AnalysisArguments
    /// The parameters that were read so far, given or not.
    public private(set) var parameters: [AnalysisParameter] = []

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - name: The name of the analysis, for messages.
    ///   - arguments: What was given.
    public init(_ name: String, _ arguments: AnalysisArguments) { (self.name, self.arguments) = (name, arguments) }

    /// Reads a number from 0 to 1.
    mutating func share(_ name: String, default standard: Float) throws -> Float {
        // Through text, so that 0.01 is described as 0.01.
        try number(name, in: 0...1, standard: Double("\(standard)")).map { Float($0) } ?? standard
    }

    /// Reads a number from 0 to 1; nil if it is not given.
    mutating func share(_ name: String) throws -> Float? { try number(name, in: 0...1).map { Float($0) } }

    /// Reads a number in a range; nil if it is not given.
    ///
    /// - Throws: `AnalysisError`, as all here, for another value.
    public mutating func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
        try number(name, in: range, standard: nil)
    }

    private mutating func number(
        _ name: String, in range: ClosedRange<Double>, standard: Double?
    ) throws -> Double? {
        guard let value = take(name, .number(range, default: standard)) else { return nil }
        guard let number = value.number, range.contains(number) else {
            let (low, high) = ("\(range.lowerBound)".whole, "\(range.upperBound)".whole)
            throw mistake(name, value, "a number from \(low) to \(high)")
        }
        return number
    }

    /// Reads a whole number.
    public mutating func integer(_ name: String, in range: ClosedRange<Int>, default standard: Int) throws -> Int {
        guard let value = take(name, .integer(range, default: standard)) else { return standard }
        guard case .integer(let number) = value, range.contains(number) else {
            throw mistake(name, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Reads true or false; false if it is not given.
    public mutating func flag(_ name: String) throws -> Bool {
        guard let value = take(name, .flag) else { return false }
        guard case .boolean(let flag) = value else { throw mistake(name, value, "true or false") }
        return flag
    }

    /// Reads one of several words.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, default standard: Word
    ) throws -> Word {
        let words = Word.allCases.map(\.rawValue)
        guard let value = take(name, .word(words, default: standard.rawValue)) else { return standard }
        guard case .string(let text) = value, let word = Word(rawValue: text) else {
            throw mistake(name, value, words.joined(separator: " or "))
        }
        return word
    }

    /// Reads a list of texts; empty if it is not given. The caller checks whether they are known.
    mutating func texts(_ name: String, among known: [String]? = nil) throws -> [String] {
        guard let value = take(name, .texts(among: known)) else { return [] }
        guard case .array(let elements) = value else { throw mistake(name, value, "a list of texts") }
        return try elements.map { element in
            guard case .string(let text) = element else { throw mistake(name, element, "a text") }
            return text
        }
    }

    /// Ends reading.
    ///
    /// - Throws: `AnalysisError` if there is a parameter that was not read.
    public func end() throws {
        guard let wrong = arguments.names.first else { return }
        throw AnalysisError("\(name) has no parameter \"\(wrong.prefix(60))\".")
    }

    private mutating func take(_ name: String, _ allowed: AnalysisParameter.Values) -> JSONValue? {
        parameters.append(AnalysisParameter(name: name, values: allowed))
        let value = arguments.take(name, as: allowed)
        return value == .null ? nil : value
    }

    private func mistake(_ parameter: String, _ value: JSONValue, _ allowed: String) -> AnalysisError {
        let text = (try? AnalysisJSON.text(value)) ?? "not valid"
        return AnalysisError("\(parameter) of \(name) is \(text.prefix(60)); it must be \(allowed).")
    }
}

extension String {
    /// The text of a number without a fraction that is zero.
    fileprivate var whole: String { hasSuffix(".0") ? String(dropLast(2)) : self }
}
