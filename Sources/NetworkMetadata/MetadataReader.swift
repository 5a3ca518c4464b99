/// An error in the metadata of a model, with its position.
package struct MetadataError: Error, Equatable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}

/// Reads an object of the metadata key by key, and rejects keys that were not read: a misspelled key must not count as
/// a missing one.
struct MetadataReader {
    private let path: String
    private var rest: [String: JSONValue]
    private var known: [String] = []

    init(_ value: JSONValue, path: String) throws {
        guard case .object(let entries) = value else {
            throw MetadataError(path: path, reason: "must be an object, not \(value.kind)")
        }
        self.path = path
        rest = entries
    }

    private func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func error(_ key: String, _ reason: String) -> MetadataError {
        MetadataError(path: self.path(of: key), reason: reason)
    }

    /// The keys that have not been read.
    var keys: [String] { rest.keys.sorted() }

    mutating func value(_ key: String) -> JSONValue? {
        known.append(key)
        return rest.removeValue(forKey: key)
    }

    mutating func string(_ key: String) throws -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else { throw error(key, "must be a string, not \(value.kind)") }
        return text
    }

    mutating func number(_ key: String) throws -> Double? {
        guard let value = value(key) else { return nil }
        guard let number = value.number else { throw error(key, "must be a number, not \(value.kind)") }
        return number
    }

    mutating func float(_ key: String, in range: ClosedRange<Float>) throws -> Float? {
        guard let number = try number(key) else { return nil }
        guard range.contains(Float(number)) else {
            throw error(key, "must lie between \(range.lowerBound) and \(range.upperBound), not \(number)")
        }
        return Float(number)
    }

    mutating func integer(_ key: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let number = try number(key) else { return nil }
        guard let integer = Int(exactly: number), range.contains(integer) else {
            throw error(key, "must be an integer from \(range.lowerBound) to \(range.upperBound), not \(number)")
        }
        return integer
    }

    /// Returns the case whose raw value is given.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, _ type: Choice.Type) throws -> Choice?
    where Choice.RawValue == String {
        guard let text = try string(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let choices = Choice.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
            throw error(key, "“\(text)” must be one of \(choices)")
        }
        return choice
    }

    /// Returns a number for all colours, or three for red, green and blue.
    mutating func colour(_ key: String) throws -> SIMD3<Float>? {
        guard let value = value(key) else { return nil }
        switch value {
        case .integer, .number: return SIMD3(repeating: Float(value.number ?? 0))
        case .array(let values):
            let numbers = values.compactMap { $0.number.map { Float($0) } }
            guard numbers.count == 3, values.count == 3 else { break }
            return SIMD3(numbers[0], numbers[1], numbers[2])
        default: break
        }
        throw error(key, "must be a number, or three numbers for red, green and blue")
    }

    mutating func strings(_ key: String) throws -> [String]? {
        guard let value = value(key) else { return nil }
        guard case .array(let values) = value else { throw error(key, "must be an array, not \(value.kind)") }
        return try values.enumerated().map { index, value in
            guard case .string(let text) = value else {
                throw MetadataError(
                    path: "\(self.path(of: key))[\(index)]", reason: "must be a string, not \(value.kind)")
            }
            return text
        }
    }

    mutating func objects(_ key: String) throws -> [(name: String, reader: MetadataReader)] {
        guard let value = value(key) else { return [] }
        guard case .object(let entries) = value else { throw error(key, "must be an object, not \(value.kind)") }
        return try entries.sorted { $0.key < $1.key }.map { name, value in
            (name, try MetadataReader(value, path: "\(self.path(of: key)).\(name)"))
        }
    }

    mutating func object(_ key: String) throws -> MetadataReader? {
        try value(key).map { try MetadataReader($0, path: self.path(of: key)) }
    }

    /// Throws an error if keys are left.
    func finish() throws {
        guard let unknown = rest.keys.min() else { return }
        throw error(unknown, "is not a known key; known keys are: \(known.sorted().joined(separator: ", "))")
    }
}
