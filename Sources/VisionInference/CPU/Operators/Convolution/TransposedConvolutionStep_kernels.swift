internal import CVisionKernels
import VisionThreads

/// A transposed convolution as dense convolutions, one for every phase of the stride and every group.
///
/// Output row y gets input row i through tap k where y + crop = i stride + k dilation. The rows at the same remainder
/// of y + crop by the stride have the same taps, and as y grows by the stride, i grows by one: a convolution of stride
/// 1 with those taps in reverse.
struct TransposedConvolutionStep: Step {
    /// The taps of one phase along one axis.
    private struct Phase {
        /// First output position, and how many.
        var first: Int
        var count: Int
        /// Taps with the input's offset from (y + crop) / stride, falling; evenly apart.
        var taps: [(tap: Int, offset: Int)]
    }

    private struct Piece: @unchecked Sendable {
        // Unchecked: its pointer of slopes is nil, the rest plain numbers.
        let geometry: cvk_convolution
        let packed: TensorStorage
        let group: Int
        let outputOffset: Int
    }

    private let pieces: [Piece]
    private let images: Int
    private let imageBytes: (source: Int, result: Int)
    private let groupBytes: (source: Int, result: Int)
    private let workBytes: Int

    init(
        _ operation: TransposedConvolution, image inputImage: Shape, weights: Shape,
        values: (weights: UnsafeRawPointer, bias: UnsafeRawPointer?)
    ) throws {
        let shape = try operation.weightShape(weights)
        let groups = operation.groups
        let inputs = inputImage[3] / groups
        images = inputImage[0]
        let channels = shape.outputs * groups
        imageBytes = (
            inputImage[1] * inputImage[2] * inputImage[3] * 4,
            operation.outputHeight * operation.outputWidth * channels * 4
        )
        groupBytes = (inputs * 4, shape.outputs * 4)
        let vertical = Self.phases(
            operation.outputHeight, operation.kernelHeight, operation.strideY, operation.dilationY, operation.cropTop)
        let horizontal = Self.phases(
            operation.outputWidth, operation.kernelWidth, operation.strideX, operation.dilationX, operation.cropLeft)
        // Every phase of every group has panels of its own, filled up with zeros: a small file must not fill the
        // memory.
        guard Int.saturatingProduct([vertical.count, horizontal.count, groups]) <= 1 << 18 else {
            throw ModelError.tooLarge(
                "a transposed convolution in \(groups) groups with strides \(operation.strideX) "
                    + "and \(operation.strideY)"
            )
        }
        let source = values.weights.assumingMemoryBound(to: Float.self)
        let bias = values.bias?.assumingMemoryBound(to: Float.self)
        var pieces: [Piece] = []
        var work = 0
        let parts = Self.together(horizontal, operation, results: shape.outputs, groups: groups)
        for y in vertical {
            for phases in parts {
                let x = phases[0]
                let results = shape.outputs * phases.count
                var geometry = cvk_convolution()
                geometry.input_height = Int32(clamping: inputImage[1])
                geometry.input_width = Int32(clamping: inputImage[2])
                geometry.input_channels = Int32(clamping: inputs)
                geometry.output_height = Int32(clamping: y.count)
                geometry.output_width = Int32(clamping: x.count)
                geometry.output_channels = Int32(clamping: results)
                // A phase without taps has a kernel of one zero.
                geometry.kernel_height = Int32(clamping: max(y.taps.count, 1))
                geometry.kernel_width = Int32(clamping: max(x.taps.count, 1))
                geometry.stride_y = 1
                geometry.stride_x = 1
                geometry.dilation_y = Int32(clamping: Self.distance(y.taps))
                geometry.dilation_x = Int32(clamping: Self.distance(x.taps))
                geometry.pad_top = Int32(clamping: -Self.start(y, operation.strideY, operation.cropTop))
                geometry.pad_left = Int32(clamping: -Self.start(x, operation.strideX, operation.cropLeft))
                geometry.src_pixel = inputImage[3] * 4
                geometry.src_row = inputImage[2] * inputImage[3] * 4
                geometry.dst_pixel = operation.strideX * channels * 4
                geometry.dst_row = operation.strideY * operation.outputWidth * channels * 4
                geometry.activation = operation.activation.kernelValue()
                work = max(work, withUnsafePointer(to: geometry) { cvk_f32_convolution_work_bytes($0) })
                for group in 0..<groups {
                    let count = max(y.taps.count, 1) * max(x.taps.count, 1) * inputs * results
                    var kernel = [Float](repeating: 0, count: count)
                    for (row, vertical) in y.taps.enumerated() {
                        for column in x.taps.indices {
                            for result in 0..<results {
                                let (phase, output) = (phases[result / shape.outputs], result % shape.outputs)
                                let position = ((result * y.taps.count + row) * x.taps.count + column) * inputs
                                for input in 0..<inputs {
                                    kernel[position + input] =
                                        source[
                                            output * shape.steps.o + (group * inputs + input) * shape.steps.i
                                                + vertical.tap * shape.steps.y
                                                + phase.taps[column].tap * shape.steps.x]
                                }
                            }
                        }
                    }
                    let biases = bias.map { bias in
                        (0..<results).map { bias[group * shape.outputs + $0 % shape.outputs] }
                    }
                    let packed = withUnsafePointer(to: geometry) { geometry in
                        let storage = TensorStorage(byteCount: cvk_f32_convolution_packed_count(geometry) * 4)
                        let columns = max(x.taps.count, 1) * inputs
                        cvk_f32_pack_convolution(
                            storage.base.assumingMemoryBound(to: Float.self), kernel, max(y.taps.count, 1) * columns,
                            columns, inputs, 1, biases, geometry)
                        return storage
                    }
                    pieces.append(
                        Piece(
                            geometry: geometry, packed: packed, group: group,
                            outputOffset: (y.first * operation.outputWidth + x.first) * channels * 4))
                }
            }
        }
        self.pieces = pieces
        workBytes = (work + 63) / 64 * 64
    }

