internal import CVisionKernels
import VisionThreads

/// Normalises rows of 32-bit floats. Inputs: rows, scale, bias (or none); outputs: rows, means, inverse deviations.
struct NormaliseRowsStep: Step {
    let rows: Int
    let columns: Int
    let epsilon: Float

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        func pointer(_ view: TensorView?) -> UnsafeMutablePointer<Float>? { view?.pointer(Float.self) }
        guard let input = pointer(buffers.inputs[0]) else {
            throw ModelError.invalid("a normalisation lacks its input")
        }
        nonisolated(unsafe) let source = UnsafePointer(input)
        nonisolated(unsafe) let target = buffers.outputs[0].pointer(Float.self)
        nonisolated(unsafe) let scale = buffers.inputs.count > 1 ? pointer(buffers.inputs[1]) : nil
        nonisolated(unsafe) let bias = buffers.inputs.count > 2 ? pointer(buffers.inputs[2]) : nil
        nonisolated(unsafe) let means = buffers.outputs.count > 1 ? pointer(buffers.outputs[1]) : nil
        nonisolated(unsafe) let inverses = buffers.outputs.count > 2 ? pointer(buffers.outputs[2]) : nil
        let portion = max(WorkShares.portion / columns, 1)
        workers.parallel((rows + portion - 1) / portion) { part, _ in
            let first = part * portion
            cvk_f32_normalise_rows(
                target + first * columns, 4 * columns, source + first * columns, 4 * columns,
                Int32(min(portion, rows - first)), Int32(columns), epsilon, scale, bias,
                means.map { $0 + first }, inverses.map { $0 + first })
        }
    }
}

/// x · scale + bias by channel, 32-bit floats.
struct AffineStep: Step {
    let sizes: (outer: Int, channels: Int, inner: Int)
    let scale: [Float]
    let bias: [Float]

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let input = buffers.inputs[0] else { throw ModelError.invalid("a normalisation lacks its input") }
        nonisolated(unsafe) let source = UnsafePointer(input.pointer(Float.self))
        nonisolated(unsafe) let target = buffers.outputs[0].pointer(Float.self)
        if sizes.inner == 1 {
            // Channels lie together: rows of pixels.
            let portion = max(WorkShares.portion / sizes.channels, 1)
            workers.parallel((sizes.outer + portion - 1) / portion) { part, _ in
                let first = part * portion
                let bytes = 4 * sizes.channels
                scale.withUnsafeBufferPointer { scale in
                    bias.withUnsafeBufferPointer { bias in
                        cvk_f32_affine(
                            target + first * sizes.channels, bytes, source + first * sizes.channels, bytes,
                            Int32(min(portion, sizes.outer - first)), Int32(sizes.channels), scale.baseAddress,
                            bias.baseAddress, nil)
                    }
                }
            }
            return
        }
        // Planes, each with one scale and bias.
        let planes = sizes.outer * sizes.channels
        let portion = max(WorkShares.portion / sizes.inner, 1)
        workers.parallel((planes + portion - 1) / portion) { part, _ in
            for plane in part * portion..<min((part + 1) * portion, planes) {
                let (factor, shift) = (scale[plane % sizes.channels], bias[plane % sizes.channels])
                let (from, to) = (source + plane * sizes.inner, target + plane * sizes.inner)
                for index in 0..<sizes.inner { to[index] = from[index] * factor + shift }
            }
        }
    }
}
