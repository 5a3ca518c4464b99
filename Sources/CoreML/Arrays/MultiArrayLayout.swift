/// The validated shape and strides of an array, in elements: no product or offset of them overflows.
struct MultiArrayLayout: Hashable, Sendable {
    let shape: [Int]
    let strides: [Int]
    /// The number of elements of the shape.
    let count: Int
    /// The number of elements from the first to the last in memory.
    let extent: Int

    /// The largest size of an array in bytes, checked before memory is allocated.
    private static let byteLimit = 1 << 40
    private static let rankLimit = 64

    /// Creates a contiguous row-major layout.
    init(shape: [Int], elementSize: Int) throws {
        try Self.check(shape)
        var strides = [Int](repeating: 1, count: shape.count)
        var stride = 1
        for axis in shape.indices.reversed() {
            strides[axis] = stride
            // An axis of length 0 must not make the strides of those before it vanish.
            stride = try Self.product(stride, max(1, shape[axis]), shape)
        }
        try self.init(shape: shape, strides: strides, elementSize: elementSize)
    }

    init(shape: [Int], strides: [Int], elementSize: Int) throws {
        try Self.check(shape)
        guard strides.count == shape.count, strides.allSatisfy({ $0 >= 0 }) else {
            throw MLModelError(
                .generic,
                "An array of shape \(shape) needs \(shape.count) strides that are not negative, not \(strides).")
        }
        var count = 1
        var last = 0
        for (length, stride) in zip(shape, strides) {
            count = try Self.product(count, length, shape)
            let (sum, overflow) = last.addingReportingOverflow(try Self.product(max(0, length - 1), stride, shape))
            guard !overflow else { throw Self.tooLarge(shape) }
            last = sum
        }
        self.shape = shape
        self.strides = strides
        self.count = count
        extent = count == 0 ? 0 : last + 1
        guard extent <= Self.byteLimit / elementSize else { throw Self.tooLarge(shape) }
    }

    var isContiguous: Bool {
        var stride = 1
        for axis in shape.indices.reversed() {
            if shape[axis] > 1, strides[axis] != stride { return false }
            stride *= max(1, shape[axis])
        }
        return true
    }

    /// Returns the offset of an element given by its index in row-major order.
    func offset(ofElement index: Int) -> Int {
        var (rest, offset) = (index, 0)
        for axis in shape.indices.reversed() {
            offset += rest % shape[axis] * strides[axis]
            rest /= shape[axis]
        }
        return offset
    }

    /// Returns the offset of the element at these indices; nil if they are out of range.
    func offset(at indices: [Int]) -> Int? {
        guard indices.count == shape.count else { return nil }
        var offset = 0
        for (axis, index) in indices.enumerated() {
            guard (0..<shape[axis]).contains(index) else { return nil }
            offset += index * strides[axis]
        }
        return offset
    }

    private static func check(_ shape: [Int]) throws {
        guard shape.count <= rankLimit, shape.allSatisfy({ $0 >= 0 }) else {
            throw MLModelError(
                .generic,
                "\(shape) is not a valid array shape: it may have up to \(rankLimit) lengths, none of them negative.")
        }
    }

    private static func product(_ a: Int, _ b: Int, _ shape: [Int]) throws -> Int {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        guard !overflow else { throw tooLarge(shape) }
        return product
    }

    private static func tooLarge(_ shape: [Int]) -> MLModelError {
        MLModelError(.generic, "An array of shape \(shape) is too large.")
    }
}
