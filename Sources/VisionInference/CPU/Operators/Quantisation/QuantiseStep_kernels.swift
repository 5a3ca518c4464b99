internal import CVisionKernels
import VisionThreads

/// QuantizeLinear of floats with one scale.
struct QuantiseStep: Step {
    let count: Int
    let scale: QuantisedScale

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let input = buffers.inputs.first ?? nil, let output = buffers.outputs.first else { return }
        nonisolated(unsafe) let source = input.elements(Float.self)
        nonisolated(unsafe) let result = output.bytes
        precondition(source.count >= count && result.count >= count)
        let shares = ByteShares(count, workers.count)
        workers.parallel(shares.count) { part, _ in
            let range = shares[part]
            guard let from = source.baseAddress, let to = result.baseAddress, !range.isEmpty else { return }
            cvk_f32_quantise(
                (to + range.lowerBound).assumingMemoryBound(to: UInt8.self), from + range.lowerBound, range.count,
                scale.scale, Int32(scale.zeroPoint), Int32(scale.flip))
        }
    }
}

/// DequantizeLinear of bytes with one scale.
struct DequantiseStep: Step {
    let count: Int
    let scale: QuantisedScale

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let input = buffers.inputs.first ?? nil, let output = buffers.outputs.first else { return }
        nonisolated(unsafe) let source = input.bytes
        nonisolated(unsafe) let result = output.elements(Float.self)
        precondition(source.count >= count && result.count >= count)
        let shares = ByteShares(count, workers.count)
        workers.parallel(shares.count) { part, _ in
            let range = shares[part]
            guard let from = source.baseAddress, let to = result.baseAddress, !range.isEmpty else { return }
            cvk_u8_dequantise(
                to + range.lowerBound, (from + range.lowerBound).assumingMemoryBound(to: UInt8.self), range.count,
                scale.scale, Int32(scale.zeroPoint), Int32(scale.flip))
        }
    }
}

/// Elements divided among threads, in multiples of a cache line; few elements are not worth dividing.
struct ByteShares {
    private let total: Int
    let count: Int

    init(_ total: Int, _ threads: Int) {
        self.total = total
        count = max(1, min(threads, total / 32768))
    }

    subscript(index: Int) -> Range<Int> {
        func bound(_ index: Int) -> Int { index == count ? total : total * index / count / 64 * 64 }
        return bound(index)..<bound(index + 1)
    }
}
