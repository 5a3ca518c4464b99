import VisionThreads

/// A depthwise convolution with the pointwise one after it, and often one before it, run a few rows at a time so that
/// what passes between them stays in the cache.
///
/// Inputs: those of each convolution, five slots each (image, weights, bias, residual, slopes), in the order in which
/// they run. The images of the second and third are nil: they are the results before.
package struct Bottleneck: CPUOperator {
    package var convolutions: [Convolution]

    package init(_ convolutions: [Convolution]) { self.convolutions = convolutions }

    static let positions = 5

    package var name: String { "Bottleneck(\(convolutions.count))" }

    /// The inputs of each convolution, images filled in.
    private func inputs(_ all: [TensorDescription?]) throws -> [(
        inputs: [TensorDescription?], output: TensorDescription
    )] {
        var result: [(inputs: [TensorDescription?], output: TensorDescription)] = []
        for (index, convolution) in convolutions.enumerated() {
            let first = index * Self.positions
            guard all.count > first else { throw ModelError.invalid("\(name) lacks inputs") }
            var own = Array(all[first..<min(first + Self.positions, all.count)])
            if let before = result.last?.output { own[0] = before }
            guard case .known(let outputs) = try convolution.infer(own), let output = outputs.first else {
                throw ModelError.invalid("\(name) without a shape")
            }
            result.append((own, TensorDescription(output.type, output.shape)))
        }
        return result
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        guard let last = try self.inputs(inputs).last else { throw ModelError.invalid("\(name) of nothing") }
        return .known([last.output])
    }

    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        try BottleneckStep(
            zip(convolutions, self.inputs(inputs)).map {
                try PreparedConvolution($0, $1.inputs, preparation, byRows: true)
            })
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        guard let all = try? self.inputs(inputs) else { return 0 }
        return zip(convolutions, all).reduce(0) { $0 + $1.0.operations($1.1.inputs, [$1.1.output]) }
    }
}

/// Runs a bottleneck by bands of rows.
///
/// A thread takes a chunk of output rows and goes through it from top to bottom. The rows that the depthwise
/// convolution reads lie in a ring: those that the next band needs again are still there, and only at a chunk's
/// beginning are rows computed that another thread computes as well. The bits are those of the three steps one after
/// the other.
struct BottleneckStep: Step {
    private let expand: PreparedConvolution?
    private let depthwise: PreparedConvolution
    private let project: PreparedConvolution
    /// Output rows at a time.
    private let band: Int
    private let ringRows: Int
    private let ringBytes: Int
    private let bandBytes: Int
    private let workBytes: Int

    /// Bytes of cache that one band should not exceed: part of a core's second level.
    private static let cacheBytes = 384 << 10

    init(_ convolutions: [PreparedConvolution]) throws {
        guard (2...3).contains(convolutions.count), let project = convolutions.last else {
            throw ModelError.invalid("a bottleneck of \(convolutions.count) convolutions")
        }
        self.project = project
        depthwise = convolutions[convolutions.count - 2]
        expand = convolutions.count == 3 ? convolutions[0] : nil
        let window = depthwise.operation.geometry
        let height = depthwise.outputShape[1]
        let inputRow = depthwise.srcRowBytes
        let outputRow = depthwise.dstRowBytes
        let reach = (window.kernelHeight - 1) * window.dilationY + 1
        // As many rows as fit, but enough pixels for the products to be worth their beginning.
        var rows = 1
        while rows < height, rows < 16 {
            let bytes = (rows * window.strideY + reach) * inputRow + (rows + 1) * outputRow
            if bytes > Self.cacheBytes, rows * depthwise.outputShape[2] >= 28 { break }
            rows += 1
        }
        band = rows
        ringRows = min((rows - 1) * window.strideY + reach, max(depthwise.inputShape[1], 1))
        ringBytes = expand == nil ? 0 : (ringRows * inputRow + 63) / 64 * 64
        bandBytes = (rows * outputRow + 63) / 64 * 64
        workBytes = max(expand?.workBytes ?? 0, project.workBytes)
    }

