import VisionImage

/// A zero-initialised array of floats at a fixed, aligned address, for kernels to read and write.
final class FloatBlock {
    let count: Int
    let memory: PixelMemory

    init(count: Int) throws {
        let bytes = count * MemoryLayout<Float>.stride
        guard let memory = PixelMemory(count: bytes) else { throw ImageError.outOfMemory(bytes: bytes) }
        self.count = count
        self.memory = memory
        fill(with: 0)
    }

    subscript(index: Int) -> Float {
        get {
            precondition(index >= 0 && index < count)
            return memory.address.load(fromByteOffset: index * MemoryLayout<Float>.stride, as: Float.self)
        }
        set {
            precondition(index >= 0 && index < count)
            memory.address.storeBytes(of: newValue, toByteOffset: index * MemoryLayout<Float>.stride, as: Float.self)
        }
    }

    func fill(with value: Float) {
        let floats = memory.address.bindMemory(to: Float.self, capacity: count)
        floats.update(repeating: value, count: count)
    }

    /// Copies the first `count` floats of `other`.
    func copy(from other: FloatBlock) {
        precondition(other.count >= count)
        memory.address.copyMemory(from: other.memory.address, byteCount: count * MemoryLayout<Float>.stride)
    }

    /// Calls `closure` with a pointer to the floats, which is valid during the call only.
    func withUnsafeFloats<Result>(_ closure: (UnsafeMutablePointer<Float>) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(memory) {
            try closure(memory.address.bindMemory(to: Float.self, capacity: count))
        }
    }
}

/// An array of complex numbers, with real and imaginary parts in two blocks.
final class ComplexBlock {
    let real: FloatBlock
    let imaginary: FloatBlock
    var count: Int { real.count }

    init(count: Int) throws {
        real = try FloatBlock(count: count)
        imaginary = try FloatBlock(count: count)
    }

    func copy(from other: ComplexBlock) {
        real.copy(from: other.real)
        imaginary.copy(from: other.imaginary)
    }

    func clear() {
        real.fill(with: 0)
        imaginary.fill(with: 0)
    }
}
