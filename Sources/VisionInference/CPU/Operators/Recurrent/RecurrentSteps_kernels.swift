internal import CVisionKernels
import VisionThreads

extension RecurrentSteps: CPUOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        guard let weights = try required(inputs, 1).constant else {
            throw ModelError.unsupported("recurrent weights that are not constant")
        }
        let (sequence, batch) = extent(try required(inputs, 0).shape)
        let layout = RecurrentStepsStep.Layout(operation: self, sequence: sequence, batch: batch)
        let purpose = "recurrent panels \(directions) \(layout.rows) \(hiddenSize)"
        let panels = preparation.weights.packed(from: weights, purpose: purpose) { layout.packed(weights) }
        return RecurrentStepsStep(layout: layout, panels: panels)
    }
}

/// Runs the steps of a recurrent layer one after the other; directions and parts of the batch run side by side.
struct RecurrentStepsStep: Step {
    /// Where everything lies. Sizes are in floats.
    struct Layout {
        let operation: RecurrentSteps
        let sequence: Int
        let batch: Int

        var size: Int { operation.hiddenSize }
        var rows: Int { operation.gates * size }
        var panelCount: Int { (rows + panelRows - 1) / panelRows }
        var paddedRows: Int { panelCount * panelRows }
        private var panelRows: Int { Int(CVK_RECURRENT_ROWS) }
        /// The weights of one direction.
        var panelFloats: Int { paddedRows * size }
        /// The sums, the state and the cell of one sequence.
        var scratchFloats: Int { (paddedRows + 2 * size + 15) / 16 * 16 }

        /// Weights (directions, rows, size) as panels of rows.
        func packed(_ weights: Tensor) -> TensorStorage {
            let storage = TensorStorage(byteCount: operation.directions * panelFloats * 4)
            let target = storage.base.assumingMemoryBound(to: Float.self)
            clearBytes(operation.directions * panelFloats * 4, at: storage.base)
            weights.storage.base.withMemoryRebound(to: Float.self, capacity: weights.shape.elementCount) { source in
                for direction in 0..<operation.directions {
                    for row in 0..<rows {
                        let panel = target + direction * panelFloats + row / panelRows * panelRows * size
                        let own = source + (direction * rows + row) * size
                        for column in 0..<size { panel[column * panelRows + row % panelRows] = own[column] }
                    }
                }
            }
            return storage
        }

        /// The index of a sequence's row at a time in tensors (sequence, batch, …) or (batch, sequence, …).
        func row(_ time: Int, _ item: Int) -> Int {
            operation.isBatchFirst ? item * sequence + time : time * batch + item
        }

        /// The index of a state in the first output.
        func stateRow(_ time: Int, _ item: Int, _ direction: Int) -> Int {
            operation.isBatchFirst
                ? (item * sequence + time) * operation.directions + direction
                : (time * operation.directions + direction) * batch + item
        }

        /// The index of a first or last state.
        func endRow(_ item: Int, _ direction: Int) -> Int {
            operation.isBatchFirst ? item * operation.directions + direction : direction * batch + item
        }
    }

    let layout: Layout
    let panels: PackedWeights

    func scratchBytes(threads: Int) -> Int {
        Int.saturatingProduct([layout.operation.directions, layout.batch, layout.scratchFloats, 4])
    }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        let (layout, directions) = (layout, layout.operation.directions)
        guard layout.size > 0, layout.batch > 0 else { return }
        let shares = WorkShares(
            layout.batch, cost: layout.sequence * layout.rows * layout.size, workers.count,
            most: max(1, workers.count / directions))
        nonisolated(unsafe) let buffers = buffers
        let panels = panels
        workers.parallel(directions * shares.count) { part, _ in
            Self.run(layout, panels, buffers, direction: part / shares.count, items: shares[part % shares.count])
        }
    }

    private static func floats(_ views: [TensorView?], _ index: Int) -> UnsafeMutablePointer<Float>? {
        index < views.count ? views[index]?.base.assumingMemoryBound(to: Float.self) : nil
    }

    private static func run(
        _ layout: Layout, _ panels: PackedWeights, _ buffers: StepBuffers, direction: Int, items: Range<Int>
    ) {
        let (operation, size, rows) = (layout.operation, layout.size, layout.rows)
        guard let products = floats(buffers.inputs, 0), let all = floats(buffers.outputs, 0) else { return }
        let bias = floats(buffers.inputs, 2).map { $0 + direction * rows }
        let weights = panels.base.assumingMemoryBound(to: Float.self) + direction * layout.panelFloats
        let stride = layout.scratchFloats
        let scratch =
            buffers.scratch.assumingMemoryBound(to: Float.self)
            + (direction * layout.batch + items.lowerBound) * stride
        // A sequence's scratch: sums, state, cell.
        func state(_ item: Int) -> UnsafeMutablePointer<Float> {
            scratch + (item - items.lowerBound) * stride + layout.paddedRows
        }
        func copy(_ count: Int, from source: UnsafeMutablePointer<Float>?, to target: UnsafeMutablePointer<Float>) {
            if let source { copyBytes(count * 4, from: source, to: target) } else { clearBytes(count * 4, at: target) }
        }
        for item in items {
            let offset = layout.endRow(item, direction) * size
            copy(size, from: floats(buffers.inputs, 3).map { $0 + offset }, to: state(item))
            copy(size, from: floats(buffers.inputs, 4).map { $0 + offset }, to: state(item) + size)
        }
        let runsBackwards = operation.direction == .reverse || direction == 1
        let width = operation.directions * rows
        for step in 0..<layout.sequence {
            let time = runsBackwards ? layout.sequence - 1 - step : step
            func input(_ item: Int) -> UnsafeMutablePointer<Float> {
                products + layout.row(time, item) * width + direction * rows
            }
            for item in items {
                copy(rows, from: operation.kind == .gru ? bias : input(item), to: state(item) - layout.paddedRows)
                clearBytes((layout.paddedRows - rows) * 4, at: state(item) - layout.paddedRows + rows)
            }
            cvk_f32_recurrent_products(
                scratch, stride * 4, weights, Int32(layout.panelCount), scratch + layout.paddedRows, stride * 4,
                Int32(items.count), Int32(size))
            for item in items {
                let state = state(item), sums = state - layout.paddedRows
                switch operation.kind {
                case .plain(let activation):
                    var kernel = activation.kernelValue()
                    cvk_f32_activated(state, size * 4, sums, size * 4, 1, Int32(size), &kernel)
                case .gru: cvk_f32_gru_cell(state, input(item), sums, Int32(size))
                case .lstm: cvk_f32_lstm_cell(state, state + size, sums, Int32(size))
                }
                copyBytes(size * 4, from: state, to: all + layout.stateRow(time, item, direction) * size)
            }
        }
        for item in items {
            let offset = layout.endRow(item, direction) * size
            for (index, source) in [state(item), state(item) + size].enumerated() {
                if let target = floats(buffers.outputs, index + 1) {
                    copy(size, from: index == 0 || operation.kind == .lstm ? source : nil, to: target + offset)
                }
            }
        }
    }
}
