import Foundation

/// A secret that clients send as `Authorization: Bearer …`.
public struct BearerToken: Sendable {
    private let bytes: [UInt8]

    /// Creates a token of a text; blanks and line breaks around it do not count.
    ///
    /// - Returns: nil for a text with fewer than 16 characters, or with others than visible ASCII.
    public init?(_ text: String) {
        bytes = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        guard bytes.count >= 16, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    }

    /// Whether the value of an `Authorization` header has the token. The time does not depend on what is wrong with it.
    func matches(_ header: String?) -> Bool {
        let given = Array((header ?? "").utf8)
        let prefix = Array("bearer ".utf8)
        guard given.count > prefix.count, given.prefix(prefix.count).map({ $0 | 0x20 }) == prefix else { return false }
        let candidate = given.dropFirst(prefix.count)
        var difference = candidate.count ^ bytes.count
        for (index, byte) in candidate.enumerated() { difference |= Int(byte ^ bytes[index % bytes.count]) }
        return difference == 0
    }
}
