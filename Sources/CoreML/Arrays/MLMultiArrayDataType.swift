/// The type of the numbers in an `MLMultiArray`. The raw values are Apple's.
public enum MLMultiArrayDataType: Int, Sendable {
    /// 64-bit floating point.
    case double = 65600
    /// 32-bit floating point.
    case float32 = 65568
    /// 16-bit floating point.
    case float16 = 65552
    /// 32-bit signed integers.
    case int32 = 131104

    /// 64-bit floating point.
    public static var float64: MLMultiArrayDataType { .double }
    /// 32-bit floating point.
    public static var float: MLMultiArrayDataType { .float32 }

    /// The size of one number in bytes.
    package var size: Int {
        switch self {
        case .double: 8
        case .float32, .int32: 4
        case .float16: 2
        }
    }
}

/// A type whose values an `MLMultiArray` can hold: `Double`, `Float`, `Float16` and `Int32`.
public protocol MLShapedArrayScalar: Sendable {
    /// The array type of these values.
    static var multiArrayDataType: MLMultiArrayDataType { get }
}

extension Double: MLShapedArrayScalar {
    /// `.double`.
    public static var multiArrayDataType: MLMultiArrayDataType { .double }
}

extension Float: MLShapedArrayScalar {
    /// `.float32`.
    public static var multiArrayDataType: MLMultiArrayDataType { .float32 }
}

extension Float16: MLShapedArrayScalar {
    /// `.float16`.
    public static var multiArrayDataType: MLMultiArrayDataType { .float16 }
}

extension Int32: MLShapedArrayScalar {
    /// `.int32`.
    public static var multiArrayDataType: MLMultiArrayDataType { .int32 }
}
