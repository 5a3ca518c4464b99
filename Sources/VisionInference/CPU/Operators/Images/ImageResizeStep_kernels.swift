internal import CVisionKernels
import VisionThreads

struct ImageResizeStep: Step {
    private let rows: [Int32]
    private let rowWeights: [Float]
    private let columns: [Int32]
    private let columnWeights: [Float]
    private let taps: Int

    init(_ operation: ResizeImage, inputHeight: Int, inputWidth: Int) {
        (rows, rowWeights) = operation.taps(operation.height, inputHeight, scale: operation.scaleY)
        (columns, columnWeights) = operation.taps(operation.width, inputWidth, scale: operation.scaleX)
        taps = operation.filter == .bilinear ? 2 : 1
    }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let inputImage = buffers.inputs[0] else { return }
        let output = buffers.outputs[0]
        let (height, width, channels) = (output.shape[1], output.shape[2], output.shape[3])
        guard output.elementCount > 0, let depth = Int32(exactly: channels) else { return }
        let sourceRow = inputImage.shape[2] * channels * 4
        let sourceImage = inputImage.shape[1] * sourceRow
        let shares = WorkShares(height, cost: width * channels * taps * taps, workers.count)
        nonisolated(unsafe) let source = UnsafeRawPointer(inputImage.base)
        nonisolated(unsafe) let result = output.base
        workers.parallel(shares.count * output.shape[0]) { part, _ in
            let image = part / shares.count
            let base = source + image * sourceImage
            columns.withUnsafeBufferPointer { columns in
                columnWeights.withUnsafeBufferPointer { weights in
                    var shape = cvk_resample()
                    shape.channels = depth
                    shape.out_width = Int32(clamping: width)
                    shape.taps_x = Int32(taps)
                    shape.taps_y = Int32(taps)
                    shape.columns = columns.baseAddress
                    shape.weights = taps == 1 ? nil : weights.baseAddress
                    shape.src_pixel_stride = channels * 4
                    shape.dst_pixel_stride = channels * 4
                    rowWeights.withUnsafeBufferPointer { rowWeights in
                        for y in shares[part % shares.count] {
                            let first = (base + Int(rows[y * taps]) * sourceRow).assumingMemoryBound(to: Float.self)
                            let last = (base + Int(rows[y * taps + taps - 1]) * sourceRow).assumingMemoryBound(
                                to: Float.self)
                            let destination = result + (image * height + y) * width * channels * 4
                            withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: 2) { pointers in
                                pointers.initializeElement(at: 0, to: first)
                                pointers.initializeElement(at: 1, to: last)
                                cvk_f32_resample(
                                    destination.assumingMemoryBound(to: Float.self), pointers.baseAddress,
                                    taps == 1 ? nil : rowWeights.baseAddress.map { $0 + y * taps }, &shape)
                            }
                        }
                    }
                }
            }
        }
    }
}
