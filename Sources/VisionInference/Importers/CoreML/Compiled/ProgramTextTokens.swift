/// The tokens of an ML program's text.
struct ProgramTextTokens {
    enum Token: Equatable {
        case word(String)
        case number(String)
        case text(String)
        /// One of `( ) [ ] { } < > , ; = ?` and the arrow `->` as `-`.
        case mark(UInt8)
        case end
    }

    private let bytes: ModelBytes
    private var position = 0
    private var line = 1
    /// The token that is next.
    private(set) var next = Token.end

    init(_ bytes: ModelBytes) throws {
        self.bytes = bytes
        next = try scan()
    }

    // MARK: Taking tokens

    mutating func take() throws -> Token {
        let token = next
        next = try scan()
        return token
    }

    /// Takes a mark if it is the next token.
    mutating func takes(_ mark: Unicode.Scalar) throws -> Bool {
        guard next == .mark(UInt8(ascii: mark)) else { return false }
        _ = try take()
        return true
    }

    mutating func expect(_ mark: Unicode.Scalar) throws {
        guard try takes(mark) else { throw unexpected("“\(mark)”") }
    }

    mutating func word() throws -> String {
        guard case .word(let word) = next else { throw unexpected("a name") }
        _ = try take()
        return word
    }

    mutating func expect(word: String) throws {
        guard next == .word(word) else { throw unexpected("“\(word)”") }
        _ = try take()
    }

    func unexpected(_ wanted: String) -> ModelError {
        let found: String
        switch next {
        case .word(let text), .number(let text), .text(let text): found = "“\(text.prefix(40))”"
        case .mark(let mark): found = "“\(Unicode.Scalar(mark))”"
        case .end: found = "its end"
        }
        return .damaged("line \(line) of the program has \(found) where \(wanted) is expected")
    }

    // MARK: Scanning

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes.withBytes { $0[position + offset] } : nil
    }

    private mutating func scan() throws -> Token {
        while let byte = byte() {
            if byte == UInt8(ascii: "\n") { line += 1 }
            guard byte <= 0x20 else { break }
            position += 1
        }
        guard let first = byte() else { return .end }
        if Self.marks.contains(first) {
            position += 1
            return .mark(first)
        }
        if first == UInt8(ascii: "\"") { return .text(try scanText()) }
        if first == UInt8(ascii: "-"), byte(1) == UInt8(ascii: ">") {
            position += 2
            return .mark(first)
        }
        let start = position
        while let byte = byte(), Self.isPart(byte, after: position > start ? self.byte(-1) : nil, first) {
            position += 1
        }
        guard position > start else {
            throw ModelError.damaged("line \(line) of the program has the byte \(first), which means nothing there")
        }
        let word = bytes.withBytes { String(decoding: $0[start..<position], as: UTF8.self) }
        return Self.isNumber(first) ? .number(word) : .word(word)
    }

    private static let marks = Set("()[]{}<>,;=?".utf8)

    private static func isNumber(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
    }

    /// Letters, digits, `_ . : /` and bytes of other scripts; in numbers the sign of an exponent.
    private static func isPart(_ byte: UInt8, after previous: UInt8?, _ first: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"),
            UInt8(ascii: "/"), 0x80...:
            return true
        case UInt8(ascii: "-"), UInt8(ascii: "+"):
            guard let previous else { return true }
            return isNumber(first) && "eEpP".utf8.contains(previous)
        default: return false
        }
    }

    /// A text between quotes, with the escapes of C.
    private mutating func scanText() throws -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = byte() {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let result = String(validating: text, as: UTF8.self) else {
                    throw ModelError.damaged("line \(line) of the program has a text that is no UTF-8")
                }
                return result
            case UInt8(ascii: "\\"): text.append(try escaped())
            case UInt8(ascii: "\n"):
                line += 1
                text.append(byte)
            default: text.append(byte)
            }
        }
        throw ModelError.damaged("a text of the program has no end")
    }

    private mutating func escaped() throws -> UInt8 {
        guard let byte = byte() else { throw ModelError.damaged("a text of the program has no end") }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "x"):
            let digits = bytes.withBytes {
                String(decoding: $0[min(position, $0.count)..<min(position + 2, $0.count)], as: UTF8.self)
            }
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else {
                throw ModelError.damaged("line \(line) of the program has the escape “\\x\(digits)”")
            }
            position += 2
            return value
        default: return byte
        }
    }
}
