internal import CVisionKernels
import VisionThreads

extension UnaryOperation.Kind {
    /// The kernel that does the same for 32-bit floats; nil where there is none.
    var kernel: cvk_unary? {
        switch self {
        case .abs: CVK_UNARY_ABSOLUTE
        case .neg: CVK_UNARY_NEGATIVE
        case .sign: CVK_UNARY_SIGN
        case .exp: CVK_UNARY_EXP
        case .log: CVK_UNARY_LOG
        case .sqrt: CVK_UNARY_SQUARE_ROOT
        case .reciprocal: CVK_UNARY_RECIPROCAL
        case .reciprocalSqrt: CVK_UNARY_RECIPROCAL_ROOT
        case .square: CVK_UNARY_SQUARE
        case .floor: CVK_UNARY_FLOOR
        case .ceil: CVK_UNARY_CEILING
        case .round: CVK_UNARY_ROUND
        case .erf: CVK_UNARY_ERF
        default: nil
        }
    }
}

extension BinaryOperation.Kind {
    var kernel: cvk_binary? {
        switch self {
        case .add: CVK_BINARY_ADD
        case .sub: CVK_BINARY_SUBTRACT
        case .mul: CVK_BINARY_MULTIPLY
        case .div: CVK_BINARY_DIVIDE
        case .min: CVK_BINARY_MINIMUM
        case .max: CVK_BINARY_MAXIMUM
        default: nil
        }
    }
}

/// A function of every element of an array of 32-bit floats, done in portions that fit the inner caches.
struct KernelStep: Step {
    enum Work: @unchecked Sendable {
        // Unchecked: the pointer of the activation is nil.
        case unary(cvk_unary)
        case activation(cvk_activation)
    }

    let work: Work
    let count: Int

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let input = buffers.inputs[0] else { throw ModelError.invalid("an element-wise step lacks its input") }
        nonisolated(unsafe) let source = UnsafePointer(input.pointer(Float.self))
        nonisolated(unsafe) let target = buffers.outputs[0].pointer(Float.self)
        precondition(input.elementCount == count && buffers.outputs[0].elementCount == count)
        workers.parallel((count + WorkShares.portion - 1) / WorkShares.portion) { part, _ in
            let start = part * WorkShares.portion
            let columns = Int32(min(WorkShares.portion, count - start))
            switch work {
            case .unary(let function):
                cvk_f32_unary(target + start, 0, source + start, 0, 1, columns, function)
            case .activation(let activation):
                withUnsafePointer(to: activation) {
                    cvk_f32_activated(target + start, 0, source + start, 0, 1, columns, $0)
                }
            }
        }
    }
}

/// A function of two arrays of 32-bit floats, with broadcasting.
struct BinaryKernelStep: Step {
    let function: cvk_binary
    /// The arrays are the output and the two inputs.
    let rows: StridedRows
    /// Rows of one call, and elements of each that one part takes.
    private let grouped: (size: Int, steps: [Int])
    private let rowsPerPart: Int
    private let columnsPerPart: Int

    init?(_ function: cvk_binary, _ a: Shape, _ b: Shape, _ output: Shape) {
        self.function = function
        rows = StridedRows(
            output, [output.rowMajorStrides, a.broadcastStrides(to: output), b.broadcastStrides(to: output)])
        grouped = rows.groupedRows
        guard rows.steps[0] == 1, rows.steps[1...].allSatisfy({ $0 == 0 || $0 == 1 }) else { return nil }
        let portion = WorkShares.portion
        columnsPerPart = max(min(rows.count, portion), 1)
        rowsPerPart = max(portion / columnsPerPart, 1)
    }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        guard let a = buffers.inputs[0], let b = buffers.inputs[1] else {
            throw ModelError.invalid("an element-wise step lacks an input")
        }
        guard rows.rowCount > 0 else { return }
        nonisolated(unsafe) let first = UnsafePointer(a.pointer(Float.self))
        nonisolated(unsafe) let second = UnsafePointer(b.pointer(Float.self))
        nonisolated(unsafe) let target = buffers.outputs[0].pointer(Float.self)
        let columnParts = (rows.count + columnsPerPart - 1) / columnsPerPart
        let rowParts = (rows.rowCount + rowsPerPart - 1) / rowsPerPart
        workers.parallel(columnParts * rowParts) { part, _ in
            let column = part % columnParts * columnsPerPart
            let columns = Int32(min(columnsPerPart, rows.count - column))
            let firstRow = part / columnParts * rowsPerPart
            let lastRow = min(firstRow + rowsPerPart, rows.rowCount)
            var row = firstRow
            while row < lastRow {
                // Up to the end of the group that this row belongs to.
                let size = min(grouped.size - row % grouped.size, lastRow - row)
                rows.forEach(in: row..<row + 1) { offsets in
                    var left = cvk_operand(
                        data: first + offsets[1] + column * rows.steps[1], stride: 4 * grouped.steps[1],
                        step: Int32(rows.steps[1]))
                    var right = cvk_operand(
                        data: second + offsets[2] + column * rows.steps[2], stride: 4 * grouped.steps[2],
                        step: Int32(rows.steps[2]))
                    cvk_f32_binary(
                        target + offsets[0] + column, 4 * grouped.steps[0], &left, &right, Int32(size), columns,
                        function, nil)
                }
                row += size
            }
        }
    }
}
