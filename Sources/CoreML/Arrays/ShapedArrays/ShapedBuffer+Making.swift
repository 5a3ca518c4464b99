extension ShapedBuffer {
    /// Memory that the caller's deallocator frees.
    init(_ bytes: UnsafeRawPointer, shape: [Int], strides: [Int]?, deallocator: Data.Deallocator) {
        let address = UnsafeMutableRawPointer(mutating: bytes)
        let release: (Int) -> Void =
            switch deallocator {
            case .free: { _ in free(address) }
            case .unmap: { length in munmap(address, length) }
            case .custom(let deallocate): { length in deallocate(address, length) }
            default: { _ in }
            }
        self.init(borrowing: bytes, shape: shape, strides: strides, release: release)
    }

    /// A copy of the numbers in `data`; nil strides: in row-major order.
    init(_ data: Data, shape: [Int], strides: [Int]?) {
        // Data may begin at any address.
        guard let memory = PixelMemory(count: data.count) else {
            preconditionFailure("There is not enough memory for a shaped array of shape \(shape).")
        }
        data.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { memory.address.copyMemory(from: base, byteCount: bytes.count) }
        }
        self.init(borrowing: memory.address, shape: shape, strides: strides) { [memory] _ in _ = memory }
        let needed = layout.extent * MemoryLayout<Scalar>.stride
        precondition(data.count >= needed, "\(data.count) bytes are too few for a shaped array, which needs \(needed).")
    }

    /// Arrays one after the other along an axis.
    init(concatenating parts: [Self], axis: Int) {
        guard let first = parts.first else { preconditionFailure("There are no shaped arrays to be concatenated.") }
        var shape = first.shape
        let axis = axis < 0 ? axis + shape.count : axis
        precondition(shape.indices.contains(axis), "A shaped array of shape \(shape) has no axis \(axis).")
        for part in parts.dropFirst() {
            precondition(
                part.shape.count == shape.count
                    && shape.indices.allSatisfy { $0 == axis || part.shape[$0] == shape[$0] },
                "Shaped arrays of shapes \(first.shape) and \(part.shape) cannot be joined along the axis \(axis).")
            shape[axis] += part.shape[axis]
        }
        self.init(uninitialized: shape)
        // Memory of plain numbers: what is replaced need not have been initialised.
        var start = 0
        for part in parts {
            let ranges = shape.indices.map { $0 == axis ? start..<start + part.shape[axis] : 0..<shape[$0] }
            replace({ $0.part(ranges) }, with: part)
            start += part.shape[axis]
        }
    }

    var description: String {
        let numbers = count <= 16 ? " [" + scalars.map { "\($0)" }.joined(separator: ", ") + "]" : ""
        return "\(Scalar.self) \(shape.map(String.init).joined(separator: " × "))\(numbers)"
    }
}

/// How shaped arrays are encoded.
struct ShapedArrayArchive<Scalar> {
    private enum Key: String, CodingKey { case shape, scalars }

    let shape: [Int]
    let scalars: [Scalar]
}

extension ShapedArrayArchive: Encodable where Scalar: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(shape, forKey: .shape)
        try container.encode(scalars, forKey: .scalars)
    }
}

extension ShapedArrayArchive: Decodable where Scalar: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        shape = try container.decode([Int].self, forKey: .shape)
        scalars = try container.decode([Scalar].self, forKey: .scalars)
        guard let layout = try? MultiArrayLayout(shape: shape, elementSize: MemoryLayout<Scalar>.stride),
            layout.count == scalars.count
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .scalars, in: container,
                debugDescription: "\(scalars.count) numbers are not those of a shaped array of shape \(shape).")
        }
    }
}
