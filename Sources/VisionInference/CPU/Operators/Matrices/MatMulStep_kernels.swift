internal import CVisionKernels
import VisionThreads

extension MatMul: CPUOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        MatMulStep(operation: self, sizes: try sizes(required(inputs, 0).shape, required(inputs, 1).shape))
    }
}

/// Products of run-time matrices, shared by rows of the results.
struct MatMulStep: Step {
    let operation: MatMul
    let sizes: MatMul.Sizes

    /// Rows of one call. The right matrix is packed anew for each, so there are no more of them than threads, and where
    /// there are whole products for all threads each is one.
    private func shares(_ workers: Workers) -> WorkShares {
        let most = sizes.stack.elementCount < workers.count ? workers.count : 1
        return WorkShares(sizes.rows, cost: sizes.inner * sizes.columns, workers.count, most: most)
    }

    private var workBytes: Int {
        (cvk_f32_multiply_work_bytes(Int32(sizes.rows), Int32(sizes.columns), Int32(sizes.inner)) + 63) / 64 * 64
    }

    func scratchBytes(threads: Int) -> Int { workBytes * threads }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let left = buffers.inputs[0], let right = buffers.inputs[1] else { return }
        let output = buffers.outputs[0]
        guard output.elementCount > 0 else { return }
        guard sizes.inner > 0 else {
            clearBytes(output.byteCount, at: output.base)
            return
        }
        let count = sizes.stack.elementCount
        let leftSteps = Self.steps(sizes.leftStack, sizes.stack)
        let rightSteps = Self.steps(sizes.rightStack, sizes.stack)
        let shares = shares(workers)
        let workBytes = workBytes
        nonisolated(unsafe) let a = left.base.assumingMemoryBound(to: Float.self)
        nonisolated(unsafe) let b = right.base.assumingMemoryBound(to: Float.self)
        nonisolated(unsafe) let c = output.base.assumingMemoryBound(to: Float.self)
        nonisolated(unsafe) let scratch = buffers.scratch
        let aSteps =
            operation.transposesLeft && left.shape.count > 1
            ? (row: 4, column: sizes.rows * 4) : (row: sizes.inner * 4, column: 4)
        let bSteps =
            operation.transposesRight && right.shape.count > 1
            ? (row: 4, column: sizes.inner * 4) : (row: sizes.columns * 4, column: 4)
        workers.parallel(shares.count * count) { part, worker in
            let matrix = part / shares.count
            let rows = shares[part % shares.count]
            let leftMatrix = Self.offset(matrix, sizes.stack, leftSteps) * sizes.rows * sizes.inner
            let rightMatrix = Self.offset(matrix, sizes.stack, rightSteps) * sizes.inner * sizes.columns
            cvk_f32_multiply(
                c + (matrix * sizes.rows + rows.lowerBound) * sizes.columns, sizes.columns * 4,
                a + leftMatrix + rows.lowerBound * aSteps.row / 4, aSteps.row, aSteps.column, b + rightMatrix,
                bSteps.row, bSteps.column, Int32(rows.count), Int32(sizes.columns), Int32(sizes.inner), operation.scale,
                scratch + worker * workBytes)
        }
    }

    /// Matrices from one to the next along each axis of the whole stack; 0 where the operand is broadcast.
    private static func steps(_ stack: Shape, _ whole: Shape) -> [Int] {
        let own = stack.rowMajorStrides
        return whole.indices.map { axis in
            let mine = axis - (whole.count - stack.count)
            return mine < 0 || stack[mine] == 1 ? 0 : own[mine]
        }
    }

    private static func offset(_ matrix: Int, _ stack: Shape, _ steps: [Int]) -> Int {
        var rest = matrix
        var offset = 0
        for axis in stack.indices.reversed() {
            offset += rest % stack[axis] * steps[axis]
            rest /= stack[axis]
        }
        return offset
    }
}
