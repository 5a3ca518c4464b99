import Foundation

/// One way to read a line of text, with the place of each character along the line.
package struct TextLineReading: Equatable, Sendable {
    package var text: String
    /// How likely the whole text is right, 0…1: a score, or the probability that `TextConfidence` makes of it.
    package var confidence: Float
    /// The number of UTF-8 bytes of each character of the network's alphabet.
    package var lengths: [Int]
    /// Where each character begins and ends, as shares of the line's length from its beginning.
    package var spans: [ClosedRange<Double>]

    package init(text: String, confidence: Float, lengths: [Int], spans: [ClosedRange<Double>]) {
        (self.text, self.confidence, self.lengths, self.spans) = (text, confidence, lengths, spans)
    }

    /// Creates the text of a reading.
    ///
    /// - Parameters:
    ///   - reading: What was decoded.
    ///   - alphabet: The character of each class.
    ///   - stepLength: The length of a step, as a share of the line's length.
    ///   - offset: Where the first step begins, as a share of the line's length; below 0 for a margin before the line.
    package init(_ reading: CTCReading, alphabet: [String], stepLength: Double, offset: Double) {
        let characters = Self.written(reading, alphabet: alphabet)
        let texts = characters.map { alphabet[$0.index] }
        text = texts.joined()
        lengths = texts.map(\.utf8.count)
        spans = Self.spans(
            of: characters.map { offset + (Double($0.step) + 0.5) * stepLength },
            isSpace: texts.map { $0 == " " })
        confidence = TextConfidence.score(characters.map(\.probability))
    }

    /// Returns the score of a reading.
    package static func score(of reading: CTCReading, alphabet: [String]) -> Float {
        TextConfidence.score(written(reading, alphabet: alphabet).map(\.probability))
    }

    /// The characters of a reading without what nobody wrote: spaces at the ends, and further ones after a space.
    private static func written(_ reading: CTCReading, alphabet: [String]) -> [CTCReading.Character] {
        var characters: [CTCReading.Character] = []
        characters.reserveCapacity(reading.characters.count)
        var isAfterSpace = true
        for character in reading.characters {
            let isSpace = alphabet[character.index] == " "
            if !isSpace || !isAfterSpace { characters.append(character) }
            isAfterSpace = isSpace
        }
        if isAfterSpace, !characters.isEmpty { characters.removeLast() }
        return characters
    }

    /// Returns a text without what is a matter of typesetting: compatibility forms such as wide letters and
    /// raised digits, curly quotes and long dashes.
    package static func plain(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        return String(
            text.precomposedStringWithCompatibilityMapping.map { character -> Character in
                switch character {
                case "‘", "’", "‚", "′", "´", "`": "'"
                case "“", "”", "„", "«", "»": "\""
                case "–", "—", "‐", "‑", "−", "―": "-"
                default: character
                }
            })
    }

    /// Returns where characters begin and end, from their middles: half-way to their neighbours, but no further from
    /// the middle than half of the usual distance beside spaces. The first and the last character reach to the ends of
    /// the line, where its ink ends, if these are near.
    private static func spans(of middles: [Double], isSpace: [Bool]) -> [ClosedRange<Double>] {
        let distances = zip(middles.indices.dropFirst(), middles.indices).compactMap { next, index in
            isSpace[next] || isSpace[index] ? nil : middles[next] - middles[index]
        }.sorted()
        let usual = distances.isEmpty ? 0.5 / Double(max(1, middles.count)) : distances[distances.count / 2]
        return middles.indices.map { index in
            func edge(_ neighbour: Int) -> Double {
                let direction = neighbour < index ? -1.0 : 1.0
                guard middles.indices.contains(neighbour) else {
                    let end = direction < 0 ? 0.0 : 1
                    return abs(end - middles[index]) <= 1.5 * usual ? end : middles[index] + direction * usual / 2
                }
                let halfWay = (middles[index] + middles[neighbour]) / 2
                guard isSpace[neighbour], !isSpace[index] else { return halfWay }
                let limit = middles[index] + direction * usual / 2
                return direction < 0 ? max(limit, halfWay) : min(limit, halfWay)
            }
            let (start, end) = (min(max(edge(index - 1), 0), 1), min(max(edge(index + 1), 0), 1))
            return min(start, end)...max(start, end)
        }
    }

    /// Returns where a part of the text begins and ends along the line.
    ///
    /// - Parameter bytes: The part, in UTF-8 bytes of the text.
    /// - Returns: nil for a part without characters.
    package func span(ofBytes bytes: Range<Int>) -> ClosedRange<Double>? {
        var (start, end) = (Double.infinity, -Double.infinity)
        var position = 0
        for (length, span) in zip(lengths, spans) {
            if position < bytes.upperBound, position + length > bytes.lowerBound, !bytes.isEmpty {
                start = min(start, span.lowerBound)
                end = max(end, span.upperBound)
            }
            position += length
        }
        return start <= end ? start...end : nil
    }
}
