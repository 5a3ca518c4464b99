/// The type of a feature. The raw values are Apple's.
public enum MLFeatureType: Int, Sendable {
    /// Not a feature.
    case invalid = 0
    /// A 64-bit integer.
    case int64 = 1
    /// A 64-bit floating-point number.
    case double = 2
    /// A string.
    case string = 3
    /// An image in a pixel buffer.
    case image = 4
    /// An array of numbers.
    case multiArray = 5
    /// Numbers by string or by integer.
    case dictionary = 6
    /// A sequence of strings or of integers.
    case sequence = 7
    /// A state that a model keeps between predictions. No model supports it here.
    case state = 8
}
