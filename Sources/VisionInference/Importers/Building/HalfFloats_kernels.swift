import CVisionKernels

extension Tensor {
    /// A tensor of half floats as one of floats.
    func widened() throws -> Tensor {
        guard type == .float16 else { throw ModelError.invalid("elements of type \(type) are not half floats") }
        let result = try Tensor(zeros: shape, of: .float32)
        let halves = storage.base.assumingMemoryBound(to: UInt16.self)
        let floats = result.storage.base.assumingMemoryBound(to: Float.self)
        // In pieces whose bytes an Int32 counts.
        let piece = 1 << 28
        withExtendedLifetime((storage, result.storage)) {
            for start in stride(from: 0, to: elementCount, by: piece) {
                let count = Int32(min(piece, elementCount - start))
                cvk_f32_from_f16(floats + start, 0, halves + start, 0, count, 1)
            }
        }
        return result
    }
}
