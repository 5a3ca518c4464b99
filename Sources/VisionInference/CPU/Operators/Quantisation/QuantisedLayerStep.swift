import VisionThreads

extension QuantisedConvolution: QuantisedCPUOperator {}
extension QuantisedDense: QuantisedCPUOperator {}

protocol QuantisedCPUOperator: QuantisedOperator, CPUOperator {}

extension QuantisedCPUOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        QuantisedLayerStep(try PreparedQuantisedLayer(try layer(inputs), inputs, preparation))
    }
}

/// A convolution or product of bytes as a step of its own, its work shared by rows or by panels of channels.
struct QuantisedLayerStep: Step {
    let layer: PreparedQuantisedLayer

    init(_ layer: PreparedQuantisedLayer) { self.layer = layer }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let inputImage = buffers.inputs.first ?? nil, let output = buffers.outputs.first, output.elementCount > 0
        else { return }
        let sizes = layer.sizes
        nonisolated(unsafe) let source = UnsafeRawPointer(inputImage.base)
        nonisolated(unsafe) let result = output.base
        // Products of bytes take a quarter of the time of products of floats.
        let cost = sizes.macs / 4
        if sizes.isDepthwise {
            let shares = WorkShares(sizes.outHeight, cost: cost / sizes.outHeight, workers.count)
            workers.parallel(shares.count * sizes.images) { part, _ in
                let image = part / shares.count
                layer.runDepthwise(
                    shares[part % shares.count], dst: result + image * layer.dstImageBytes,
                    src: source + image * layer.srcImageBytes)
            }
            return
        }
        let panels = layer.panels
        let rows = sizes.outHeight == 1 ? sizes.outWidth : sizes.outHeight
        let byPanels = layer.packedBytes > layer.srcImageBytes && panels >= workers.count
        let shares =
            byPanels
            ? WorkShares(panels, cost: cost / sizes.groups / panels, workers.count)
            : WorkShares(rows, cost: cost / sizes.groups / rows, workers.count)
        workers.parallel(shares.count * sizes.images * sizes.groups) { part, _ in
            let share = shares[part % shares.count]
            let image = part / shares.count % sizes.images
            layer.run(
                byPanels ? 0..<rows : share, panels: byPanels ? share : 0..<panels,
                group: part / shares.count / sizes.images, dst: result + image * layer.dstImageBytes,
                src: source + image * layer.srcImageBytes)
        }
    }
}
