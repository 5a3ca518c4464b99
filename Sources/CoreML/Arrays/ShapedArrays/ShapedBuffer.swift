/// The memory of a shaped array or of a slice of one, which share it until one of them is written to.
struct ShapedBuffer<Scalar: MLShapedArrayScalar>: @unchecked Sendable {
    // Unchecked: memory is written only while it belongs to this value alone.

    private(set) var memory: PixelMemory
    /// Memory of others is copied before anything is written.
    private var isOwned: Bool
    /// Where the first scalar lies, in scalars.
    private var offset: Int
    private(set) var layout: MultiArrayLayout

    var shape: [Int] { layout.shape }
    var strides: [Int] { layout.strides }
    var count: Int { layout.count }

    private var base: UnsafeMutablePointer<Scalar> { memory.address.assumingMemoryBound(to: Scalar.self) + offset }

    private init(memory: PixelMemory, isOwned: Bool, offset: Int, layout: MultiArrayLayout) {
        self.memory = memory
        self.isOwned = isOwned
        self.offset = offset
        self.layout = layout
    }

    /// Contiguous memory whose contents are undefined.
    init(uninitialized shape: [Int]) {
        let layout = Self.checked { try MultiArrayLayout(shape: shape, elementSize: MemoryLayout<Scalar>.stride) }
        guard let memory = PixelMemory(count: layout.extent * MemoryLayout<Scalar>.stride) else {
            preconditionFailure("There is not enough memory for a shaped array of shape \(shape).")
        }
        self.init(memory: memory, isOwned: true, offset: 0, layout: layout)
    }

    /// Memory that the caller owns; nil strides: contiguous.
    ///
    /// - Parameter release: Called with the number of bytes when the memory is no longer used.
    init(
        borrowing bytes: UnsafeRawPointer, shape: [Int], strides: [Int]?, release: @escaping (Int) -> Void
    ) {
        let size = MemoryLayout<Scalar>.stride
        let layout = Self.checked {
            guard let strides else { return try MultiArrayLayout(shape: shape, elementSize: size) }
            return try MultiArrayLayout(shape: shape, strides: strides, elementSize: size)
        }
        precondition(
            Int(bitPattern: bytes) % MemoryLayout<Scalar>.alignment == 0,
            "The memory of a shaped array of \(Scalar.self) must be aligned to \(MemoryLayout<Scalar>.alignment) bytes."
        )
        let length = layout.extent * size
        let memory = PixelMemory(borrowing: UnsafeMutableRawPointer(mutating: bytes), count: length) { release(length) }
        self.init(memory: memory, isOwned: false, offset: 0, layout: layout)
    }

    /// The memory of an array, whose numbers have this type.
    init(_ array: MLMultiArray) {
        precondition(
            array.dataType == Scalar.multiArrayDataType,
            "A shaped array of \(Scalar.self) cannot show an array of \(array.dataType): use init(converting:).")
        self.init(memory: array.memory, isOwned: false, offset: 0, layout: array.layout)
    }

    private static func checked(_ make: () throws -> MultiArrayLayout) -> MultiArrayLayout {
        do {
            return try make()
        } catch {
            preconditionFailure(error.localizedDescription)
        }
    }

    // MARK: Access

    /// Calls `body` with the memory from the first scalar to the last.
    func withBuffer<R>(_ body: (UnsafeBufferPointer<Scalar>) throws -> R) rethrows -> R {
        try withExtendedLifetime(memory) {
            try body(UnsafeBufferPointer(start: UnsafePointer(base), count: layout.extent))
        }
    }

    /// Calls `body` with memory that nobody else sees.
    mutating func withMutableBuffer<R>(
        _ body: (inout UnsafeMutableBufferPointer<Scalar>, _ strides: [Int]) throws -> R
    ) rethrows -> R {
        makeUnique()
        let memory = memory
        return try withExtendedLifetime(memory) {
            var buffer = UnsafeMutableBufferPointer(start: base, count: layout.extent)
            return try body(&buffer, layout.strides)
        }
    }

    private mutating func makeUnique() {
        if isOwned, isKnownUniquelyReferenced(&memory) { return }
        self = contiguousCopy()
    }

    func contiguousCopy() -> Self {
        let copy = Self(uninitialized: shape)
        copyScalars(to: copy.base)
        return copy
    }

    subscript(scalarAt indices: some Collection<Int>) -> Scalar {
        get { withExtendedLifetime(memory) { base[checkedOffset(indices)] } }
        set {
            makeUnique()
            base[checkedOffset(indices)] = newValue
        }
    }

    private func checkedOffset(_ indices: some Collection<Int>) -> Int {
        guard let offset = layout.offset(at: Array(indices)) else {
            preconditionFailure("The indices \(Array(indices)) are out of range for a shaped array of shape \(shape).")
        }
        return offset
    }

    // MARK: Scalars in row-major order

