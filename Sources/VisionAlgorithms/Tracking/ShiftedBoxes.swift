/// The boxes of a target's size in its search window, shifted by whole cells, and their features for a
/// `TargetClassifier`: the mean gradient directions and colours of each of their quarters.
struct ShiftedBoxes {
    /// The number of parts of a box along each axis.
    private static let parts = 2
    /// The distance of neighbouring boxes, in sides of the target.
    private static let spacing = 0.25
    /// The features of a cell, in vectors of four: gradient directions, and then colours.
    private static let cellVectors = (PatchFeatures.channels + ColourView.channels) / 4
    /// The number of features of a box.
    static let channels = parts * parts * cellVectors * 4
    /// The overlap up to which a box is elsewhere.
    private static let elsewhereOverlap: Float = 0.1

    private let cells: Int
    /// The shifts along both axes, in cells.
    let columnShifts: [Int]
    let rowShifts: [Int]
    /// The parts of the box that is not shifted, along both axes.
    private let columnParts: [Range<Int>]
    private let rowParts: [Range<Int>]
    /// The overlap of each box with the one that is not shifted, row by row.
    let overlaps: [Float]
    /// The index of the box that is not shifted.
    let centre: Int
    /// The indices of boxes elsewhere.
    let elsewhere: [Int]

    /// - Parameters:
    ///   - columns: The columns of the target, in the middle of a window of `cells` × `cells` cells.
    ///   - rows: The rows of the target.
    init(columns: Range<Int>, rows: Range<Int>, cells: Int) {
        self.cells = cells
        func shifts(_ range: Range<Int>) -> [Int] {
            let step = max(1, Int((Double(range.count) * Self.spacing).rounded()))
            return (-cells...cells).map { $0 * step }.filter {
                range.lowerBound + $0 >= 0 && range.upperBound + $0 <= cells
            }
        }
        func parts(_ range: Range<Int>) -> [Range<Int>] {
            (0..<Self.parts).map { part in
                let start = min(range.lowerBound + range.count * part / Self.parts, range.upperBound - 1)
                return start..<max(range.lowerBound + range.count * (part + 1) / Self.parts, start + 1)
            }
        }
        func shared(_ shift: Int, _ range: Range<Int>) -> Float {
            max(0, 1 - Float(abs(shift)) / Float(range.count))
        }
        let (columnShifts, rowShifts) = (shifts(columns), shifts(rows))
        (self.columnShifts, self.rowShifts) = (columnShifts, rowShifts)
        (columnParts, rowParts) = (parts(columns), parts(rows))
        overlaps = rowShifts.flatMap { row in
            columnShifts.map { column in
                let area = shared(column, columns) * shared(row, rows)
                return area / (2 - area)
            }
        }
        centre = (rowShifts.firstIndex(of: 0) ?? 0) * columnShifts.count + (columnShifts.firstIndex(of: 0) ?? 0)
        elsewhere = overlaps.indices.filter { [overlaps] in overlaps[$0] <= Self.elsewhereOverlap }
    }

    /// Returns the features of the boxes in the sampled window, box by box.
    func features(of window: TrackingWorkspace.Window) -> [Float] {
        let sums = sums(of: window), size = Self.cellVectors, line = (cells + 1) * size
        let count = overlaps.count * Self.channels
        return [Float](unsafeUninitializedCapacity: count) { result, written in
            let result = UnsafeMutableRawBufferPointer(result)
            var at = 0
            sums.withUnsafeBufferPointer { sums in
                for rowShift in rowShifts {
                    for columnShift in columnShifts {
                        for rows in rowParts {
                            let top = (rows.lowerBound + rowShift) * line
                            let bottom = (rows.upperBound + rowShift) * line
                            for columns in columnParts {
                                let left = (columns.lowerBound + columnShift) * size
                                let right = (columns.upperBound + columnShift) * size
                                let share = 1 / Float(rows.count * columns.count)
                                for vector in 0..<size {
                                    let sum =
                                        sums[bottom + right + vector] - sums[top + right + vector]
                                        - sums[bottom + left + vector] + sums[top + left + vector]
                                    result.storeBytes(of: sum * share, toByteOffset: at, as: SIMD4<Float>.self)
                                    at += MemoryLayout<SIMD4<Float>>.stride
                                }
                            }
                        }
                    }
                }
            }
            written = count
        }
    }

    /// Adds a value for each box to the merged response of a window, linearly between the boxes, and beyond them that
    /// of the nearest one.
    func add(_ values: [Float], to window: TrackingWorkspace.Window) {
        precondition(values.count == overlaps.count && window.merged.count == cells * cells)
        let columns = Self.between(columnShifts, cells: cells), rows = Self.between(rowShifts, cells: cells)
        let line = columnShifts.count
        window.merged.withUnsafeFloats { merged in
            values.withUnsafeBufferPointer { values in
                for y in 0..<cells {
                    let row = rows[y]
                    for x in 0..<cells {
                        let column = columns[x]
                        let above =
                            values[row.first * line + column.first] * (1 - column.share)
                            + values[row.first * line + column.next] * column.share
                        let below =
                            values[row.next * line + column.first] * (1 - column.share)
                            + values[row.next * line + column.next] * column.share
                        merged[y * cells + x] += above * (1 - row.share) + below * row.share
                    }
                }
            }
        }
    }

    /// Returns, for each index of a response along one axis (negative shifts beyond the half), the two shifts that it
    /// lies between, and the share of the second one.
    private static func between(_ shifts: [Int], cells: Int) -> [(first: Int, next: Int, share: Float)] {
        (0..<cells).map { index in
            let shift = index < cells / 2 ? index : index - cells
            let next = shifts.firstIndex { $0 >= shift } ?? shifts.count - 1
            guard next > 0, shifts[next] > shift else { return (next, next, 0) }
            return (next - 1, next, Float(shift - shifts[next - 1]) / Float(shifts[next] - shifts[next - 1]))
        }
    }

    /// Returns the sums of the features of the cells left of and above each corner of a cell.
    private func sums(of window: TrackingWorkspace.Window) -> [SIMD4<Float>] {
        let size = Self.cellVectors, gradients = PatchFeatures.channels / 4, plane = cells * cells
        let line = (cells + 1) * size
        precondition(window.features.count >= 4 * gradients * plane && window.weights.count == plane)
        var sums = [SIMD4<Float>](repeating: .zero, count: (cells + 1) * line)
        sums.withUnsafeMutableBufferPointer { sums in
            window.features.withUnsafeFloats { features in
                window.weights.withUnsafeFloats { weights in
                    for y in 0..<cells {
                        // The sums of this row, and then those of the rows above.
                        let start = (y + 1) * line + size
                        for x in 0..<cells {
                            let cell = y * cells + x, at = start + x * size
                            let weight = 1 / weights[cell]
                            for vector in 0..<gradients {
                                let first = features + 4 * vector * plane + cell
                                let values = SIMD4(first[0], first[plane], first[2 * plane], first[3 * plane])
                                sums[at + vector] = sums[at + vector - size] + values * weight
                            }
                        }
                    }
                }
            }
            window.colours.addNames(to: sums, cells: size, offset: gradients)
            for index in 2 * line..<sums.count { sums[index] += sums[index - line] }
        }
        return sums
    }
}
