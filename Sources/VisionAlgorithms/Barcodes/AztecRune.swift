/// The values of Aztec runes (ISO/IEC 24778, annex A): the core of a compact Aztec code whose mode message is a number
/// from 0 to 255, with every second bit inverted so that it is not a valid mode message of a code.
enum AztecRune {
    /// The distance of the mode message from the centre, in modules.
    static let reach = 5

    /// Codewords of four bits: two data codewords and five check codewords.
    private static let wordCount = 7
    /// The maximum number of wrong codewords. Five check codewords correct two; the limit of one avoids false
    /// positives.
    private static let mostErrors = 1
    /// The maximum number of wrong modules of the marks in the corners.
    private static let mostMarkErrors = 1

    /// Returns the codewords of a value.
    static func words(of value: UInt8) -> [UInt8] {
        // Reed-Solomon over GF(16) with x⁴ + x + 1; the generator's roots are the first five powers of x.
        var generator: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<5 {
            root = product(root, 2)
            var next = generator + [0]
            for (index, factor) in generator.enumerated() { next[index + 1] ^= product(factor, root) }
            generator = next
        }
        let data = [value >> 4, value & 15]
        var remainder = data + [UInt8](repeating: 0, count: 5)
        for index in 0..<2 {
            let factor = remainder[index]
            for (offset, part) in generator.enumerated() { remainder[index + offset] ^= product(factor, part) }
        }
        return (data + remainder.suffix(5)).map { $0 ^ 0b1010 }
    }

    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var (sum, factor): (UInt8, UInt8) = (0, a)
        for bit in 0..<4 {
            if b & (1 << bit) != 0 { sum ^= factor }
            factor = factor << 1 ^ (factor & 8 != 0 ? 0b10011 : 0)
        }
        return sum
    }

    private static let allWords = (0...255).map { words(of: UInt8($0)) }

    /// The modules of the mode message and its marks, clockwise from the corner at the top left.
    private static let ring: [(x: Int, y: Int)] = {
        let steps = -reach..<reach
        return steps.map { ($0, -reach) } + steps.map { (reach, $0) } + steps.map { (-$0, reach) }
            + steps.map { (-reach, -$0) }
    }()

    /// The dark modules beside and in the corners: three at the top left, then two, one and none.
    private static let marks: [(position: Int, isDark: Bool)] = [
        (39, true), (0, true), (1, true), (9, false), (10, true), (11, true), (19, true), (20, false), (21, false),
        (29, false), (30, false), (31, false),
    ]

    /// Returns the value of a rune and the number of quarter turns clockwise by which it is rotated; nil for no rune.
    ///
    /// - Parameter isDark: Whether a module is dark; (0, 0) is the centre.
    static func value(_ isDark: (Int, Int) -> Bool) -> (value: UInt8, turns: Int)? {
        let modules = ring.map { isDark($0.x, $0.y) }
        for turns in 0..<4 {
            func module(_ position: Int) -> Bool { modules[(position + 10 * turns) % 40] }
            let wrong = marks.filter { module($0.position) != $0.isDark }.count
            guard wrong <= mostMarkErrors else { continue }
            var words = [UInt8](repeating: 0, count: wordCount)
            for bit in 0..<28 where module(bit / 7 * 10 + 2 + bit % 7) { words[bit / 4] |= 8 >> (bit % 4) }
            for (value, known) in allWords.enumerated() where zip(words, known).filter({ $0 != $1 }).count <= mostErrors
            {
                return (UInt8(value), turns)
            }
        }
        return nil
    }
}
