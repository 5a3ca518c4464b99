/// Parses class names in the form that Ultralytics' exporter writes: `{0: 'person', 1: 'bicycle'}`.
enum PythonNames {
    /// Returns the names in the order of their numbers; nil for other forms or missing numbers.
    static func read(_ text: String) -> [String]? {
        var scanner = Scanner(text)
        guard scanner.take("{") else { return nil }
        var names: [Int: String] = [:]
        while !scanner.take("}") {
            if !names.isEmpty {
                guard scanner.take(",") else { return nil }
                if scanner.take("}") { break }
            }
            guard let number = scanner.number(), scanner.take(":"), let name = scanner.string() else { return nil }
            names[number] = name
        }
        let ordered = (0..<names.count).compactMap { names[$0] }
        return ordered.isEmpty || ordered.count != names.count ? nil : ordered
    }

    private struct Scanner {
        private var rest: Substring

        init(_ text: String) { rest = text[...] }

        mutating func take(_ character: Character) -> Bool {
            rest = rest.drop(while: \.isWhitespace)
            guard rest.first == character else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number() -> Int? {
            rest = rest.drop(while: \.isWhitespace)
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            return Int(digits)
        }

        mutating func string() -> String? {
            rest = rest.drop(while: \.isWhitespace)
            guard let quote = rest.first, quote == "'" || quote == "\"" else { return nil }
            rest.removeFirst()
            var text = ""
            while let character = rest.popFirst() {
                if character == quote { return text }
                if character == "\\" {
                    guard let escaped = rest.popFirst() else { return nil }
                    text.append(escaped)
                } else {
                    text.append(character)
                }
            }
            return nil
        }
    }
}
