/// SHA-256 (FIPS 180-4), a piece of the message at a time.
package struct SHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The end of the message so far that does not fill a block.
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    private static let blockSize = 64

    package init() {}

    /// The digest of a whole message in lower-case hexadecimal.
    package static func hex(of message: [UInt8]) -> String {
        var hash = SHA256()
        message.withUnsafeBytes { hash.update($0) }
        return hash.finish()
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let head = rest.prefix(Self.blockSize - pending.count)
            pending.append(contentsOf: head)
            rest = rest.dropFirst(head.count)
            guard pending.count == Self.blockSize else { return }
            let block = pending
            pending.removeAll(keepingCapacity: true)
            block.withUnsafeBytes { absorb($0) }
        }
        let whole = rest.count / Self.blockSize * Self.blockSize
        absorb(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
        pending.append(contentsOf: rest.dropFirst(whole))
    }

    /// Ends the message: the digest in lower-case hexadecimal. Nothing may be added after that.
    package mutating func finish() -> String {
        let bits = length &* 8
        var tail: [UInt8] = [0x80]
        let filled = (pending.count + 1 + 8) % Self.blockSize
        tail += [UInt8](repeating: 0, count: filled == 0 ? 0 : Self.blockSize - filled)
        tail += (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
        tail.withUnsafeBytes { update($0) }
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Takes whole blocks in.
    private mutating func absorb(_ blocks: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            Self.constants.withUnsafeBufferPointer { constants in
                for start in stride(from: 0, to: blocks.count, by: Self.blockSize) {
                    for index in 0..<16 {
                        words[index] = UInt32(
                            bigEndian: blocks.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self))
                    }
                    for index in 16..<64 {
                        let (early, late) = (words[index - 15], words[index - 2])
                        let first = Self.rotated(early, 7) ^ Self.rotated(early, 18) ^ early >> 3
                        let second = Self.rotated(late, 17) ^ Self.rotated(late, 19) ^ late >> 10
                        words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
                    }
                    compress(words, constants)
                }
            }
        }
    }

    private mutating func compress(
        _ words: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let sumE = Self.rotated(e, 6) ^ Self.rotated(e, 11) ^ Self.rotated(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sumE &+ choice &+ constants[round] &+ words[round]
            let sumA = Self.rotated(a, 2) ^ Self.rotated(a, 13) ^ Self.rotated(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sumA &+ majority)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// The fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = {
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map { prime in
            // The largest root with root³ ≤ prime · 2⁹⁶, in whole numbers: 35 bits of it are enough.
            var root: UInt64 = 0
            for bit in stride(from: 35, through: 0, by: -1) {
                let trial = root | 1 << UInt64(bit)
                if cube(trial, isAtMost: prime) { root = trial }
            }
            return UInt32(truncatingIfNeeded: root)
        }
    }()

    /// Whether root³ ≤ prime · 2⁹⁶, for roots below 2³⁶.
    private static func cube(_ root: UInt64, isAtMost prime: UInt64) -> Bool {
        let square = root.multipliedFullWidth(by: root)
        let low = square.low.multipliedFullWidth(by: root)
        let (high, overflow) = (square.high &* root).addingReportingOverflow(low.high)
        // The cube is high · 2⁶⁴ + low.low; the bound's lower 64 bits are zero.
        let bound = prime << 32
        return !overflow && (high < bound || (high == bound && low.low == 0))
    }
}