    var scalars: [Scalar] {
        [Scalar](unsafeUninitializedCapacity: count) { buffer, initialised in
            if let start = buffer.baseAddress { copyScalars(to: start) }
            initialised = count
        }
    }

    /// Writes all scalars, in row-major order, to memory that has room for them.
    private func copyScalars(to target: UnsafeMutablePointer<Scalar>) {
        withExtendedLifetime(memory) {
            let base = base
            forEachRow { start, position, length, stride in
                if stride == 1 {
                    (target + position).update(from: base + start, count: length)
                } else {
                    for index in 0..<length { target[position + index] = base[start + index * stride] }
                }
            }
        }
    }

    /// Replaces all scalars by these, in row-major order.
    mutating func replaceScalars(with scalars: UnsafeBufferPointer<Scalar>) {
        precondition(scalars.count == count, "\(scalars.count) scalars for a shaped array of shape \(shape)")
        guard count > 0, let source = scalars.baseAddress else { return }
        makeUnique()
        let base = base
        forEachRow { start, position, length, stride in
            for index in 0..<length { base[start + index * stride] = source[position + index] }
        }
    }

    /// Calls `body` for the rows of the last axis: where the row begins in memory and in row-major order, its length,
    /// and the distance of its scalars.
    private func forEachRow(_ body: (_ start: Int, _ position: Int, _ length: Int, _ stride: Int) -> Void) {
        guard count > 0 else { return }
        if layout.isContiguous {
            body(0, 0, count, 1)
            return
        }
        let (length, stride) = (shape.last ?? 1, strides.last ?? 1)
        let outer = max(shape.count - 1, 0)
        var indices = [Int](repeating: 0, count: outer)
        var start = 0
        for row in 0..<(count / length) {
            body(start, row * length, length, stride)
            for axis in (0..<outer).reversed() {
                indices[axis] += 1
                start += strides[axis]
                if indices[axis] < shape[axis] { break }
                start -= indices[axis] * strides[axis]
                indices[axis] = 0
            }
        }
    }

    // MARK: Parts

    /// The part at these indices of the leading axes.
    func part(at indices: [Int]) -> Self {
        precondition(
            indices.count <= shape.count && zip(indices, shape).allSatisfy { (0..<$1).contains($0) },
            "The indices \(indices) are out of range for a shaped array of shape \(shape).")
        let start = zip(indices, strides).reduce(0) { $0 + $1.0 * $1.1 }
        return view(
            start, shape: Array(shape.dropFirst(indices.count)), strides: Array(strides.dropFirst(indices.count)))
    }

    /// The part within these ranges of the leading axes, with as many axes as before.
    func part(_ ranges: [Range<Int>]) -> Self {
        precondition(
            ranges.count <= shape.count
                && zip(ranges, shape).allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= $1 },
            "The ranges \(ranges) are out of range for a shaped array of shape \(shape).")
        // An empty range at the end of an axis begins beyond the memory.
        let start =
            ranges.contains(where: \.isEmpty) ? 0 : zip(ranges, strides).reduce(0) { $0 + $1.0.lowerBound * $1.1 }
        return view(start, shape: ranges.map(\.count) + shape.dropFirst(ranges.count), strides: strides)
    }

    /// The scalars with their axes in another order.
    func permuted(_ axes: [Int]) -> Self {
        precondition(
            axes.sorted() == Array(shape.indices), "\(axes) is not an order of the axes of the shape \(shape).")
        return view(0, shape: axes.map { shape[$0] }, strides: axes.map { strides[$0] })
    }

    private func view(_ start: Int, shape: [Int], strides: [Int]) -> Self {
        let layout = Self.checked {
            try MultiArrayLayout(shape: shape, strides: strides, elementSize: MemoryLayout<Scalar>.stride)
        }
        return Self(memory: memory, isOwned: isOwned, offset: offset + (layout.count == 0 ? 0 : start), layout: layout)
    }

    /// The same scalars, in row-major order, with another shape.
    func reshaped(_ shape: [Int]) -> Self {
        let layout = Self.checked { try MultiArrayLayout(shape: shape, elementSize: MemoryLayout<Scalar>.stride) }
        precondition(
            layout.count == count,
            "A shaped array of shape \(self.shape) cannot have the shape \(shape), which has \(layout.count) scalars.")
        var result = self.layout.isContiguous ? self : contiguousCopy()
        result.layout = layout
        return result
    }

    /// Replaces the part that `selection` names by scalars of the same shape.
    mutating func replace(_ selection: (Self) -> Self, with new: Self) {
        let shape = selection(self).shape
        precondition(new.shape == shape, "A part of shape \(shape) cannot be replaced by one of shape \(new.shape).")
        let scalars = new.scalars
        makeUnique()
        // What is written to is not referenced twice.
        var part = selection(self)
        let memory = memory
        part.isOwned = true
        withExtendedLifetime(memory) {
            let base = part.base
            part.forEachRow { start, position, length, stride in
                for index in 0..<length { base[start + index * stride] = scalars[position + index] }
            }
        }
    }
}
