/// The bits of an Aztec code's message, codeword by codeword.
public struct AztecBits: Sendable {
    /// The bits, the first one first.
    public private(set) var bits: [Bool] = []

    /// A message without bits.
    public init() {}

    /// Appends a number of so many bits.
    public mutating func append(_ value: Int, bits count: Int = 5) {
        for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
    }

    /// Appends the shift to binary, at most 31 bytes or more than that, and the bytes.
    public mutating func appendBinary(_ bytes: [UInt8]) {
        append(31)
        if bytes.count <= 31 {
            append(bytes.count)
        } else {
            append(0)
            append(bytes.count - 31, bits: 11)
        }
        for byte in bytes { append(Int(byte), bits: 8) }
    }
}

extension DrawnCode {
    /// An Aztec code (ISO/IEC 24778) of any size with any message, which the library's writer does not draw.
    public init(aztec message: AztecBits, layers: Int, isCompact: Bool) {
        let wordBits = layers <= 2 ? 6 : layers <= 8 ? 8 : layers <= 22 ? 10 : 12
        let bitCount = ((isCompact ? 88 : 112) + 16 * layers) * layers
        let data = Self.words(of: message.bits, bits: wordBits)
        let field = TestField(bits: wordBits)
        let words = field.encoded(data, checks: bitCount / wordBits - data.count)
        let message: [Bool] =
            [Bool](repeating: false, count: bitCount % wordBits)
            + words.flatMap { word in (0..<wordBits).reversed().map { word >> $0 & 1 == 1 } }

        let core = (isCompact ? 11 : 14) + 4 * layers
        let side = isCompact ? core : core + 1 + 2 * ((core / 2 - 1) / 15)
        let middle = side / 2
        var dark = [Bool](repeating: false, count: side * side)
        func set(_ x: Int, _ y: Int, _ isDark: Bool) { dark[(y + middle) * side + x + middle] = isDark }
        // The reference grid of a full code: every sixteenth row and column from the middle.
        if !isCompact {
            for line in stride(from: -(middle / 16) * 16, through: middle, by: 16) {
                for step in -middle...middle {
                    set(step, line, step % 2 == 0)
                    set(line, step, step % 2 == 0)
                }
            }
        }
        let eye = isCompact ? 4 : 6
        for y in -eye...eye {
            for x in -eye...eye { set(x, y, max(abs(x), abs(y)) % 2 == 0) }
        }
        // The mode message around it.
        let reach = eye + 1
        let ring: [(Int, Int)] =
            (-reach..<reach).map { ($0, -reach) } + (-reach..<reach).map { (reach, $0) }
            + (-reach..<reach).map { (-$0, reach) } + (-reach..<reach).map { (-reach, -$0) }
        let quarter = 2 * reach
        for corner in [ring.count - 1, 0, 1, quarter, quarter + 1, 2 * quarter - 1] {
            set(ring[corner].0, ring[corner].1, true)
        }
        let mode = isCompact ? (layers - 1) << 6 | (data.count - 1) : (layers - 1) << 11 | (data.count - 1)
        let modeWords = TestField(bits: 4).encoded(
            (0..<(isCompact ? 2 : 4)).reversed().map { mode >> (4 * $0) & 15 }, checks: isCompact ? 5 : 6)
        let modePositions = (0..<4).flatMap { side in
            (2..<quarter - 1).filter { isCompact || $0 != reach }.map { side * quarter + $0 }
        }
        for (index, position) in modePositions.enumerated() {
            set(ring[position].0, ring[position].1, modeWords[index / 4] >> (3 - index % 4) & 1 == 1)
        }
        // The layers from the outermost inwards, from the corner at the top left counterclockwise.
        func position(_ index: Int) -> Int {
            if isCompact { return index - core / 2 }
            let distance = index < core / 2 ? core / 2 - 1 - index : index - core / 2
            let position = distance + 1 + distance / 15
            return index < core / 2 ? -position : position
        }
        var next = 0
        for layer in 0..<layers {
            for side in 0..<4 {
                for along in 0..<core - 2 - 4 * layer {
                    for across in 0..<2 {
                        var (x, y) = (2 * layer + across, 2 * layer + along)
                        for _ in 0..<side { (x, y) = (y, core - 1 - x) }
                        set(position(x), position(y), message[next])
                        next += 1
                    }
                }
            }
        }
        self.init(width: side, height: side, modules: dark)
    }

    /// Bits in words of which none has equal bits only; ones behind the end.
    private static func words(of bits: [Bool], bits count: Int) -> [Int] {
        var words: [Int] = []
        var next = 0
        while next < bits.count {
            var word = (0..<count).reduce(0) { $0 << 1 | (next + $1 < bits.count ? (bits[next + $1] ? 1 : 0) : 1) }
            let head = word >> 1
            if head == 0 || head == (1 << (count - 1)) - 1 {
                word = head << 1 | (head == 0 ? 1 : 0)
                next += count - 1
            } else {
                next += count
            }
            words.append(word)
        }
        return words
    }
}

/// GF(2^m) with the polynomials of Aztec codes, for their check words.
private struct TestField {
    private let bits: Int
    private let polynomial: Int

    init(bits: Int) {
        self.bits = bits
        polynomial = [4: 0x13, 6: 0x43, 8: 0x12D, 10: 0x409, 12: 0x1069][bits] ?? 0
    }

    private func product(_ a: Int, _ b: Int) -> Int {
        var (sum, factor) = (0, a)
        for bit in 0..<bits {
            if b >> bit & 1 == 1 { sum ^= factor }
            factor <<= 1
            if factor >> bits == 1 { factor ^= polynomial }
        }
        return sum
    }

    /// Returns the data and check words behind it; the generator has the first powers of x as roots.
    func encoded(_ data: [Int], checks: Int) -> [Int] {
        var generator = [1]
        var root = 1
        for _ in 0..<checks {
            root = product(root, 2)
            var next = generator + [0]
            for (index, factor) in generator.enumerated() { next[index + 1] ^= product(factor, root) }
            generator = next
        }
        var remainder = data + [Int](repeating: 0, count: checks)
        for index in data.indices where remainder[index] != 0 {
            let factor = remainder[index]
            for (offset, part) in generator.enumerated() { remainder[index + offset] ^= product(factor, part) }
        }
        return data + remainder.suffix(checks)
    }
}
