/// A tensor of a checkpoint, in its own number type and order of elements.
package struct TorchTensor: Sendable {
    private let layout: TorchTensorLayout
    private let bytes: ArraySlice<UInt8>

    /// - Precondition: `bytes` are the whole storage of the layout.
    init(layout: TorchTensorLayout, bytes: ArraySlice<UInt8>) {
        precondition(bytes.count == layout.storage.count * layout.storage.element.size)
        self.layout = layout
        self.bytes = bytes
    }

    package var element: TorchElement { layout.storage.element }
    package var shape: [Int] { layout.shape }

    /// The elements in row-major order.
    ///
    /// - Throws: `WeightFileError` for a tensor of integers.
    package func floats() throws -> [Float] {
        switch element {
        case .float32: gather { Float(bitPattern: $0.loadUnaligned(fromByteOffset: $1, as: UInt32.self)) }
        case .float64: gather { Float(Double(bitPattern: $0.loadUnaligned(fromByteOffset: $1, as: UInt64.self))) }
        case .float16: gather { HalfFloat.widened($0.loadUnaligned(fromByteOffset: $1, as: UInt16.self)) }
        case .bfloat16:
            gather { Float(bitPattern: UInt32($0.loadUnaligned(fromByteOffset: $1, as: UInt16.self)) << 16) }
        case .int64, .int32, .int16, .int8, .uint8, .bool:
            throw WeightFileError(.mismatch, "a tensor of \(element) numbers where floating-point numbers belong")
        }
    }

    private func gather(_ load: (UnsafeRawBufferPointer, Int) -> Float) -> [Float] {
        let count = shape.reduce(1, *)
        let size = element.size
        return bytes.withUnsafeBytes { storage in
            [Float](unsafeUninitializedCapacity: count) { output, written in
                var index = [Int](repeating: 0, count: shape.count)
                var position = layout.offset
                for number in 0..<count {
                    output.initializeElement(at: number, to: load(storage, position * size))
                    // The next index, like the digits of a counter.
                    for axis in stride(from: shape.count - 1, through: 0, by: -1) {
                        index[axis] += 1
                        position += layout.strides[axis]
                        if index[axis] < shape[axis] { break }
                        position -= layout.strides[axis] * shape[axis]
                        index[axis] = 0
                    }
                }
                written = count
            }
        }
    }
}
