/// Floating-point numbers of 16 bits, by hand: `Float16` is missing on some of the platforms.
enum HalfFloat {
    /// Returns the number as one of 32 bits.
    static func widened(_ bits: UInt16) -> Float {
        let sign = UInt32(bits & 0x8000) << 16
        let (exponent, fraction) = (UInt32(bits >> 10 & 0x1F), UInt32(bits & 0x3FF))
        switch exponent {
        case 0: return (sign == 0 ? 1 : -1) * Float(fraction) * 0x1p-24
        case 31: return Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
        default: return Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
        }
    }
}
