/// Conventions of the content of linear barcodes: check digits, the full ASCII set of Code 39, element strings of GS1.
package enum BarcodeText {
    /// Whether the digits end in their GS1 check digit: weights 3 and 1 from the right.
    package static func hasValidCheckDigit(_ text: String) -> Bool {
        let digits = text.utf8.map { Int($0) - 48 }
        guard digits.count >= 2, digits.allSatisfy({ (0...9).contains($0) }) else { return false }
        let sum = digits.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
        return sum % 10 == 0
    }

    private static let code39Characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%".utf8)

    /// Whether the last character of a Code 39 is its check character, the sum of the others modulo 43.
    package static func hasValidCode39Check(_ text: String) -> Bool {
        let values = text.utf8.map { code39Characters.firstIndex(of: $0) }
        guard values.count >= 2, !values.contains(nil), let last = values.last, let last else { return false }
        return values.dropLast().reduce(0) { $0 + ($1 ?? 0) } % 43 == last
    }

    /// A Code 39 in full ASCII, where `$`, `%`, `/` and `+` with a letter stand for one character; nil where a pair is
    /// none.
    package static func fullASCII(ofCode39 text: String) -> String? {
        var decoded: [UInt8] = []
        var characters = text.utf8.makeIterator()
        while let character = characters.next() {
            guard let shift = Shift(rawValue: character) else {
                decoded.append(character)
                continue
            }
            guard let letter = characters.next(), let value = shift.character(letter) else { return nil }
            decoded.append(value)
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Whether a Code 39 has small letters in full ASCII: what a plain code would hardly say.
    package static func hasSmallLetters(_ text: String) -> Bool {
        zip(text.utf8, text.utf8.dropFirst()).contains {
            $0 == UInt8(ascii: "+") && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($1)
        }
    }

    private enum Shift: UInt8 {
        case dollar = 0x24
        case percent = 0x25
        case plus = 0x2B
        case slash = 0x2F

        func character(_ letter: UInt8) -> UInt8? {
            guard (65...90).contains(letter) else { return nil }
            switch self {
            case .dollar: return letter - 64
            case .plus: return letter + 32
            case .slash: return letter <= 79 ? letter - 32 : letter == 90 ? 58 : nil
            case .percent:
                switch letter {
                case 65...69: return letter - 38
                case 70...74: return letter - 11
                case 75...79: return letter + 16
                case 80...84: return letter + 43
                case 85: return 0
                case 86: return 64
                case 87: return 96
                default: return 127
                }
            }
        }
    }

    /// Whether bytes are text beyond doubt: ASCII, with no other control characters than those that separate lines and
    /// the fields of messages (ISO/IEC 15434: FS, GS, RS, US and EOT).
    ///
    /// - Parameter latin1: letters of ISO 8859-1 count as well.
    package static func isText(_ bytes: [UInt8], latin1: Bool) -> Bool {
        bytes.allSatisfy { byte in
            switch byte {
            case 0x04, 0x09, 0x0A, 0x0D, 0x1C...0x1F, 0x20...0x7E: true
            case 0xA0...0xFF: latin1
            default: false
            }
        }
    }

    /// The GTIN-13 that a UPC-E of eight digits stands for.
    package static func expandedUPCE(_ text: String) -> String? {
        let digits = Array(text)
        guard digits.count == 8, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        let (system, d, check) = (digits[0], digits[1...6].map(String.init), digits[7])
        let body: String =
            switch d[5] {
            case "0", "1", "2": d[0] + d[1] + d[5] + "0000" + d[2] + d[3] + d[4]
            case "3": d[0] + d[1] + d[2] + "00000" + d[3] + d[4]
            case "4": d[0] + d[1] + d[2] + d[3] + "00000" + d[4]
            default: d[0] + d[1] + d[2] + d[3] + d[4] + "0000" + d[5]
            }
        return "0\(system)\(body)\(check)"
    }

    /// The element string of GS1 data written for people, `(01)…(10)…`: no brackets, and the group separator (0x1D)
    /// after values of variable length that something follows.
    package static func elementString(of text: String) -> String {
        var elements: [(identifier: Substring, value: String)] = []
        var rest = Substring(text)
        while let first = rest.first {
            if first == "(", let end = rest.firstIndex(of: ")") {
                let identifier = rest[rest.index(after: rest.startIndex)..<end]
                if (2...4).contains(identifier.count), identifier.allSatisfy({ $0.isASCII && $0.isNumber }) {
                    elements.append((identifier, ""))
                    rest = rest[rest.index(after: end)...]
                    continue
                }
            }
            guard !elements.isEmpty else { return text }
            elements[elements.count - 1].value.append(first)
            rest = rest.dropFirst()
        }
        return elements.enumerated().reduce(into: "") { string, element in
            string += element.element.identifier + element.element.value
            let isLast = element.offset == elements.count - 1
            if !isLast, !hasFixedLength(element.element.identifier) { string += "\u{1D}" }
        }
    }

    /// The first two digits of the identifiers whose values have a predefined length (GS1 General Specifications).
    private static func hasFixedLength(_ identifier: Substring) -> Bool {
        switch Int(identifier.prefix(2)) ?? 99 {
        case 0...4, 11...20, 31...36, 41: true
        default: false
        }
    }
}
