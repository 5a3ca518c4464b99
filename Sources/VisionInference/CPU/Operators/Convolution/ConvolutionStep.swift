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
        let groups = convolution.groups
        let channels = Int(convolution.outputShape[3]) / groups
        let panels = (channels + Self.panel - 1) / Self.panel
        let unit = convolution.rowUnit
        let rowCost = macs * unit / max(convolution.rows, 1) / groups
        // Where the weights are larger than the images, threads share the weights instead of each reading all.
        let weightBytes = convolution.packedCount * 4
        let byChannels = weightBytes > convolution.srcImageBytes / groups && panels >= workers.count
        let shares =
            byChannels
            ? WorkShares(panels, cost: macs / groups / panels, workers.count)
            : WorkShares((convolution.rows + unit - 1) / unit, cost: rowCost, workers.count)
        workers.parallel(shares.count * images * groups) { part, worker in
            let share = shares[part % shares.count]
            let image = part / shares.count % images
            let group = part / shares.count / images
            let dst = image * convolution.dstImageBytes
            convolution.runDense(
                byChannels
                    ? 0..<convolution.rows : share.lowerBound * unit..<min(share.upperBound * unit, convolution.rows),
                channels: byChannels
                    ? share.lowerBound * Self.panel..<min(share.upperBound * Self.panel, channels) : nil,
                group: group, dst: result + dst, src: source + image * convolution.srcImageBytes,
                residual: added.map { $0 + image * convolution.residualImageBytes }, packed: weights,
                work: scratch + worker * convolution.workBytes)
        }
    }

    /// Multiplications of one image.
    private var macs: Int {
        let shape = convolution.outputShape
        let window = convolution.operation.geometry
        let inputs = convolution.depthwise == nil ? Int(convolution.inputShape[3]) / convolution.groups : 1
        return shape[1] * shape[2] * shape[3] * inputs * window.kernelHeight * window.kernelWidth
    }

    private static func input(_ buffers: StepBuffers, _ index: Int) -> TensorView? {
        index < buffers.inputs.count ? buffers.inputs[index] : nil
    }
}
