extension MLMultiArrayDataType {
    /// The number at an index of memory with numbers of this type.
    func number(at index: Int, of memory: UnsafeRawPointer) -> Double {
        let offset = index * size
        switch self {
        case .double: return memory.load(fromByteOffset: offset, as: Double.self)
        case .float32: return Double(memory.load(fromByteOffset: offset, as: Float.self))
        case .float16: return Double(memory.load(fromByteOffset: offset, as: Float16.self))
        case .int32: return Double(memory.load(fromByteOffset: offset, as: Int32.self))
        }
    }

    /// Writes a number to memory with numbers of this type. Of a fraction, a whole number keeps what is before the
    /// point; what it cannot hold becomes the nearest that it can, and what is no number 0.
    func store(_ number: Double, at index: Int, of memory: UnsafeMutableRawPointer) {
        let offset = index * size
        switch self {
        case .double: memory.storeBytes(of: number, toByteOffset: offset, as: Double.self)
        case .float32: memory.storeBytes(of: Float(number), toByteOffset: offset, as: Float.self)
        case .float16: memory.storeBytes(of: Float16(number), toByteOffset: offset, as: Float16.self)
        case .int32:
            let limited = number.isNaN ? 0 : max(Double(Int32.min), min(Double(Int32.max), number))
            memory.storeBytes(of: Int32(limited), toByteOffset: offset, as: Int32.self)
        }
    }
}

extension ShapedBuffer {
    /// The scalars of another buffer, converted.
    init<Other>(converting other: ShapedBuffer<Other>) {
        self.init(uninitialized: other.shape)
        let (source, target) = (Other.multiArrayDataType, Scalar.multiArrayDataType)
        let scalars = other.scalars
        withMutableBuffer { buffer, _ in
            guard let memory = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
            scalars.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                for index in 0..<scalars.count {
                    target.store(source.number(at: index, of: base), at: index, of: memory)
                }
            }
        }
    }

    /// The numbers of an array, converted.
    init(converting array: MLMultiArray) {
        switch array.dataType {
        case .double: self.init(converting: ShapedBuffer<Double>(array))
        case .float32: self.init(converting: ShapedBuffer<Float>(array))
        case .float16: self.init(converting: ShapedBuffer<Float16>(array))
        case .int32: self.init(converting: ShapedBuffer<Int32>(array))
        }
    }
}
