/// Replaces words that no dictionary has by words that it has and that the network takes for almost as likely.
///
/// A word is a run of letters, with apostrophes inside. Digits, and letters beside them, are never touched, nor are
/// spaces and punctuation. The longer a word is, the fewer others resemble it, so the less likely its
/// replacement may be.
package struct WordCorrection: Sendable {
    /// Shorter words resemble too many others.
    private static let leastLetters = 3
    /// No dictionary has longer ones but compounds.
    private static let mostLetters = 40
    /// How much the logarithm of a word's probability may fall for each letter from the third on, and at most.
    private static let allowance = 1.0
    private static let mostAllowance = 5.0
    /// The readings of a word that are compared with the dictionary.
    private static let readingCount = 24

    private enum Kind: UInt8 { case letter, apostrophe, digit, hyphen, space, other }

    private let alphabet: [String]
    private let kinds: [Kind]

    /// - Parameter alphabet: The character of each class.
    package init(alphabet: [String]) {
        self.alphabet = alphabet
        kinds = alphabet.map { text in
            guard let character = text.first else { return .other }
            return switch character {
            case "'", "’": .apostrophe
            case "-", "‐", "¬", "\u{AD}": .hyphen
            case " ": .space
            case _ where character.isNumber: .digit
            // Scripts without spaces have no words to look up.
            case _ where character.isLetter && TextScripts.latin.contains(text): .letter
            default: .other
            }
        }
    }

    /// Returns the words of a reading, as places of its characters.
    package func words(of reading: CTCReading) -> [Range<Int>] {
        let kinds = reading.characters.map { self.kinds[$0.index] }
        var words: [Range<Int>] = []
        var start = 0
        while let first = kinds[start...].firstIndex(of: .letter) {
            var end = first + 1
            while end < kinds.count,
                kinds[end] == .letter
                    || kinds[end] == .apostrophe && end + 1 < kinds.count && kinds[end + 1] == .letter
            {
                end += 1
            }
            start = end
            let isBesideDigit = first > 0 && kinds[first - 1] == .digit || end < kinds.count && kinds[end] == .digit
            guard (Self.leastLetters...Self.mostLetters).contains(end - first), !isBesideDigit else { continue }
            words.append(first..<end)
        }
        return words
    }

    /// Returns a part of a reading as text.
    package func text(of range: Range<Int>, in reading: CTCReading) -> String {
        reading.characters[range].map { alphabet[$0.index] }.joined()
    }

    /// Returns a reading with words replaced; nil if none is.
    ///
    /// - Parameters:
    ///   - lattice: The lattice that the reading was decoded from.
    ///   - isWord: Whether a word is known, in the case in which it is written.
    package func applied(
        to reading: CTCReading, of lattice: CTCLattice, isWord: (String) -> Bool
    ) -> CTCReading? {
        var result = reading
        var isChanged = false
        // From the end, so that the places of earlier words stay.
        for range in words(of: reading).reversed() {
            let text = text(of: range, in: reading)
            guard !isDivided(range, of: reading), !isWord(text),
                let word = replacement(of: range, text, in: reading, lattice, isWord)
            else { continue }
            result.characters.replaceSubrange(range, with: word)
            isChanged = true
        }
        return isChanged ? result : nil
    }

    /// Whether a word goes on in the next line: of such a part no dictionary knows whether it is right.
    private func isDivided(_ range: Range<Int>, of reading: CTCReading) -> Bool {
        let rest = reading.characters[range.upperBound...].map { kinds[$0.index] }
        return rest.first == .hyphen && rest.allSatisfy { $0 == .hyphen || $0 == .space }
    }

    private func replacement(
        of range: Range<Int>, _ text: String, in reading: CTCReading, _ lattice: CTCLattice, _ isWord: (String) -> Bool
    ) -> [CTCReading.Character]? {
        let steps = Self.steps(of: range, in: reading, lattice)
        let readings = CTCDecoder(beamWidth: 2 * Self.readingCount).readings(
            of: lattice.part(steps), count: Self.readingCount)
        let old = reading.characters[range]
        let indices = old.map(\.index)
        guard let best = readings.first?.logProbability else { return nil }
        let own = readings.first { $0.characters.map(\.index) == indices }?.logProbability ?? best
        let least = own - min(Self.mostAllowance, Self.allowance * Double(text.count - Self.leastLetters + 1))
        for candidate in readings
        where candidate.logProbability >= least && candidate.characters.count >= Self.leastLetters {
            let isPlain = candidate.characters.allSatisfy {
                kinds[$0.index] == .letter || kinds[$0.index] == .apostrophe
            }
            guard isPlain, candidate.characters.map(\.index) != indices,
                isWord(candidate.characters.map { alphabet[$0.index] }.joined())
            else { continue }
            return candidate.characters.map { character in
                var character = character
                character.step += steps.lowerBound
                // What speaks for the letter that was there before speaks for this one now.
                let before = old.first { $0.step == character.step && $0.index != character.index }?.probability ?? 0
                character.probability = min(1, character.probability + before)
                return character
            }
        }
        return nil
    }

    /// The steps that show a word: those between its neighbours.
    private static func steps(of range: Range<Int>, in reading: CTCReading, _ lattice: CTCLattice) -> Range<Int> {
        let characters = reading.characters
        var (start, end) = (0, lattice.stepCount)
        if range.lowerBound > 0 {
            let before = characters[range.lowerBound - 1]
            start = before.step + 1
            while start < characters[range.lowerBound].step, lattice.best(ofStep: start).index == before.index {
                start += 1
            }
        }
        if range.upperBound < characters.count {
            let after = characters[range.upperBound]
            end = after.step
            while end > characters[range.upperBound - 1].step + 1, lattice.best(ofStep: end - 1).index == after.index {
                end -= 1
            }
        }
        return start..<max(start, end)
    }
}
