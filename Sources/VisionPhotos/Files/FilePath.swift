import Foundation
import VisionFiles

/// A path as bytes, which need not be UTF-8.
package struct FilePath: Hashable, Comparable, Sendable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package init(_ text: String) { bytes = Array(text.utf8) }

    package static func < (left: FilePath, right: FilePath) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// The path as text, with U+FFFD for invalid UTF-8.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The path for terminals, with U+FFFD for control characters; two quotes for an empty one.
    package var printable: String {
        guard !bytes.isEmpty else { return "''" }
        let scalars = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    package func appending(_ part: FilePath) -> FilePath {
        FilePath(bytes: bytes + (bytes.last == Self.slash || bytes.isEmpty ? [] : [Self.slash]) + part.bytes)
    }

    /// The last component; empty for "/".
    package var name: FilePath {
        let trimmed = bytes.reversed().drop { $0 == Self.slash }.prefix { $0 != Self.slash }
        return FilePath(bytes: trimmed.reversed())
    }

    /// The extension in lower case; nil if the name has none.
    package var pathExtension: String? {
        let name = name.bytes
        guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > 0 else { return nil }
        return String(decoding: name[(point + 1)...], as: UTF8.self).lowercased()
    }

    /// Whether the path is relative and stays inside its folder.
    package var isInside: Bool {
        guard !bytes.isEmpty, bytes.count < 1 << 16, !bytes.contains(0) else { return false }
        let parts = bytes.split(separator: Self.slash, omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0 != [UInt8(ascii: ".")] && $0 != Array("..".utf8)[...] }
    }

    private static let slash = UInt8(ascii: "/")
}

/// A photo that was found in a folder.
package struct FoundPhoto: Hashable, Sendable {
    /// From the folder on.
    package var path: FilePath
    package var stamp: FileStamp
}

/// Identifies the version of a file without reading it.
package struct FileStamp: Hashable, Sendable {
    package var size: Int64
    /// Nanoseconds since 1970.
    package var modified: Int64
    /// The file's number in its file system; it stays when the file gets another name.
    package var node: Int64

    package init(size: Int64, modified: Int64, node: Int64) {
        (self.size, self.modified, self.node) = (size, modified, node)
    }

    init(_ file: FileIdentity) {
        self.init(size: file.size, modified: file.modified, node: Int64(truncatingIfNeeded: file.node))
    }
}

extension FilePath {
    /// For calls of the system: with a zero at the end.
    package var system: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
