/// One scale and zero point for a whole tensor of bytes, in terms of unsigned bytes: the zero point of signed ones is
/// 128 more than the file's, and their top bit is inverted.
struct QuantisedScale: Hashable, Sendable {
    var scale: Float
    var zeroPoint: Int
    /// The tensor's own bytes are signed.
    var isSigned: Bool

    init(scale: Float, zeroPoint: Int, isSigned: Bool) {
        self.scale = scale
        self.zeroPoint = zeroPoint
        self.isSigned = isSigned
    }

    /// From the inputs of QuantizeLinear or DequantizeLinear; nil unless scale and zero point are constant, one for
    /// all, and those of bytes. A scale that is not above zero is none.
    init?(_ inputs: [TensorDescription?], type: ElementType) {
        guard type == .uint8 || type == .int8, inputs.count > 1, let scales = inputs[1]?.constant?.floats,
            scales.count == 1, scales[0] > 0, scales[0].isFinite
        else { return nil }
        var zeroPoint = 0
        if inputs.count > 2, let input = inputs[2] {
            guard let integers = input.constant?.integers, integers.count == 1 else { return nil }
            zeroPoint = integers[0]
        }
        let isSigned = type == .int8
        guard (isSigned ? -128...127 : 0...255).contains(zeroPoint) else { return nil }
        self.init(scale: scales[0], zeroPoint: isSigned ? zeroPoint + 128 : zeroPoint, isSigned: isSigned)
    }

    /// What turns the tensor's bytes into unsigned ones.
    var flip: UInt8 { isSigned ? 0x80 : 0 }

    /// The float that an unsigned byte stands for.
    func value(_ byte: UInt8) -> Float { Float(Int(byte) - zeroPoint) * scale }

    /// The unsigned byte nearest to a float.
    func byte(_ value: Float) -> UInt8 { UInt8(quantised(value / scale, zeroPoint: zeroPoint, 0...255)) }
}

/// zero point + round(value), halves to the even neighbour, within a range; what is not a number becomes the least.
func quantised(_ value: Float, zeroPoint: Int, _ range: ClosedRange<Int>) -> Int {
    let whole = value.rounded(.toNearestOrEven)
    guard whole > Float(range.lowerBound - zeroPoint) else { return range.lowerBound }
    guard whole < Float(range.upperBound - zeroPoint) else { return range.upperBound }
    return min(max(Int(whole) + zeroPoint, range.lowerBound), range.upperBound)
}
