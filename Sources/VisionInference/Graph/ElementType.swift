/// What the elements of a tensor are.
package enum ElementType: UInt8, Hashable, Sendable, CaseIterable {
    case float32, float64, float16, bfloat16
    case int8, uint8, int16, uint16, int32, uint32, int64, uint64
    /// One byte each, 0 or 1.
    case bool

    /// Bytes of one element.
    package var size: Int {
        switch self {
        case .int8, .uint8, .bool: 1
        case .float16, .bfloat16, .int16, .uint16: 2
        case .float32, .int32, .uint32: 4
        case .float64, .int64, .uint64: 8
        }
    }

    package var isFloat: Bool {
        switch self {
        case .float32, .float64, .float16, .bfloat16: true
        default: false
        }
    }
}

/// A Swift type whose values are the elements of tensors of one element type.
///
/// `Bool` is not among them, since a byte other than 0 and 1 is no Swift `Bool`: tensors of truth values are read and
/// written as `UInt8`.
package protocol TensorScalar: BitwiseCopyable, Sendable {
    static var elementType: ElementType { get }
}

extension Float: TensorScalar { package static var elementType: ElementType { .float32 } }
extension Double: TensorScalar { package static var elementType: ElementType { .float64 } }
extension Float16: TensorScalar { package static var elementType: ElementType { .float16 } }
extension BFloat16: TensorScalar { package static var elementType: ElementType { .bfloat16 } }
extension Int8: TensorScalar { package static var elementType: ElementType { .int8 } }
extension UInt8: TensorScalar { package static var elementType: ElementType { .uint8 } }
extension Int16: TensorScalar { package static var elementType: ElementType { .int16 } }
extension UInt16: TensorScalar { package static var elementType: ElementType { .uint16 } }
extension Int32: TensorScalar { package static var elementType: ElementType { .int32 } }
extension UInt32: TensorScalar { package static var elementType: ElementType { .uint32 } }
extension Int64: TensorScalar { package static var elementType: ElementType { .int64 } }
extension UInt64: TensorScalar { package static var elementType: ElementType { .uint64 } }

/// The upper half of a 32-bit float.
package struct BFloat16: Hashable, Sendable, BitwiseCopyable {
    package var bits: UInt16

    package init(bits: UInt16) { self.bits = bits }

    /// Rounds to nearest, ties to even.
    package init(_ value: Float) {
        let pattern = value.bitPattern
        if value.isNaN {
            bits = UInt16(pattern >> 16) | 0x40
        } else {
            bits = UInt16(truncatingIfNeeded: (pattern &+ 0x7FFF &+ ((pattern >> 16) & 1)) >> 16)
        }
    }

    package var float: Float { Float(bitPattern: UInt32(bits) << 16) }
}