    private static func phases(_ output: Int, _ kernel: Int, _ stride: Int, _ dilation: Int, _ crop: Int) -> [Phase] {
        (0..<min(stride, output)).map { first in
            let remainder = ((first + crop) % stride + stride) % stride
            let taps = (0..<kernel).reversed().filter { ($0 * dilation - remainder) % stride == 0 }
            return Phase(
                first: first, count: (output - first + stride - 1) / stride,
                taps: taps.map { ($0, (remainder - $0 * dilation) / stride) })
        }
    }

    /// The phases along a row, those together that are one convolution: they read the same pixels, and their results
    /// lie side by side. That pays where a phase has so few that it would fill a part of a vector. More than eight
    /// would be packed in another way than those of a single phase, with other last bits.
    private static func together(
        _ phases: [Phase], _ operation: TransposedConvolution, results: Int, groups: Int
    ) -> [[Phase]] {
        let most = 8
        func start(_ phase: Phase) -> Int { Self.start(phase, operation.strideX, operation.cropLeft) }
        guard let first = phases.first, groups == 1, results * phases.count <= most,
            phases.count * first.count == operation.outputWidth,
            phases.allSatisfy({ start($0) == start(first) && $0.taps.map(\.offset) == first.taps.map(\.offset) })
        else { return phases.map { [$0] } }
        return [phases]
    }

    private static func distance(_ taps: [(tap: Int, offset: Int)]) -> Int {
        taps.count > 1 ? taps[1].offset - taps[0].offset : 1
    }

    /// The input position of the first tap at the first output position.
    private static func start(_ phase: Phase, _ stride: Int, _ crop: Int) -> Int {
        let position = phase.first + crop
        let whole = position >= 0 ? position / stride : -((-position + stride - 1) / stride)
        return whole + (phase.taps.first?.offset ?? 0)
    }

    func scratchBytes(threads: Int) -> Int { workBytes * threads }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let inputImage = buffers.inputs[0], buffers.outputs[0].elementCount > 0 else { return }
        nonisolated(unsafe) let source = UnsafeRawPointer(inputImage.base)
        nonisolated(unsafe) let result = buffers.outputs[0].base
        nonisolated(unsafe) let scratch = buffers.scratch
        for piece in pieces {
            let geometry = piece.geometry
            let cost =
                Int(geometry.output_width) * Int(geometry.output_channels) * Int(geometry.input_channels)
                * Int(geometry.kernel_width) * Int(geometry.kernel_height)
            let shares = WorkShares(Int(geometry.output_height), cost: cost, workers.count)
            workers.parallel(shares.count * images) { part, worker in
                let image = part / shares.count
                let rows = shares[part % shares.count]
                let to = result + image * imageBytes.result + piece.group * groupBytes.result + piece.outputOffset
                let from = source + image * imageBytes.source + piece.group * groupBytes.source
                withUnsafePointer(to: piece.geometry) { geometry in
                    cvk_f32_convolve(
                        to.assumingMemoryBound(to: Float.self), from.assumingMemoryBound(to: Float.self), nil,
                        piece.packed.base.assumingMemoryBound(to: Float.self), geometry, Int32(rows.lowerBound),
                        Int32(rows.upperBound), 0, geometry.pointee.output_channels, scratch + worker * workBytes)
                }
            }
        }
    }
}
