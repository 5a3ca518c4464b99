internal import CVisionKernels
import VisionThreads

/// Bilinear resizing of images with their channels first: the rows of a plane are resized first, then its columns.
struct PlanarResizeStep: Step {
    private let rows: [Int32]
    private let rowWeights: [Float]
    private let columns: [Int32]
    private let columnWeights: [Float]
    private let bytesPerThread: Int

    init(_ operation: ResizeImage, inputHeight: Int, inputWidth: Int) {
        (rows, rowWeights) = operation.taps(operation.height, inputHeight, scale: operation.scaleY)
        (columns, columnWeights) = operation.taps(operation.width, inputWidth, scale: operation.scaleX)
        bytesPerThread = (inputHeight * operation.width * 4 + 63) & ~63
    }

    func scratchBytes(threads: Int) -> Int { bytesPerThread * threads }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let input = buffers.inputs[0] else { return }
        let output = buffers.outputs[0]
        guard output.elementCount > 0 else { return }
        let (inputHeight, inputWidth) = (input.shape[2], input.shape[3])
        nonisolated(unsafe) let source = input.base.assumingMemoryBound(to: Float.self)
        nonisolated(unsafe) let result = output.base.assumingMemoryBound(to: Float.self)
        nonisolated(unsafe) let scratch = buffers.scratch
        workers.parallel(output.shape[0] * output.shape[1]) { plane, worker in
            let wide = (scratch + worker * bytesPerThread).assumingMemoryBound(to: Float.self)
            widen(source + plane * inputHeight * inputWidth, inputHeight, inputWidth, to: wide)
            stretch(wide, to: result + plane * rows.count / 2 * (columns.count / 2))
        }
    }

    /// Every row of a plane at the result's width.
    private func widen(_ plane: UnsafePointer<Float>, _ height: Int, _ width: Int, to wide: UnsafeMutablePointer<Float>)
    {
        columns.withUnsafeBufferPointer { columns in
            columnWeights.withUnsafeBufferPointer { weights in
                var shape = cvk_resample()
                (shape.channels, shape.src_pixel_stride, shape.dst_pixel_stride) = (1, 4, 4)
                (shape.taps_x, shape.taps_y) = (2, 1)
                shape.out_width = Int32(clamping: columns.count / 2)
                (shape.columns, shape.weights) = (columns.baseAddress, weights.baseAddress)
                for y in 0..<height {
                    resample([plane + y * width], [1], shape, to: wide + y * (columns.count / 2))
                }
            }
        }
    }

    /// The rows of the result, each a mean of two wide ones: as one pixel with as many channels as there are columns.
    private func stretch(_ wide: UnsafePointer<Float>, to result: UnsafeMutablePointer<Float>) {
        let width = columns.count / 2
        let (column, one): (Int32, Float) = (0, 1)
        withUnsafePointer(to: column) { column in
            withUnsafePointer(to: one) { one in
                var shape = cvk_resample()
                shape.channels = Int32(clamping: width)
                (shape.src_pixel_stride, shape.dst_pixel_stride) = (width * 4, width * 4)
                (shape.taps_x, shape.taps_y, shape.out_width) = (1, 2, 1)
                (shape.columns, shape.weights) = (column, one)
                for y in 0..<rows.count / 2 {
                    resample(
                        [wide + Int(rows[2 * y]) * width, wide + Int(rows[2 * y + 1]) * width],
                        [rowWeights[2 * y], rowWeights[2 * y + 1]], shape, to: result + y * width)
                }
            }
        }
    }

    private func resample(
        _ rows: [UnsafePointer<Float>], _ weights: [Float], _ shape: cvk_resample,
        to result: UnsafeMutablePointer<Float>
    ) {
        withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: 2) { pointers in
            for index in 0..<2 { pointers.initializeElement(at: index, to: rows[min(index, rows.count - 1)]) }
            weights.withUnsafeBufferPointer { weights in
                withUnsafePointer(to: shape) { cvk_f32_resample(result, pointers.baseAddress, weights.baseAddress, $0) }
            }
        }
    }
}
