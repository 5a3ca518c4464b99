/// Which scale belongs to which element of a tensor: one for all, or one for each index along an axis.
struct QuantisationAxis: Hashable, Sendable {
    /// Elements are counted as outer × count × inner; the middle one chooses the scale.
    var outer: Int
    var count: Int
    var inner: Int

    /// - Parameter axis: as the file counts it; ignored when there is one scale.
    init(_ shape: Shape, axis: Int, scales: Shape) throws {
        guard scales.count <= 1 else {
            throw ModelError.unsupported("scales of blocks")
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
