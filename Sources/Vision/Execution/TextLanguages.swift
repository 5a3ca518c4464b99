import VisionAlgorithms
import VisionImage
import VisionModels

/// The languages of text recognition: those whose letters the networks' alphabets hold.
enum TextLanguages {
    private static let latin = ["en-US", "fr-FR", "it-IT", "de-DE", "es-ES", "pt-BR"]
    private static let chinese = ["zh-Hans", "zh-Hant"]
    /// Romanian for the accurate level only: the alphabet of the other one lacks its letters.
    private static let moreLatin = [
        "nl-NL", "sv-SE", "da-DK", "nb-NO", "fi-FI", "is-IS", "pl-PL", "cs-CZ", "sk-SK", "hu-HU", "tr-TR", "hr-HR",
        "sl-SI", "et-EE", "lv-LV", "lt-LT", "ca-ES",
    ]

    /// The identifiers of the languages of a level and a revision, as Apple's requests name them.
    static func supported(_ level: VNRequestTextRecognitionLevel, revision: Int) -> [String] {
        switch revision {
        case 1: ["en-US"]
        case 2: latin + chinese
        default: latin + chinese + moreLatin + (level == .accurate ? ["ro-RO", "ja-JP"] : [])
        }
    }

    /// The scripts of languages; all for none.
    static func scripts(_ languages: [String]) -> TextScripts {
        guard !languages.isEmpty else { return .all }
        // Latin letters occur in texts of every language.
        return languages.reduce(into: .latin) { scripts, language in
            switch language.prefix(2) {
            case "zh": scripts.insert(.han)
            case "ja": scripts.formUnion([.han, .kana])
            default: break
            }
        }
    }
}
