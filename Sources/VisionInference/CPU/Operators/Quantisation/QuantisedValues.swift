/// Which scale belongs to which element of a tensor: one for all, or one for each index along an axis.
struct QuantisationAxis: Hashable, Sendable {
    /// Elements are counted as outer × count × inner; the middle one chooses the scale.
    var outer: Int
    var count: Int
    var inner: Int

    /// - Parameter axis: as the file counts it; not looked at when there is one scale.
    init(_ shape: Shape, axis: Int, scales: Shape) throws {
        guard scales.count <= 1 else {
            throw ModelError.unsupported(operator: "QuantizeLinear", node: "", reason: "scales of blocks")
        }
        guard scales.elementCount != 1 else {
            (outer, count, inner) = (1, 1, shape.elementCount)
            return
        }
        let axis = try shape.resolvedAxis(axis)
        guard shape[axis] == scales.elementCount else {
            throw ModelError.invalid("\(scales.elementCount) scales for axis \(axis) of shape \(shape)")
        }
        outer = shape[..<axis].reduce(1, *)
        count = shape[axis]
        inner = shape[(axis + 1)...].reduce(1, *)
    }

    /// Calls `body` with the elements of each scale that lie together.
    func forEachRun(_ body: (_ scale: Int, _ elements: Range<Int>) -> Void) {
        guard inner > 0 else { return }
        for outer in 0..<outer {
            for index in 0..<count {
                let start = (outer * count + index) * inner
                body(index, start..<start + inner)
            }
        }
    }
}

extension TensorView {
    /// The elements of a tensor of floats as 32-bit ones; nil for other types. Allocates.
    var floatElements: [Float]? {
        switch type {
        case .float32: Array(elements(Float.self))
        case .float64: elements(Double.self).map { Float($0) }
        case .float16: elements(Float16.self).map { Float($0) }
        case .bfloat16: elements(BFloat16.self).map(\.float)
        default: nil
        }
    }

    /// The elements of a tensor of integers of at most 32 bits; nil for other types. Allocates.
    var smallIntegers: [Int]? {
        switch type {
        case .int8: elements(Int8.self).map { Int($0) }
        case .uint8: elements(UInt8.self).map { Int($0) }
        case .int16: elements(Int16.self).map { Int($0) }
        case .uint16: elements(UInt16.self).map { Int($0) }
        case .int32: elements(Int32.self).map { Int($0) }
        default: nil
        }
    }

    /// Stores floats in a tensor of floats of any size.
    func store(_ values: some Sequence<Float>) {
        switch type {
        case .float32: for (index, value) in values.enumerated() { elements(Float.self)[index] = value }
        case .float64: for (index, value) in values.enumerated() { elements(Double.self)[index] = Double(value) }
        case .float16: for (index, value) in values.enumerated() { elements(Float16.self)[index] = Float16(value) }
        case .bfloat16: for (index, value) in values.enumerated() { elements(BFloat16.self)[index] = BFloat16(value) }
        default: break
        }
    }

    /// Stores integers that the tensor's type can hold.
    func store(integers values: some Sequence<Int>) {
        switch type {
        case .int8: for (index, value) in values.enumerated() { elements(Int8.self)[index] = Int8(clamping: value) }
        case .uint8: for (index, value) in values.enumerated() { elements(UInt8.self)[index] = UInt8(clamping: value) }
        case .int16: for (index, value) in values.enumerated() { elements(Int16.self)[index] = Int16(clamping: value) }
        case .uint16:
            for (index, value) in values.enumerated() { elements(UInt16.self)[index] = UInt16(clamping: value) }
        case .int32: for (index, value) in values.enumerated() { elements(Int32.self)[index] = Int32(clamping: value) }
        default: break
        }
    }
}

extension ElementType {
    /// The integers of a type that numbers are quantised to; nil for other types.
    var quantisedRange: ClosedRange<Int>? {
        switch self {
        case .int8: -128...127
        case .uint8: 0...255
        case .int16: -32768...32767
        case .uint16: 0...65535
        case .int32: Int(Int32.min)...Int(Int32.max)
        default: nil
        }
    }
}

/// zero point + round(value), halves to the even neighbour, within a range; what is not a number becomes the least.
func quantised(_ value: Float, zeroPoint: Int, _ range: ClosedRange<Int>) -> Int {
    let whole = value.rounded(.toNearestOrEven)
    guard whole > Float(range.lowerBound - zeroPoint) else { return range.lowerBound }
    guard whole < Float(range.upperBound - zeroPoint) else { return range.upperBound }
    return min(max(Int(whole) + zeroPoint, range.lowerBound), range.upperBound)
}
