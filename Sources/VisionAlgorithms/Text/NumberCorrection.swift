/// Reads letters among digits as the digits that look like them: on many typewriters the small l is the one as well,
/// and an O stands for a nought.
///
/// A part of a word between separators changes only if it has a digit, and besides digits nothing but such letters; in
/// words that are numbers as a whole, such as dates, other parts change as well. Each letter changes only if the
/// network takes the digit for possible.
package struct NumberCorrection: Hashable, Sendable {
    /// The digit of each letter, by class.
    private let digits: [Int: Int]
    private let isDigit: Set<Int>
    private let isSeparator: Set<Int>
    private let space: Int

    /// The lowest probability of a digit beside that of the letter.
    private static let leastRatio: Float = 1e-3
    /// The same for a letter after digits, which may be a unit such as the litre.
    private static let leastRatioOfUnit: Float = 0.1

    /// - Parameters:
    ///   - alphabet: The character of each class.
    ///   - space: The class of the space.
    package init(alphabet: [String], space: Int) {
        var classes: [String: Int] = [:]
        for (index, character) in alphabet.enumerated() where character.utf8.count == 1 && classes[character] == nil {
            classes[character] = index
        }
        var digits: [Int: Int] = [:]
        for (letter, digit) in [("l", "1"), ("I", "1"), ("|", "1"), ("O", "0"), ("o", "0")] {
            if let letter = classes[letter], let digit = classes[digit] { digits[letter] = digit }
        }
        self.digits = digits
        isDigit = Set("0123456789".compactMap { classes[String($0)] })
        isSeparator = Set(".,:;/-()".compactMap { classes[String($0)] })
        self.space = space
    }

    /// Returns a reading with letters replaced; nil if none is.
    package func applied(to reading: CTCReading, of lattice: CTCLattice) -> CTCReading? {
        var result = reading
        var isChanged = false
        for word in reading.characters.indices.split(whereSeparator: { reading.characters[$0].index == space }) {
            let parts = word.split { isSeparator.contains(reading.characters[$0].index) }
            let isNumber =
                parts.allSatisfy { isNumeric($0, of: reading) }
                && word.contains { isDigit.contains(reading.characters[$0].index) }
            for part in parts where isNumeric(part, of: reading) {
                guard isNumber || part.contains(where: { isDigit.contains(reading.characters[$0].index) }) else {
                    continue
                }
                for index in part {
                    let least = index == part.last && part.count > 1 ? Self.leastRatioOfUnit : Self.leastRatio
                    guard let character = digit(for: reading.characters[index], in: lattice, least) else { continue }
                    result.characters[index] = character
                    isChanged = true
                }
            }
        }
        return isChanged ? result : nil
    }

    /// Whether a part of a word has nothing but digits and letters that look like them.
    private func isNumeric(_ part: Range<Int>, of reading: CTCReading) -> Bool {
        part.allSatisfy { index in
            let number = reading.characters[index].index
            return isDigit.contains(number) || digits[number] != nil
        }
    }

    /// Returns the digit that a character may be; nil for none.
    private func digit(
        for character: CTCReading.Character, in lattice: CTCLattice, _ least: Float
    ) -> CTCReading.Character? {
        guard let digit = digits[character.index] else { return nil }
        let probability = lattice.probability(of: digit, step: character.step)
        guard probability >= least * character.probability else { return nil }
        // The shape is that of both.
        return .init(
            index: digit, step: character.step, probability: min(1, character.probability + probability))
    }
}
