/// Which of two mirror images something is, such as a left or a right hand.
public enum VNChirality: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Left.
    case left = -1
    /// Right.
    case right = 1
}
