internal import CVisionKernels
import VisionThreads

extension Reduce.Kind {
    fileprivate var kernel: cvk_reduction? {
        switch self {
        case .sum: CVK_REDUCTION_SUM
        case .mean: CVK_REDUCTION_MEAN
        case .max: CVK_REDUCTION_MAXIMUM
        case .min: CVK_REDUCTION_MINIMUM
        case .sumSquare: CVK_REDUCTION_SUM_OF_SQUARES
        default: nil
        }
    }
}

/// Reduces 32-bit floats along one run of axes: the last ones, or ones with others behind them.
struct ReduceKernelStep: Step {
    private let reduction: cvk_reduction
    private let outer: Int
    private let reduced: Int
    private let inner: Int

    init?(_ kind: Reduce.Kind, _ shape: Shape, _ axes: Set<Int>) {
        guard let reduction = kind.kernel, let first = axes.min(), let last = axes.max(), !shape.contains(0),
            (first...last).allSatisfy({ axes.contains($0) || shape[$0] == 1 })
        else { return nil }
        self.reduction = reduction
        outer = Shape(shape[..<first]).elementCount
        reduced = Shape(shape[first...last]).elementCount
        inner = Shape(shape[(last + 1)...]).elementCount
        // Short columns are not worth a call each.
        guard inner == 1 || inner >= 8 || outer * inner <= 64 else { return nil }
    }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let input = buffers.inputs[0] else { throw ModelError.invalid("a reduction lacks its input") }
        nonisolated(unsafe) let source = UnsafePointer(input.pointer(Float.self))
        nonisolated(unsafe) let target = buffers.outputs[0].pointer(Float.self)
        if inner == 1 {
            let portion = max(WorkShares.portion / reduced, 1)
            workers.parallel((outer + portion - 1) / portion) { part, _ in
                let first = part * portion
                cvk_f32_reduce_columns(
                    target + first, source + first * reduced, 4 * reduced, Int32(min(portion, outer - first)),
                    Int32(reduced), reduction)
            }
            return
        }
        // Columns may be split: each is added up by itself.
        let width = inner * reduced > 1 << 15 ? min(inner, 64) : inner
        let parts = (inner + width - 1) / width
        workers.parallel(outer * parts) { part, _ in
            let (row, column) = (part / parts, part % parts * width)
            cvk_f32_reduce_rows(
                target + row * inner + column, source + row * reduced * inner + column, 4 * inner, Int32(reduced),
                Int32(min(width, inner - column)), reduction)
        }
    }
}

/// The softmax of rows of 32-bit floats, or its logarithm.
struct SoftmaxKernelStep: Step {
    let rows: Int
    let columns: Int
    let isLogarithm: Bool

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let input = buffers.inputs[0] else { throw ModelError.invalid("a softmax lacks its input") }
        nonisolated(unsafe) let source = UnsafePointer(input.pointer(Float.self))
        nonisolated(unsafe) let target = buffers.outputs[0].pointer(Float.self)
        let portion = max(WorkShares.portion / 2 / columns, 1)
        workers.parallel((rows + portion - 1) / portion) { part, _ in
            let first = part * portion
            cvk_f32_softmax(
                target + first * columns, 4 * columns, source + first * columns, 4 * columns,
                Int32(min(portion, rows - first)), Int32(columns), isLogarithm ? 1 : 0)
        }
    }

    /// nil when the axis is not the last one with more than one element, or elements are no 32-bit floats.
    init?(_ input: TensorDescription?, axis: Int, isLogarithm: Bool) {
        guard let input, input.type == .float32, !input.shape.contains(0),
            let axis = try? input.shape.resolvedAxis(axis), Shape(input.shape[(axis + 1)...]).elementCount == 1
        else { return nil }
        columns = input.shape[axis]
        rows = Shape(input.shape[..<axis]).elementCount
        self.isLogarithm = isLogarithm
    }
}
