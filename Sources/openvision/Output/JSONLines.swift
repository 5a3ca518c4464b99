import Foundation
import VisionRecords

/// Prints values to standard output, one JSON object per line, with sorted keys.
enum JSONLines {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func print(_ value: some Encodable) throws {
        Swift.print(try text(value))
    }

    /// Prints a record of a command, preceded by the two fields of every record.
    static func print(_ value: some Encodable, kind: String) throws { try print(HeadedRecord(kind: kind, value)) }
}
