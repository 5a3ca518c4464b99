/// Reads files out of a tar archive that is compressed by gzip (a source package of PyPI).
///
/// Plain files, also those with long names (GNU's and POSIX's form); links and devices are passed over, nothing is
/// unpacked to disk. A file is found by reading the archive from its start.
package struct TarArchive: Sendable {
    private static let block = 512
    /// The most that an archive may hold unpacked: what a small file of zeros becomes has an end.
    private static let sizeLimit = 1 << 30
    /// The most bytes of a long name and what stands beside it.
    private static let nameLimit = 1 << 16

    private let bytes: [UInt8]

    /// - Throws: `WeightFileError` when the bytes are not compressed by gzip.
    package init(_ bytes: [UInt8]) throws {
        guard bytes.starts(with: [0x1f, 0x8b]) else {
            throw WeightFileError(.unsupported, "this is no archive compressed by gzip")
        }
        self.bytes = bytes
    }

    /// - Parameter limit: The most bytes that the file may have.
    /// - Throws: `WeightFileError` when there is no such file or it is too large or damaged.
    package func contents(of name: String, limit: Int) throws -> [UInt8] {
        let stream = try GzipStream(bytes, limit: Self.sizeLimit)
        var longName: String?
        while let header = try Self.header(try stream.read(Self.block)) {
            let padding = (Self.block - header.size % Self.block) % Self.block
            switch header.kind {
            case .longName, .extended:
                guard header.size <= Self.nameLimit else {
                    throw WeightFileError(.damaged, "the archive has a name of \(header.size) bytes")
                }
                let contents = try stream.read(header.size)
                longName = header.kind == .longName ? Self.text(contents[...]) : Self.path(in: contents) ?? longName
                try stream.skip(padding)
            case .file where (longName ?? header.name) == name:
                guard header.size <= limit else {
                    throw WeightFileError(.damaged, "\(name) is larger than the \(limit) bytes that it may have")
                }
                return try stream.read(header.size)
            case .file, .other:
                longName = nil
                try stream.skip(header.size + padding)
            }
        }
        throw WeightFileError(.damaged, "the archive has no file \(name)")
    }

    private struct Header {
        let name: String
        let size: Int
        let kind: Kind
    }

    private enum Kind {
        case file, other
        /// GNU's: the contents are the name of the next file.
        case longName
        /// POSIX's: the contents are records such as "30 path=…", each with its length and a line feed.
        case extended

        init(_ type: UInt8) {
            switch type {
            case 0, UInt8(ascii: "0"): self = .file
            case UInt8(ascii: "L"): self = .longName
            case UInt8(ascii: "x"): self = .extended
            default: self = .other
            }
        }
    }

    /// The path among the records of an extended header.
    private static func path(in records: [UInt8]) -> String? {
        var rest = records[...]
        while let space = rest.firstIndex(of: UInt8(ascii: " ")),
            let length = Int(String(decoding: rest[..<space], as: UTF8.self)), length > space + 1 - rest.startIndex,
            length <= rest.count
        {
            let record = rest[(space + 1)..<(rest.startIndex + length - 1)]
            if record.starts(with: "path=".utf8) { return String(validating: record.dropFirst(5), as: UTF8.self) }
            rest = rest.dropFirst(length)
        }
        return nil
    }

    /// - Returns: nil for the block of zeros behind the last file.
    private static func header(_ block: [UInt8]) throws -> Header? {
        guard block.contains(where: { $0 != 0 }) else { return nil }
        let damaged = WeightFileError(.damaged, "the archive has a damaged header")
        // The sum of the bytes, those of the sum itself as spaces.
        let sum = block.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
        guard try octal(block[148..<156]) == sum else { throw damaged }
        let size = try octal(block[124..<136])
        guard size <= sizeLimit, let name = text(block[0..<100]), let prefix = text(block[345..<500]) else {
            throw damaged
        }
        // The prefix is one only in archives that say so.
        let hasPrefix = block[257..<262].elementsEqual("ustar".utf8) && !prefix.isEmpty
        return Header(name: hasPrefix ? prefix + "/" + name : name, size: size, kind: Kind(block[156]))
    }

    /// Digits to the base of eight, between spaces and in front of zeros.
    private static func octal(_ field: ArraySlice<UInt8>) throws -> Int {
        let digits = field.drop { $0 == 32 }.prefix { (48..<56).contains($0) }
        let rest = field[digits.endIndex...]
        guard digits.count <= 12, rest.allSatisfy({ $0 == 0 || $0 == 32 }) else {
            throw WeightFileError(.unsupported, "the archive has a header of a form that is not read")
        }
        return digits.reduce(0) { $0 << 3 | Int($1 - 48) }
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String? {
        String(validating: field.prefix { $0 != 0 }, as: UTF8.self)
    }
}
