import Foundation

/// The parts of a `multipart/form-data` body (RFC 7578).
struct MultipartForm {
    /// What is wrong with a body, as a sentence.
    struct FormatError: Error, Equatable {
        let reason: String
    }

    private static let maximumParts = 32
    private static let maximumHeaderBytes = 8 << 10

    /// The contents of the parts by their names; those of the same name in order.
    private(set) var parts: [String: [Data]] = [:]
    private var count = 0

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - boundary: What separates the parts.
    /// - Throws: `FormatError` where the body is cut off, or has no valid parts.
    init(_ body: Data, boundary: String) throws {
        let delimiter = Data("--\(boundary)".utf8)
        // The first delimiter need not follow a line break.
        guard let first = body.range(of: delimiter) else { throw FormatError(reason: "The body has no boundary.") }
        var rest = body[first.upperBound...]
        let separator = Data("\r\n".utf8) + delimiter
        while !rest.starts(with: Data("--".utf8)) {
            guard count < Self.maximumParts else { throw FormatError(reason: "The body has too many parts.") }
            // Blanks may follow a boundary.
            rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard rest.starts(with: Data("\r\n".utf8)) else { throw FormatError(reason: "A boundary is damaged.") }
            guard let end = rest.range(of: separator) else { throw FormatError(reason: "The body is cut off.") }
            try add(rest[rest.startIndex.advanced(by: 2)..<max(rest.startIndex.advanced(by: 2), end.lowerBound)])
            rest = rest[end.upperBound...]
        }
    }

    private mutating func add(_ part: Data) throws {
        guard let blank = part.prefix(Self.maximumHeaderBytes).range(of: Data("\r\n\r\n".utf8)) else {
            throw FormatError(reason: "A part has no header.")
        }
        let lines = String(decoding: part[..<blank.lowerBound], as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: true)
        guard
            let disposition = lines.compactMap({ HeaderValue(line: $0, name: "content-disposition") }).first,
            disposition.value == "form-data", let name = disposition.parameters["name"]
        else { throw FormatError(reason: "A part has no name.") }
        parts[name, default: []].append(Data(part[blank.upperBound...]))
        count += 1
    }
}

/// A header with parameters: `form-data; name="image"`.
struct HeaderValue: Equatable {
    /// What stands in front of the parameters, in lower case.
    let value: String
    /// The parameters; their names are in lower case.
    let parameters: [String: String]

    /// Reads the header of a line; nil if it is another one.
    init?(line: some StringProtocol, name: String) {
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else { return nil }
        self.init(String(line[line.index(after: colon)...]))
    }

    init(_ text: String) {
        var pieces: [String] = []
        var piece = ""
        var isQuoted = false
        var isEscaped = false
        for character in text {
            switch character {
            case _ where isEscaped:
                piece.append(character)
                isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"": isQuoted.toggle()
            case ";" where !isQuoted:
                pieces.append(piece)
                piece = ""
            default: piece.append(character)
            }
        }
        pieces.append(piece)
        value = pieces.removeFirst().trimmingCharacters(in: .whitespaces).lowercased()
        parameters = Dictionary(
            pieces.compactMap { piece in
                guard let equals = piece.firstIndex(of: "=") else { return nil }
                let name = piece[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
                return (name, piece[piece.index(after: equals)...].trimmingCharacters(in: .whitespaces))
            }
        ) { first, _ in first }
    }
}
