/// Sets of scripts that text may be written in.
package struct TextScripts: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Latin letters with all accents.
    package static let latin = TextScripts(rawValue: 1)
    /// Chinese characters with their punctuation.
    package static let han = TextScripts(rawValue: 2)
    /// Japanese syllables.
    package static let kana = TextScripts(rawValue: 4)
    /// Whatever the network knows.
    package static let all = TextScripts(rawValue: 0xFFFF)

    /// Whether a character may occur. Digits, ASCII punctuation, currency signs and other symbols always may.
    package func contains(_ character: String) -> Bool {
        guard self != .all, let scalar = character.unicodeScalars.first else { return true }
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x1E00...0x1EFF:
            return contains(.latin)
        // Many look like Latin letters; the networks lack one that Greek needs.
        case 0x370...0x3FF: return false
        case 0x3040...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: return contains(.kana)
        case 0x2E80...0x303F, 0x3400...0x9FFF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF01...0xFF60, 0x20000...0x3FFFF:
            return contains(.han) || contains(.kana)
        default: return true
        }
    }
}
