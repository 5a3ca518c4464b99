/// Text of models as Swift source code: a model's names and descriptions may hold anything.
package enum SwiftText {
    /// Names that stand for something else as they are, or as the name of a member.
    private static let keywords: Set<String> = [
        "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit",
        "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
        "import",
        "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
        "try", "typealias", "var", "where", "while",
    ]
    /// Names that cannot be those of a member, whatever is around them.
    private static let reserved: Set<String> = ["self", "Self", "init", "Type", "Protocol"]

    /// The name as an identifier, without backticks: what cannot be part of one becomes `_`.
    package static func identifier(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let isDigit = ("0"..."9").contains(scalar)
            if result.isEmpty, isDigit { result = "_" }
            result.unicodeScalars.append(isDigit || isLetter(scalar) ? scalar : "_")
        }
        if result.allSatisfy({ $0 == "_" }) { result += "_0" }
        return reserved.contains(result) ? result + "_" : result
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_" }
        // Marks that combine with the letter before them may make another one of it, in another file's spelling.
        return scalar.properties.isAlphabetic && scalar.properties.canonicalCombiningClass == .notReordered
    }

    /// The identifier in source code.
    package static func escaped(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    /// A string literal.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case _ where isControl(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Text for a comment that ends with its line.
    static func oneLine(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isControl(scalar) ? " " : scalar) }
        return String(result).split(separator: " ").joined(separator: " ")
    }

    /// Whether a scalar may end a line, or change the order in which a line is shown.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
