/// What loops and conditions of a file may ask for.
enum LoopLimits {
    /// Iterations that are put behind each other before a run; longer loops are worked through during it.
    static let unrolled = 1 << 10
    /// Iterations of a loop of Core ML.
    static let longest = 1 << 14
    /// Conditions within conditions.
    static let deepest = 32
}
