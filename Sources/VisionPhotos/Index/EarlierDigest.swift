import Foundation

/// The 128-bit digests of index formats 1 and 2, by which prints of such an index are found and checked. Nothing new is
/// filed under one.
enum EarlierDigest {
    static let byteCount = 16

    // The first bits of the fractional parts of the square roots of 2, 3, 5 and 7, made odd.
    private static let multipliers = SIMD4<UInt64>(
        0x6A09_E667_F3BC_C909, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1)

    static func bytes(of data: Data) -> [UInt8] {
        var sums = multipliers &+ SIMD4(repeating: UInt64(data.count))
        data.withUnsafeBytes { bytes in
            var offset = 0
            while bytes.count - offset >= 32 {
                let words = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
                sums = step(sums, words)
                offset += 32
            }
            var rest = SIMD4<UInt64>.zero
            for (index, byte) in bytes[offset...].enumerated() {
                rest[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
            }
            sums = step(sums, rest)
        }
        let first = finished(sums[0] ^ finished(sums[1] ^ finished(sums[2] ^ finished(sums[3]))))
        let second = finished(sums[3] &+ finished(sums[2] &+ finished(sums[1] &+ finished(sums[0] &+ first))))
        return [first, second].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) } }
    }

    private static func step(_ sums: SIMD4<UInt64>, _ words: SIMD4<UInt64>) -> SIMD4<UInt64> {
        let mixed = (sums ^ words) &* multipliers
        return mixed &<< 29 | mixed &>> 35
    }

    /// Every bit of the result depends on every bit of the word.
    private static func finished(_ word: UInt64) -> UInt64 {
        var word = (word ^ word >> 32) &* multipliers[1]
        word = (word ^ word >> 29) &* multipliers[3]
        return word ^ word >> 32
    }
}
