package import VisionImage

/// A mode of a map of probabilities: a peak with the positions that belong to it.
package struct MapMode: Equatable, Sendable {
    /// The highest value.
    package let peak: Float
    /// The sum of the values of the positions that belong to the mode.
    package let sum: Double
    /// The box around those positions, in positions of the map: a position covers one unit in both directions.
    package let box: PixelRegion
}

/// Finds the modes of a map, such as a saliency map.
///
/// The positions are added in the order of falling values, as an island grows when the water sinks. A peak becomes a
/// mode of its own if the saddle between it and any higher peak lies clearly below it; otherwise its positions belong
/// to the higher peak (the persistence of peaks; Edelsbrunner et al., "Topological persistence and simplification",
/// 2002).
package struct MapModes: Sendable {
    /// Positions with smaller values belong to no mode.
    package var floor: Float
    /// A peak counts beside a higher one if the saddle between them is below this share of it.
    package var saddle: Float
    /// A position belongs to a mode if its value is at least this share of the mode's peak.
    package var extent: Float
    /// Modes whose sum is below this share of the largest sum are left out.
    package var leastShare: Double

    package init(floor: Float, saddle: Float, extent: Float, leastShare: Double) {
        (self.floor, self.saddle, self.extent, self.leastShare) = (floor, saddle, extent, leastShare)
    }

    private struct Mode {
        let peak: Float
        var sum = 0.0
        var left = Int.max, top = Int.max, right = 0, bottom = 0

        mutating func add(_ value: Float, column: Int, row: Int) {
            sum += Double(value)
            (left, right) = (min(left, column), max(right, column + 1))
            (top, bottom) = (min(top, row), max(bottom, row + 1))
        }
    }

    /// Returns the modes by falling sum; of equal ones first the one whose peak comes first.
    ///
    /// - Parameters:
    ///   - values: The map, row by row. Values that are not finite count as 0.
    ///   - columns: The number of values in a row.
    package func modes(of values: [Float], columns: Int) -> [MapMode] {
        guard columns > 0, values.count.isMultiple(of: columns) else { return [] }
        let peaks = assignedPeaks(values, columns: columns)
        var modes: [Int: Mode] = [:]
        for (position, peak) in peaks.enumerated() {
            guard let peak, values[position] >= extent * values[peak] else { continue }
            modes[peak, default: Mode(peak: values[peak])]
                .add(values[position], column: position % columns, row: position / columns)
        }
        let largest = modes.values.map(\.sum).max() ?? 0
        return modes.filter { $0.value.sum >= leastShare * largest }
            .sorted { ($1.value.sum, $0.key) < ($0.value.sum, $1.key) }
            .map { _, mode in
                MapMode(
                    peak: mode.peak, sum: mode.sum,
                    box: PixelRegion(
                        x: Double(mode.left), y: Double(mode.top), width: Double(mode.right - mode.left),
                        height: Double(mode.bottom - mode.top)))
            }
    }

    /// Returns the mode that each position belongs to, as an index of `modes(of:columns:)`; nil for positions of none.
    package func assignment(of values: [Float], columns: Int) -> [Int?] {
        let modes = modes(of: values, columns: columns)
        guard !modes.isEmpty else { return [Int?](repeating: nil, count: values.count) }
        let peaks = assignedPeaks(values, columns: columns)
        // Modes are told apart by the positions of their peaks.
        var sums: [Int: Double] = [:]
        for (position, peak) in peaks.enumerated() {
            guard let peak, values[position] >= extent * values[peak] else { continue }
            sums[peak, default: 0] += Double(values[position])
        }
        let largest = sums.values.max() ?? 0
        let order = sums.filter { $0.value >= leastShare * largest }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let indices = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1.key, $0) })
        return peaks.enumerated().map { position, peak in
            guard let peak, values[position] >= extent * values[peak] else { return nil }
            return indices[peak]
        }
    }

    /// Returns the position of the peak that each position belongs to; nil for positions below the floor.
    private func assignedPeaks(_ values: [Float], columns: Int) -> [Int?] {
        let rows = values.count / columns
        let order = values.indices.filter { values[$0].isFinite && values[$0] >= floor }
            .sorted { (values[$1], $0) < (values[$0], $1) }
        // Islands grow around peaks; `parents` is the forest of a union-find, whose roots are the highest peaks.
        var parents = [Int?](repeating: nil, count: values.count)
        // The peak of each position when it was added, and for peaks that are no modes the peak that took them over.
        var peaks = parents
        var successors: [Int: Int] = [:]

        func root(_ position: Int) -> Int {
            var position = position
            while let parent = parents[position], parent != position {
                parents[position] = parents[parent]
                position = parent
            }
            return position
        }

        for position in order {
            let (column, row) = (position % columns, position / columns)
            parents[position] = position
            var islands: [Int] = []
            for y in max(0, row - 1)...min(rows - 1, row + 1) {
                for x in max(0, column - 1)...min(columns - 1, column + 1) where parents[y * columns + x] != nil {
                    let island = root(y * columns + x)
                    if island != position && !islands.contains(island) { islands.append(island) }
                }
            }
            // The highest island takes the position and joins the others to itself.
            islands.sort { (values[$1], $0) < (values[$0], $1) }
            guard let highest = islands.first else {
                peaks[position] = position
                continue
            }
            parents[position] = highest
            peaks[position] = highest
            for other in islands.dropFirst() {
                parents[other] = highest
                if values[position] >= saddle * values[other] { successors[other] = highest }
            }
        }
        return peaks.map { peak in
            guard var peak else { return nil }
            while let next = successors[peak] { peak = next }
            return peak
        }
    }
}
