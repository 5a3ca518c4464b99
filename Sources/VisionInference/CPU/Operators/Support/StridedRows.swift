/// Walks several arrays together that have one shape but steps of their own (0 where one is broadcast), row by row.
///
/// Axes that lie behind each other in every array are made one, so that rows are as long as can be.
struct StridedRows {
    /// Sizes and steps of the axes but the last, outermost first. Steps: by axis, then by array.
    private let outerSizes: [Int]
    private let outerSteps: [[Int]]
    /// Elements of a row, and the steps of each array within it.
    let count: Int
    let steps: [Int]
    let rowCount: Int
    private let arrays: Int

    /// - Parameter strides: elements from one index to the next, for every array and axis.
    init(_ shape: Shape, _ strides: [[Int]]) {
        arrays = strides.count
        var sizes: [Int] = []
        var steps: [[Int]] = []
        for axis in shape.indices where shape[axis] != 1 {
            let step = strides.map { $0[axis] }
            if let last = steps.indices.last,
                zip(steps[last], step).allSatisfy({ $0 == $1.multipliedReportingOverflow(by: shape[axis]).partialValue }
                )
            {
                sizes[last] = sizes[last].multipliedReportingOverflow(by: shape[axis]).partialValue
                steps[last] = step
            } else {
                sizes.append(shape[axis])
                steps.append(step)
            }
        }
        if shape.contains(0) {
            sizes = [0]
            steps = [[Int](repeating: 0, count: arrays)]
        }
        count = sizes.popLast() ?? 1
        self.steps = steps.popLast() ?? [Int](repeating: 1, count: arrays)
        outerSizes = sizes
        outerSteps = steps
        rowCount = count == 0 ? 0 : sizes.elementCount
    }

    /// Calls `body` with the offset of each array at the start of every row.
    @inline(__always)
    func forEach(_ body: (_ offsets: UnsafeMutablePointer<Int>) throws -> Void) rethrows {
        try forEach(in: 0..<rowCount, body)
    }

    /// The same for some of the rows, which are numbered in row-major order.
    @inline(__always)
    func forEach(in rows: Range<Int>, _ body: (_ offsets: UnsafeMutablePointer<Int>) throws -> Void) rethrows {
        try forEachGroup(in: rows, groupedAxes: 0) { offsets, _ in try body(offsets) }
    }

    /// Calls `body` once for rows that differ in the last axis but one only, with the offset of each array at the first
    /// and with their number; these are `groupedRows`, or what of them is in `rows`.
    @inline(__always)
    func forEachGroup(
        in rows: Range<Int>, _ body: (_ offsets: UnsafeMutablePointer<Int>, _ count: Int) throws -> Void
    ) rethrows {
        try forEachGroup(in: rows, groupedAxes: min(outerSizes.count, 1), body)
    }

    /// - Parameter groupedAxes: 1 when the last of the outer axes is left to `body`, else 0.
    @inline(__always)
    private func forEachGroup(
        in rows: Range<Int>, groupedAxes: Int,
        _ body: (_ offsets: UnsafeMutablePointer<Int>, _ count: Int) throws -> Void
    ) rethrows {
        guard !rows.isEmpty else { return }
        let axes = outerSizes.count - groupedAxes
        let size = groupedAxes == 0 ? 1 : outerSizes[axes]
        // One array that holds offsets and indices.
        var state = [Int](repeating: 0, count: arrays + outerSizes.count)
        var rest = rows.lowerBound
        for axis in stride(from: outerSizes.count - 1, through: 0, by: -1) {
            state[arrays + axis] = rest % outerSizes[axis]
            rest /= outerSizes[axis]
            for array in 0..<arrays { state[array] += state[arrays + axis] * outerSteps[axis][array] }
        }
        let flatSteps = outerSteps.flatMap { $0 }
        try state.withUnsafeMutableBufferPointer { state in
            guard let offsets = state.baseAddress else { return }
            let indices = offsets + arrays
            var row = rows.lowerBound
            while true {
                // Only the first group may begin in its middle.
                let skipped = groupedAxes == 0 ? 0 : indices[axes]
                let count = min(size - skipped, rows.upperBound - row)
                try body(offsets, count)
                row += count
                guard row < rows.upperBound else { return }
                if skipped > 0 {
                    for array in 0..<arrays { offsets[array] -= skipped * flatSteps[axes * arrays + array] }
                    indices[axes] = 0
                }
                var axis = axes - 1
                while axis >= 0 {
                    indices[axis] += 1
                    let isDone = indices[axis] == outerSizes[axis]
                    let move = isDone ? 1 - outerSizes[axis] : 1
                    for array in 0..<arrays { offsets[array] += move * flatSteps[axis * arrays + array] }
                    guard isDone else { break }
                    indices[axis] = 0
                    axis -= 1
                }
            }
        }
    }

    /// The last axis but one, for kernels that take two at a time: its size and the steps; the rows of the walk are
    /// then taken in groups of `size`.
    var groupedRows: (size: Int, steps: [Int]) {
        guard let size = outerSizes.last, let steps = outerSteps.last else {
            return (min(rowCount, 1), [Int](repeating: 0, count: arrays))
        }
        return (rowCount == 0 ? 0 : size, steps)
    }
}
