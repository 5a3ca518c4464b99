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
    private func widen(
        _ plane: UnsafePointer<Float>, _ height: Int, _ width: Int, to wide: UnsafeMutablePointer<Float>
    ) {
        let wideWidth = columns.count / 2
        columns.withUnsafeBufferPointer { columns in
            columnWeights.withUnsafeBufferPointer { weights in
                var shape = cvk_resample()
                (shape.channels, shape.src_pixel_stride, shape.dst_pixel_stride) = (1, 4, 4)
                (shape.taps_x, shape.taps_y) = (2, 1)
                shape.out_width = Int32(clamping: wideWidth)
                (shape.columns, shape.weights) = (columns.baseAddress, weights.baseAddress)
                var one: Float = 1
                for y in 0..<height {
                    var row: UnsafePointer<Float>? = plane + y * width
                    cvk_f32_resample(wide + y * wideWidth, &row, &one, &shape)
                }
            }
        }
    }

    /// The rows of the result, each a mean of two wide ones: as one pixel with as many channels as there are columns.
    private func stretch(_ wide: UnsafePointer<Float>, to result: UnsafeMutablePointer<Float>) {
        let width = columns.count / 2
        var (column, one): (Int32, Float) = (0, 1)
        withUnsafePointer(to: &column) { column in
            withUnsafePointer(to: &one) { one in
                var shape = cvk_resample()
                shape.channels = Int32(clamping: width)
                (shape.src_pixel_stride, shape.dst_pixel_stride) = (width * 4, width * 4)
                (shape.taps_x, shape.taps_y, shape.out_width) = (1, 2, 1)
                (shape.columns, shape.weights) = (column, one)
                withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: 2) { pair in
                    rowWeights.withUnsafeBufferPointer { weights in
                        for y in 0..<rows.count / 2 {
                            pair.initializeElement(at: 0, to: wide + Int(rows[2 * y]) * width)
                            pair.initializeElement(at: 1, to: wide + Int(rows[2 * y + 1]) * width)
                            cvk_f32_resample(
                                result + y * width, pair.baseAddress, weights.baseAddress.map { $0 + 2 * y }, &shape)
                        }
                    }
                }
            }
        }
    }
}