    private var bytesPerThread: Int { ringBytes + bandBytes + workBytes }

    func scratchBytes(threads: Int) -> Int { bytesPerThread * threads }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let inputImage = buffers.inputs[0], let output = buffers.outputs.first, output.elementCount > 0 else {
            return
        }
        let first = expand == nil ? 1 : 2
        nonisolated(unsafe) let source = UnsafeRawPointer(inputImage.base)
        nonisolated(unsafe) let result = output.base
        nonisolated(unsafe) let scratch = buffers.scratch
        func residual(_ convolution: Int) -> UnsafeRawPointer? {
            let position = convolution * Bottleneck.positions + Convolution.Input.residual
            return position < buffers.inputs.count ? buffers.inputs[position].map { UnsafeRawPointer($0.base) } : nil
        }
        nonisolated(unsafe) let middleResidual = residual(first - 1)
        nonisolated(unsafe) let lastResidual = residual(first)
        nonisolated(unsafe) let firstResidual = expand == nil ? nil : residual(0)
        let height = depthwise.outputShape[1]
        // One chunk a thread while there are few rows: each chunk begins with rows that its neighbour has as well.
        let chunks = workers.count == 1 ? 1 : min(height, height >= 56 ? workers.count * 2 : workers.count)
        workers.parallel(chunks * project.images) { part, worker in
            let image = part / chunks
            let chunk = part % chunks
            let rows = chunk * height / chunks..<(chunk + 1) * height / chunks
            runChunk(
                rows, image: image, source: source, result: result, scratch: scratch + worker * bytesPerThread,
                residuals: (firstResidual, middleResidual, lastResidual))
        }
    }

    private func runChunk(
        _ rows: Range<Int>, image: Int, source: UnsafeRawPointer, result: UnsafeMutableRawPointer,
        scratch: UnsafeMutableRawPointer, residuals: (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?)
    ) {
        guard case .packed(let depthwiseWeights) = depthwise.weights, case .packed(let projectWeights) = project.weights
        else { return }
        let ring = scratch
        let middle = scratch + ringBytes
        let work = middle + bandBytes
        let window = depthwise.operation.geometry
        let reach = (window.kernelHeight - 1) * window.dilationY + 1
        let inputHeight = depthwise.inputShape[1]
        let rowBytes = depthwise.srcRowBytes
        let base = source + image * (expand ?? depthwise).srcImageBytes
        /// The first row of the expanded image that is not in the ring yet.
        var next = Int.min
        var y = rows.lowerBound
        while y < rows.upperBound {
            let end = min(y + band, rows.upperBound)
            if let expand, case .packed(let weights) = expand.weights {
                let top = y * window.strideY - depthwise.padTop
                let bottom = min((end - 1) * window.strideY - depthwise.padTop + reach, inputHeight)
                var row = max(top, next, 0)
                while row < bottom {
                    // Rows that follow each other in the ring.
                    let slot = row % ringRows
                    let count = min(bottom - row, ringRows - slot)
                    expand.runDense(
                        row..<row + count, dst: ring + (slot - row) * rowBytes, src: base,
                        residual: residuals.0.map { $0 + image * expand.dstImageBytes },
                        packed: UnsafeRawPointer(weights.base), work: work)
                    row += count
                }
                next = max(next, bottom)
            }
            let bandOffset = image * depthwise.dstImageBytes + y * depthwise.dstRowBytes
            depthwise.runDepthwise(
                y..<end, dst: middle, residual: residuals.1.map { $0 + bandOffset },
                packed: UnsafeRawPointer(depthwiseWeights.base)
            ) { row in
                expand == nil ? base + row * rowBytes : UnsafeRawPointer(ring + row % ringRows * rowBytes)
            }
            let to = image * project.dstImageBytes
            project.runDense(
                y..<end, dst: result + to, src: UnsafeRawPointer(middle - y * depthwise.dstRowBytes),
                residual: residuals.2.map { $0 + image * project.residualImageBytes },
                packed: UnsafeRawPointer(projectWeights.base), work: work)
            y = end
        }
    }
}
