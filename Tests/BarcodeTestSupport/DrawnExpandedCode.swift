/// A GS1 DataBar Expanded (ISO/IEC 24724), which the library does not write, module by module.
public struct DrawnExpandedCode: Sendable {
    /// The rows of the symbol, true where a module is dark, without a quiet zone.
    public let rows: [[Bool]]

    /// The finder patterns of a symbol, A to F as 1 to 6, negative from right to left, by the number of pairs.
    private static let finders: [Int: [Int]] = [
        2: [1, -1], 3: [1, -2, 2], 4: [1, -3, 2, -4], 5: [1, -5, 2, -4, 3], 6: [1, -5, 2, -4, 4, -6],
        7: [1, -5, 2, -4, 5, -6, 6], 8: [1, -1, 2, -2, 3, -3, 4, -4], 9: [1, -1, 2, -2, 3, -3, 4, -5, 5],
        10: [1, -1, 2, -2, 3, -3, 4, -5, 6, -6], 11: [1, -1, 2, -2, 3, -4, 4, -5, 5, -6, 6],
    ]
    private static let finderWidths = [
        [1, 8, 4, 1, 1], [3, 6, 4, 1, 1], [3, 4, 6, 1, 1], [3, 2, 8, 1, 1], [2, 6, 5, 1, 1], [2, 2, 9, 1, 1],
    ]

    /// A symbol of an element string of digits: those of a GTIN-14 by themselves where `isGTIN`, else in numeric
    /// encodation.
    ///
    /// - Parameters:
    ///   - digits: The thirteen digits of the GTIN before its check digit, or an even number of digits.
    ///   - pairsInRow: The number of pairs of characters in a row; nil for one row.
    ///   - checkOffset: What is added to the check character.
    public init(digits: String, isGTIN: Bool, pairsInRow: Int? = nil, checkOffset: Int = 0) {
        let values = digits.compactMap(\.wholeNumberValue)
        var data: [Bool] = []
        func append(_ number: Int, bits: Int) {
            for bit in (0..<bits).reversed() { data.append(number >> bit & 1 == 1) }
        }
        append(0, bits: 1)
        append(isGTIN ? 1 : 0, bits: isGTIN ? 1 : 2)
        let sizeBits = data.count
        append(0, bits: 2)
        if isGTIN {
            append(values[0], bits: 4)
            for first in stride(from: 1, to: 13, by: 3) {
                append(100 * values[first] + 10 * values[first + 1] + values[first + 2], bits: 10)
            }
        } else {
            for first in stride(from: 0, to: values.count, by: 2) {
                append(11 * values[first] + values[first + 1] + 8, bits: 7)
            }
        }
        let count = max(3, (data.count + 11) / 12)
        data[sizeBits] = (count + 1) % 2 == 1
        data[sizeBits + 1] = count + 1 > 14
        // The change to alphanumeric encodation, then pairs of changes.
        var padding = [false, false, false, false]
        while data.count + padding.count < 12 * count { padding += [false, false, true, false, false] }
        data += padding.prefix(12 * count - data.count)
        let characters = (0..<count).map { number in
            data[(12 * number)..<(12 * number + 12)].reduce(0) { 2 * $0 + ($1 ? 1 : 0) }
        }
        rows = Self.rows(of: characters, pairsInRow: pairsInRow, checkOffset: checkOffset)
    }

    private static func rows(of characters: [Int], pairsInRow: Int?, checkOffset: Int) -> [[Bool]] {
        let pairs = (characters.count + 2) / 2
        let finders = Self.finders[pairs] ?? []
        var sum = 0
        for (index, character) in characters.enumerated() {
            let finder = finders[(index + 1) / 2]
            let row = 4 * (abs(finder) - 1) + (finder < 0 ? 2 : 0) + (index % 2 == 0 ? 1 : 0)
            var power = 1
            for _ in 0..<(8 * (row - 1)) { power = power * 3 % 211 }
            for width in widths(of: character) {
                sum += width * power
                power = power * 3 % 211
            }
        }
        let check = 211 * (characters.count + 1 - 4) + (sum + checkOffset) % 211
        let all = [check] + characters
        var rows: [[Bool]] = []
        for first in stride(from: 0, to: pairs, by: pairsInRow ?? pairs) {
            var elements = [1, 1]
            for pair in first..<min(pairs, first + (pairsInRow ?? pairs)) {
                elements += widths(of: all[2 * pair])
                let finder = finderWidths[abs(finders[pair]) - 1]
                elements += finders[pair] > 0 ? finder : finder.reversed()
                if 2 * pair + 1 < all.count { elements += widths(of: all[2 * pair + 1]).reversed() }
            }
            elements += [1, 1]
            rows.append(elements.enumerated().flatMap { [Bool](repeating: $0.offset % 2 == 1, count: $0.element) })
        }
        return rows
    }

    /// Returns the eight widths of a character, found by counting.
    private static func widths(of character: Int) -> [Int] {
        let groups = [(12, 7, 0), (10, 5, 348), (8, 4, 1388), (6, 3, 2948), (4, 1, 3988)]
        guard let (modules, widest, first) = groups.last(where: { $0.2 <= character }) else { return [] }
        let odd = splits(modules, widest).filter { $0.contains(1) }
        let even = splits(17 - modules, 9 - widest)
        let (one, other) = (odd[(character - first) / even.count], even[(character - first) % even.count])
        return zip(one, other).flatMap { [$0, $1] }
    }

    /// Returns all ways to split modules into four elements, in order.
    private static func splits(_ modules: Int, _ widest: Int) -> [[Int]] {
        var all: [[Int]] = []
        for a in 1...widest {
            for b in 1...widest {
                for c in 1...widest where (1...widest).contains(modules - a - b - c) {
                    all.append([a, b, c, modules - a - b - c])
                }
            }
        }
        return all
    }
}
