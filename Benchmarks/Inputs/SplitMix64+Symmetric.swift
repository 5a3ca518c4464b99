import VisionImage

extension SplitMix64 {
    /// Returns a number that is uniform in -1...1.
    mutating func symmetric() -> Float {
        Float(Int32(truncatingIfNeeded: next() >> 32)) * (1 / 2_147_483_648)
    }
}
