import Foundation

/// Words that a reader of text should expect, such as names of products.
///
/// A word of a reading that resembles one of them becomes that word, if the network's lattice does not speak clearly
/// against it: the probability of the line with the word may be lower than that without it by a factor.
package struct CustomWords: Hashable, Sendable {
    /// The most that the logarithm of a line's probability may fall for one replaced character.
    private static let allowance = 5.0
    /// The probability of a class that a step of the lattice has left out.
    private static let floor = 1e-5

    private let words: [String]

    /// - Parameter words: In any case; a reading gets them as they are written here.
    package init(_ words: [String]) { self.words = words.filter { !$0.isEmpty && !$0.contains(" ") } }

    package var isEmpty: Bool { words.isEmpty }

    /// Whether a word is one of them, as it is written.
    package func contains(_ word: String) -> Bool { words.contains(word) }

    /// Returns a reading with words replaced; nil if none is.
    ///
    /// - Parameters:
    ///   - classes: The class of each character of the alphabet.
    ///   - space: The class of the space.
    package func applied(
        to reading: CTCReading, of lattice: CTCLattice, classes: [String: Int], alphabet: [String], space: Int
    ) -> CTCReading? {
        var result = reading
        var isChanged = false
        // From the end, so that the positions of earlier words stay.
        for range in Self.words(of: reading, space: space).reversed() {
            let old = result.characters[range]
            let text = old.map { alphabet[$0.index] }.joined()
            guard let word = nearest(to: text), word != text,
                let new = Self.replacement(old, word, lattice, classes)
            else { continue }
            var candidate = result
            candidate.characters.replaceSubrange(range, with: new)
            let changes = Double(max(1, Self.distance(word, text) ?? 1))
            let before = Self.logProbability(of: result.characters.map(\.index), lattice)
            let after = Self.logProbability(of: candidate.characters.map(\.index), lattice)
            if after >= before - Self.allowance * changes {
                result = candidate
                isChanged = true
            }
        }
        return isChanged ? result : nil
    }

    /// The word that resembles a text most; nil if none does.
    private func nearest(to text: String) -> String? {
        words.compactMap { word in Self.distance(word, text).map { (word, $0) } }.min { $0.1 < $1.1 }?.0
    }

    private static func words(of reading: CTCReading, space: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for (index, character) in reading.characters.enumerated() where character.index == space {
            if index > start { ranges.append(start..<index) }
            start = index + 1
        }
        if reading.characters.count > start { ranges.append(start..<reading.characters.count) }
        return ranges
    }

    /// Returns the number of characters to change, case aside; nil for more than a third of the word.
    private static func distance(_ word: String, _ text: String) -> Int? {
        let (a, b) = (Array(word.lowercased()), Array(text.lowercased()))
        let limit = max(1, a.count / 3)
        guard abs(a.count - b.count) <= limit, a.count > 2 || a == b else { return nil }
        var row = Array(0...b.count)
        for i in a.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (a[i] == b[j] ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = next
            }
        }
        return row[b.count] <= limit ? row[b.count] : nil
    }

    /// Returns the characters of a word in the place of others; nil where the alphabet lacks one.
    private static func replacement(
        _ old: ArraySlice<CTCReading.Character>, _ word: String, _ lattice: CTCLattice, _ classes: [String: Int]
    ) -> [CTCReading.Character]? {
        guard let first = old.first, let last = old.last else { return nil }
        let texts = word.map(String.init)
        let steps = Array(old.map(\.step))
        var characters: [CTCReading.Character] = []
        for (index, text) in texts.enumerated() {
            guard let number = classes[text] else { return nil }
            let share = texts.count > 1 ? Double(index) / Double(texts.count - 1) : 0.5
            let step =
                texts.count == steps.count
                ? steps[index] : Int((Double(first.step) + share * Double(last.step - first.step)).rounded())
            // The character may stand beside the step that it is put at.
            let seen = (first.step...max(first.step, last.step)).map { lattice.probability(of: number, step: $0) }.max()
            characters.append(.init(index: number, step: step, probability: seen ?? 0))
        }
        return characters
    }

    /// Returns the logarithm of the probability that the lattice shows a sequence of classes (the forward algorithm).
    private static func logProbability(of classes: [Int], _ lattice: CTCLattice) -> Double {
        // States: none, character, none, character, …, none.
        let count = 2 * classes.count + 1
        var values = [Double](repeating: 0, count: count)
        values[0] = 1
        var logarithm = 0.0
        for step in 0..<lattice.stepCount {
            let none = max(Double(lattice.probability(of: 0, step: step)), floor)
            var next = [Double](repeating: 0, count: count)
            for state in 0..<count {
                var sum = values[state] + (state > 0 ? values[state - 1] : 0)
                let character = state / 2
                guard !state.isMultiple(of: 2) else {
                    next[state] = sum * none
                    continue
                }
                if character > 0, classes[character] != classes[character - 1] { sum += values[state - 2] }
                next[state] = sum * max(Double(lattice.probability(of: classes[character], step: step)), floor)
            }
            if step == 0 { for state in 2..<max(2, count) { next[state] = 0 } }
            let scale = next.reduce(0, +)
            guard scale > 0 else { return -.infinity }
            logarithm += log(scale)
            values = next.map { $0 / scale }
        }
        let end = values[count - 1] + (count > 1 ? values[count - 2] : 0)
        return end > 0 ? logarithm + log(end) : -.infinity
    }
}
