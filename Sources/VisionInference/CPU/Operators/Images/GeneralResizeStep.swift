import VisionThreads

extension Resize: CPUOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        guard let plan = try plan(inputs) else { throw ModelError.invalid("Resize does not know its sizes") }
        let input = try required(inputs, 0)
        return GeneralResizeStep(operation: self, input: input.shape, plan: plan)
    }
}

/// Resizes one axis after the other, so that an image needs a few weights for every element instead of all products.
struct GeneralResizeStep: Step {
    private let operation: Resize
    private let axes: [(axis: Int, table: ResizeAxis)]
    private let input: Shape
    private let output: Shape

    init(operation: Resize, input: Shape, plan: Resize.Plan) {
        self.operation = operation
        self.input = input
        output = plan.shape
        var axes: [(axis: Int, table: ResizeAxis)] = []
        if !plan.shape.contains(0) {
            for axis in input.indices {
                let region = plan.regions[axis]
                let isSame =
                    input[axis] == plan.shape[axis] && plan.scales[axis] == 1
                    && (operation.coordinates != .tfCropAndResize || (region.start == 0 && region.end == 1))
                if isSame { continue }
                let table = ResizeAxis(
                    input: input[axis], output: plan.shape[axis], scale: plan.scales[axis], settings: operation,
                    region: region)
                axes.append((axis, table))
            }
        }
        // The axis that shrinks most comes first.
        self.axes = axes.sorted { plan.shape[$0.axis] * input[$1.axis] < plan.shape[$1.axis] * input[$0.axis] }
    }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let view = buffers.inputs[0] else { throw ModelError.invalid("Resize lacks its input") }
        guard !output.contains(0) else { return }
        if case .nearest = operation.mode, !axes.contains(where: { $0.table.isOutside.contains(true) }) {
            let tables = output.indices.map { axis in
                axes.first { $0.axis == axis }?.table.indices ?? Array(0..<output[axis])
            }
            return try IndexedCopyStep(indices: tables, input: input, output: output).run(buffers, workers)
        }
        let target = buffers.outputs[0]
        switch view.type {
        case .float32: run(Float.self, view, target)
        case .float64: run(Double.self, view, target)
        case .float16: run(Float16.self, view, target)
        case .bfloat16: run(BFloat16.self, view, target)
        case .int8: run(Int8.self, view, target)
        case .uint8, .bool: run(UInt8.self, view, target)
        case .int16: run(Int16.self, view, target)
        case .uint16: run(UInt16.self, view, target)
        case .int32: run(Int32.self, view, target)
        case .uint32: run(UInt32.self, view, target)
        case .int64: run(Int64.self, view, target)
        case .uint64: run(UInt64.self, view, target)
        }
    }

    private func run<T: NumericScalar>(_ type: T.Type, _ view: TensorView, _ target: TensorView) {
        let source = view.pointer(T.self)
        var values = (0..<view.elementCount).map { source[$0].double }
        var shape = input
        for (axis, table) in axes {
            values = resized(values, shape, axis, table)
            shape[axis] = output[axis]
        }
        let result = target.pointer(T.self)
        // Integers are cut like those of ONNX's reference.
        for index in values.indices { result[index] = T(double: values[index]) }
        guard axes.contains(where: { $0.table.isOutside.contains(true) }) else { return }
        let outside = T(double: Double(operation.extrapolationValue))
        let strides = output.rowMajorStrides
        for (axis, table) in axes {
            for index in values.indices where table.isOutside[index / strides[axis] % output[axis]] {
                result[index] = outside
            }
        }
    }

    private func resized(_ values: [Double], _ shape: Shape, _ axis: Int, _ table: ResizeAxis) -> [Double] {
        let outer = Shape(shape[..<axis]).elementCount
        let inner = Shape(shape[(axis + 1)...]).elementCount
        let (before, after) = (shape[axis], output[axis])
        return [Double](unsafeUninitializedCapacity: outer * after * inner) { result, count in
            result.initialize(repeating: 0)
            values.withUnsafeBufferPointer { values in
                for row in 0..<outer {
                    for index in 0..<after {
                        let start = (row * after + index) * inner
                        for tap in 0..<table.taps {
                            let weight = table.weights[index * table.taps + tap]
                            if weight == 0 { continue }
                            let from = (row * before + table.indices[index * table.taps + tap]) * inner
                            for column in 0..<inner { result[start + column] += weight * values[from + column] }
                        }
                    }
                }
            }
            count = outer * after * inner
        }
    }
}
