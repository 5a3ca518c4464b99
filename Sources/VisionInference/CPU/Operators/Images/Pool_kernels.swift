internal import CVisionKernels
import VisionThreads

extension Pool: CPUOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        PoolStep(operation: self)
    }
}

struct PoolStep: Step {
    let operation: Pool

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        try operation.runPool(operation.required(buffers.inputs, 0), buffers.outputs[0], workers)
    }
}

extension Pool {
    func runPool(_ inputImage: TensorView, _ output: TensorView, _ workers: Workers) throws {
        let (height, width, channels) = (inputImage.shape[1], inputImage.shape[2], inputImage.shape[3])
        let size = try geometry.resolved(height: height, width: width)
        guard output.elementCount > 0, let in_width = Int32(exactly: width), let depth = Int32(exactly: channels),
            Int32(exactly: channels * 4) != nil
        else { return }
        var shape = cvk_pool()
        shape.channels = depth
        shape.in_width = in_width
        shape.out_width = Int32(clamping: size.outputWidth)
        shape.kernel_width = Int32(clamping: geometry.kernelWidth)
        shape.kernel_height = Int32(clamping: geometry.kernelHeight)
        shape.stride = Int32(clamping: geometry.strideX)
        shape.dilation = Int32(clamping: geometry.dilationX)
        shape.pad_left = Int32(clamping: size.padLeft)
        shape.pad_right = Int32(clamping: size.padRight)
        shape.row_step = Int32(clamping: geometry.strideY)
        shape.row_dilation = Int32(clamping: geometry.dilationY)
        shape.src_pixel_stride = channels * 4
        shape.dst_pixel_stride = channels * 4
        if case .average(let countsPadding) = kind {
            shape.mean = 1
            shape.counts_padding = countsPadding ? 1 : 0
        }
        let fixed = shape
        let rowBytes = width * channels * 4
        let cost = size.outputWidth * channels * geometry.kernelWidth * geometry.kernelHeight
        let shares = WorkShares(size.outputHeight, cost: cost, workers.count)
        nonisolated(unsafe) let source = UnsafeRawPointer(inputImage.base)
        nonisolated(unsafe) let result = output.base
        workers.parallel(shares.count * inputImage.shape[0]) { part, _ in
            let image = part / shares.count
            let base = source + image * height * rowBytes
            let destination = result + image * size.outputHeight * size.outputWidth * channels * 4
            for y in shares[part % shares.count] {
                let begin = y * geometry.strideY - size.padTop
                let needed = (geometry.kernelHeight - 1) * geometry.dilationY + 1
                withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: needed) { rows in
                    for index in 0..<needed {
                        let row = begin + index
                        rows.initializeElement(
                            at: index,
                            to: (0..<height).contains(row)
                                ? (base + row * rowBytes).assumingMemoryBound(to: Float.self) : nil)
                    }
                    var counted: Int32 = 0
                    for tap in 0..<geometry.kernelHeight
                    where (-size.padTop..<height + size.padBottom).contains(begin + tap * geometry.dilationY) {
                        counted += 1
                    }
                    withUnsafePointer(to: fixed) { shape in
                        withUnsafePointer(to: counted) { counted in
                            cvk_f32_pool(
                                (destination + y * size.outputWidth * channels * 4).assumingMemoryBound(to: Float.self),
                                size.outputWidth * channels * 4, rows.baseAddress,
                                shape.pointee.counts_padding != 0 ? counted : nil, 1, shape)
                        }
                    }
                }
            }
        }
    }
}
