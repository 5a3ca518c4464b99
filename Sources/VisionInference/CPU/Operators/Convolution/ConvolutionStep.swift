import VisionThreads

extension Convolution: CPUOperator {
    /// The result may use the memory of what is added to it: each element is read before it is written.
    package var inPlaceInput: Int? { residual == .none ? nil : Input.residual }

    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        ConvolutionStep(convolution: try PreparedConvolution(self, inputs, preparation))
    }
}

/// A convolution as a step of its own, its work shared by rows or by channels of the result.
struct ConvolutionStep: Step {
    let convolution: PreparedConvolution

    func scratchBytes(threads: Int) -> Int {
        convolution.runtimeWeightBytes + convolution.workBytes * threads
    }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let inputImage = buffers.inputs[Convolution.Input.image], let output = buffers.outputs.first,
            output.elementCount > 0
        else { return }
        var packed: UnsafeRawPointer
        var work = buffers.scratch
        switch convolution.weights {
        case .packed(let weights): packed = UnsafeRawPointer(weights.base)
        case .unknown:
            guard let weights = buffers.inputs[Convolution.Input.weights] else { return }
            convolution.pack(into: work, weights: weights, bias: Self.input(buffers, Convolution.Input.bias))
            packed = UnsafeRawPointer(work)
            work += convolution.runtimeWeightBytes
        }
        let residual = convolution.operation.residual == .none ? nil : Self.input(buffers, Convolution.Input.residual)
        let images = convolution.images
        nonisolated(unsafe) let source = UnsafeRawPointer(inputImage.base)
        nonisolated(unsafe) let result = output.base
        nonisolated(unsafe) let added = residual.map { UnsafeRawPointer($0.base) }
        nonisolated(unsafe) let scratch = work
        nonisolated(unsafe) let weights = packed
        if convolution.depthwise != nil {
            let parts = WorkShares(
                convolution.outputShape[1], cost: macs / max(convolution.outputShape[1], 1), workers.count)
            workers.parallel(parts.count * images) { part, _ in
                let image = part / parts.count
                let rows = parts[part % parts.count]
                let offset = image * convolution.dstImageBytes + rows.lowerBound * convolution.dstRowBytes
                let base = source + image * convolution.srcImageBytes
                convolution.runDepthwise(
                    rows, dst: result + offset, residual: added.map { $0 + offset }, packed: weights
                ) { base + $0 * convolution.srcRowBytes }
            }
            return
        }
        let parts = self.parts(threads: workers.count)
        workers.parallel(parts.count * images) { index, worker in
            let part = parts[index % parts.count]
            let image = index / parts.count
            for group in part.groups {
                convolution.runDense(
                    part.rows, channels: part.channels, group: group,
                    dst: result + image * convolution.dstImageBytes, src: source + image * convolution.srcImageBytes,
                    residual: added.map { $0 + image * convolution.residualImageBytes }, packed: weights,
                    work: scratch + worker * convolution.workBytes)
            }
        }
    }

    /// What a thread computes at a time: rows or channels of some groups.
    private struct Part {
        var rows: Range<Int>
        var channels: Range<Int>?
        var groups: Range<Int>
    }

    private func parts(threads: Int) -> [Part] {
        let groups = convolution.groups
        let channels = Int(convolution.outputShape[3]) / groups
        let panels = (channels + Self.panel - 1) / Self.panel
        let unit = convolution.rowUnit
        let units = (convolution.rows + unit - 1) / unit
        let rowCost = macs * unit / max(convolution.rows, 1) / groups
        func rows(_ share: Range<Int>) -> Range<Int> {
            share.lowerBound * unit..<min(share.upperBound * unit, convolution.rows)
        }
        // Where the weights are larger than the images, threads share the weights instead of each reading all.
        let weightBytes = convolution.packedCount * 4
        if weightBytes > convolution.srcImageBytes / groups, panels >= threads {
            let group = Self.panelGroup(panels, threads)
            let shares = WorkShares(
                (panels + group - 1) / group, cost: macs / groups * group / panels, threads)
            let width = group * Self.panel
            return (0..<groups).flatMap { number in
                (0..<shares.count).map { index in
                    let share = shares[index]
                    return Part(
                        rows: 0..<convolution.rows,
                        channels: share.lowerBound * width..<min(share.upperBound * width, channels),
                        groups: number..<number + 1)
                }
            }
        }
        guard groups > 1 else {
            let shares = WorkShares(units, cost: rowCost, threads)
            return (0..<shares.count).map { Part(rows: rows(shares[$0]), groups: 0..<1) }
        }
        // Groups that are neighbours read and write the same lines of the cache: one thread takes them, and all of them
        // in rows that stay in the second cache, before the next rows.
        let groupShares = WorkShares(groups, cost: rowCost * units, threads)
        let forThreads = groups < 3 * threads ? WorkShares(units, cost: rowCost, threads).count : 1
        let forCache = (convolution.srcImageBytes + Self.cachedBytes - 1) / Self.cachedBytes
        let rowShares = WorkShares(units, count: max(forThreads, forCache))
        return (0..<rowShares.count).flatMap { index in
            (0..<groupShares.count).map { Part(rows: rows(rowShares[index]), groups: groupShares[$0]) }
        }
    }

    /// Panels that stay together, as kernels compute up to four at a time: as many as leave all threads equal work.
    private static func panelGroup(_ panels: Int, _ threads: Int) -> Int {
        [4, 2].first { panels % ($0 * threads) == 0 || panels >= 16 * $0 * threads } ?? 1
    }

    /// Bytes of an image that are read again and again: a part of the second cache of today's processors.
    private static let cachedBytes = 384 << 10

    /// Multiplications of one image.
    private var macs: Int {
        let shape = convolution.outputShape
        let window = convolution.operation.geometry
        let inputs = convolution.depthwise == nil ? convolution.inputChannels : 1
        return shape[1] * shape[2] * shape[3] * inputs * window.kernelHeight * window.kernelWidth
    }

    private static func input(_ buffers: StepBuffers, _ index: Int) -> TensorView? {
        index < buffers.inputs.count ? buffers.inputs[index] : nil
    }
}
