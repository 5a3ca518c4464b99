import VisionThreads

/// A copy of a part of a tensor to a part of another: for transposes, slices, concatenations and the like.
struct StridedCopy: Sendable {
    /// Which input and output of the operator.
    var input: Int
    var output = 0
    /// In elements.
    var inputOffset = 0
    var outputOffset = 0
    /// The arrays are the output and the input.
    var rows: StridedRows

    /// - Parameters:
    ///   - shape: of what is copied.
    ///   - outputStrides, inputStrides: elements from one index to the next along each axis.
    init(
        input: Int = 0, output: Int = 0, _ shape: Shape, to outputStrides: [Int], toOffset outputOffset: Int = 0,
        from inputStrides: [Int], fromOffset inputOffset: Int = 0
    ) {
        self.input = input
        self.output = output
        self.inputOffset = inputOffset
        self.outputOffset = outputOffset
        rows = StridedRows(shape, [outputStrides, inputStrides])
    }

    /// Copies some columns of some rows.
    func run<Word: ElementWord>(
        _ source: UnsafePointer<Word>, _ target: UnsafeMutablePointer<Word>, rows range: Range<Int>, columns: Range<Int>
    ) {
        let steps = rows.groupedRows.steps
        rows.forEachGroup(in: range) { offsets, count in
            copyBlock(
                target + (outputOffset + offsets[0] + columns.lowerBound * rows.steps[0]), steps[0], rows.steps[0],
                source + (inputOffset + offsets[1] + columns.lowerBound * rows.steps[1]), steps[1], rows.steps[1],
                rows: count, columns: columns.count)
        }
    }
}

/// Copies a block of words; steps are in words.
@inline(__always)
func copyBlock<Word: ElementWord>(
    _ target: UnsafeMutablePointer<Word>, _ targetRow: Int, _ targetStep: Int, _ source: UnsafePointer<Word>,
    _ sourceRow: Int, _ sourceStep: Int, rows: Int, columns: Int
) {
    if targetStep == 1, sourceStep == 1 {
        if columns >= 16 {
            for row in 0..<rows { (target + row * targetRow).update(from: source + row * sourceRow, count: columns) }
        } else {
            for row in 0..<rows {
                let (to, from) = (target + row * targetRow, source + row * sourceRow)
                for column in 0..<columns { to[column] = from[column] }
            }
        }
    } else if targetStep == 1, sourceStep == 0 {
        for row in 0..<rows { (target + row * targetRow).update(repeating: source[row * sourceRow], count: columns) }
    } else if targetStep == 1, sourceRow == 1 {
        if MemoryLayout<Word>.size == 4, sourceStep > 0 {
            transposeBlock(
                UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt32.self), targetRow,
                UnsafeRawPointer(source).assumingMemoryBound(to: UInt32.self), sourceStep, rows: rows, columns: columns)
            return
        }
        // A transpose: tiles, so that lines of the cache are used up while they are there.
        let tile = 16
        for firstRow in stride(from: 0, to: rows, by: tile) {
            let lastRow = min(firstRow + tile, rows)
            for firstColumn in stride(from: 0, to: columns, by: tile) {
                let lastColumn = min(firstColumn + tile, columns)
                for row in firstRow..<lastRow {
                    let to = target + row * targetRow
                    let from = source + row
                    for column in firstColumn..<lastColumn { to[column] = from[column &* sourceStep] }
                }
            }
        }
    } else {
        for row in 0..<rows {
            let (to, from) = (target + row * targetRow, source + row * sourceRow)
            for column in 0..<columns { to[column &* targetStep] = from[column &* sourceStep] }
        }
    }
}

/// An operator that only copies parts of its inputs.
protocol CopyingOperator: CPUOperator {
    /// The copies, which do not overlap. Inputs and outputs are those that `infer` has passed.
    func copies(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) throws -> [StridedCopy]
}

extension CopyingOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        CopyStep(copies: try copies(inputs, outputs), size: outputs.first?.type.size ?? 1)
    }
}

/// Does copies in portions that threads can share.
struct CopyStep: Step {
    private struct Portion {
        let copy: Int
        let rows: Range<Int>
        let columns: Range<Int>
    }

    let copies: [StridedCopy]
    /// Bytes of an element.
    let size: Int
    private let portions: [Portion]
    private let isSmall: Bool

    init(copies: [StridedCopy], size: Int) {
        self.copies = copies
        self.size = size
        var portions: [Portion] = []
        var bytes = 0
        let limit = WorkShares.portion * 4 / size
        for (index, copy) in copies.enumerated() where copy.rows.rowCount > 0 {
            bytes += copy.rows.rowCount * copy.rows.count * size
            let columns = min(copy.rows.count, limit)
            let rows = max(limit / columns, 1)
            for row in stride(from: 0, to: copy.rows.rowCount, by: rows) {
                for column in stride(from: 0, to: copy.rows.count, by: columns) {
                    portions.append(
                        Portion(
                            copy: index, rows: row..<min(row + rows, copy.rows.rowCount),
                            columns: column..<min(column + columns, copy.rows.count)))
                }
            }
        }
        self.portions = portions
        isSmall = bytes < 64 << 10
    }

    func run(_ buffers: StepBuffers, _ workers: Workers) throws {
        switch size {
        case 1: run(UInt8.self, buffers, workers)
        case 2: run(UInt16.self, buffers, workers)
        case 4: run(UInt32.self, buffers, workers)
        default: run(UInt64.self, buffers, workers)
        }
    }

    private func run<Word: ElementWord>(
        _ word: Word.Type, _ buffers: StepBuffers, _ workers: Workers
    ) {
        nonisolated(unsafe) let buffers = buffers
        let work = { @Sendable (portion: Portion) in
            let copy = copies[portion.copy]
            guard let input = buffers.inputs[copy.input] else { return }
            copy.run(
                UnsafePointer(input.words(Word.self)), buffers.outputs[copy.output].words(Word.self),
                rows: portion.rows, columns: portion.columns)
        }
        if isSmall {
            for portion in portions { work(portion) }
        } else {
            workers.parallel(portions.count) { part, _ in work(portions[part]) }
        }
    }
}

/// Fills a tensor with one element's bytes.
func fill(_ output: TensorView, _ value: UnsafeRawPointer) {
    let count = output.elementCount
    switch output.type.size {
    case 1: output.words(UInt8.self).update(repeating: value.loadUnaligned(as: UInt8.self), count: count)
    case 2: output.words(UInt16.self).update(repeating: value.loadUnaligned(as: UInt16.self), count: count)
    case 4: output.words(UInt32.self).update(repeating: value.loadUnaligned(as: UInt32.self), count: count)
    default: output.words(UInt64.self).update(repeating: value.loadUnaligned(as: UInt64.self), count: count)
    }
}
