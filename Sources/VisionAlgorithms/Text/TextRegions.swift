/// A connected component of a map's pixels, with 8-neighbourhood.
struct TextRegion {
    /// The number of pixels.
    var count: Int
    /// The sum of the values of all pixels.
    var sum: Double
    /// The runs of pixels in row-major order, each with its first column and the one after its last.
    var runs: [(row: Int, start: Int, end: Int)]

    var mean: Double { sum / Double(count) }

    /// Points with the same convex hull as the pixels' corners: those of the first and last pixel of each row.
    var outline: [SIMD2<Double>] {
        var points: [SIMD2<Double>] = []
        var index = 0
        while index < runs.count {
            let (row, start, first) = runs[index]
            var end = first
            while index < runs.count, runs[index].row == row {
                end = runs[index].end
                index += 1
            }
            for y in [Double(row), Double(row + 1)] {
                points += [SIMD2(Double(start), y), SIMD2(Double(end), y)]
            }
        }
        return points
    }
}

/// Finds the regions of a map that comes in bands of rows, from top to bottom.
///
/// Time is linear in the pixels of the map, memory in the runs of pixels above the threshold: rows are cut into runs,
/// touching runs are joined, and only then regions are made of them.
package struct TextRegionScan {
    private let threshold: Float
    private var runs = RunForest()
    /// The runs of the last row.
    private var above = 0..<0
    private var rowCount = 0

    /// - Parameter threshold: Pixels of regions have higher values.
    package init(threshold: Float) { self.threshold = threshold }

    /// Appends the rows of a map below those that came before.
    package mutating func append(_ map: TextMap) {
        map.values.withUnsafeBufferPointer { values in
            for row in 0..<map.height {
                let first = runs.count
                var column = 0
                let start = row * map.width
                while column < map.width {
                    guard values[start + column] > threshold else {
                        column += 1
                        continue
                    }
                    let begin = column
                    var sum: Float = 0
                    while column < map.width, values[start + column] > threshold {
                        sum += min(values[start + column], 1)
                        column += 1
                    }
                    runs.append(row: rowCount, start: begin, end: column, sum: Double(sum))
                }
                runs.join(first..<runs.count, with: above)
                above = first..<runs.count
                rowCount += 1
            }
        }
    }

    /// Returns the regions, largest first, at most `limit`.
    mutating func regions(smallest: Int, limit: Int) -> [TextRegion] { runs.regions(smallest: smallest, limit: limit) }
}

extension TextMap {
    /// Returns the regions above a threshold, largest first, at most `limit`.
    func regions(above threshold: Float, smallest: Int, limit: Int) -> [TextRegion] {
        var scan = TextRegionScan(threshold: threshold)
        scan.append(self)
        return scan.regions(smallest: smallest, limit: limit)
    }
}

/// The runs of pixels in rows as a union-find forest.
private struct RunForest {
    private var rows: [Int32] = []
    private var starts: [Int32] = []
    private var ends: [Int32] = []
    private var sums: [Double] = []
    /// An earlier run of the same region, or the run itself.
    private var parents: [Int32] = []

    var count: Int { rows.count }

    mutating func append(row: Int, start: Int, end: Int, sum: Double) {
        parents.append(Int32(rows.count))
        rows.append(Int32(row))
        starts.append(Int32(start))
        ends.append(Int32(end))
        sums.append(sum)
    }

    /// Joins the runs of a row with those of the row above that touch them.
    mutating func join(_ row: Range<Int>, with above: Range<Int>) {
        guard let last = above.last, rows[last] + 1 == rows[row.first ?? last] else { return }
        var other = above.lowerBound
        for run in row {
            while other < above.upperBound, ends[other] < starts[run] { other += 1 }
            var touching = other
            while touching < above.upperBound, starts[touching] <= ends[run] {
                let (a, b) = (root(of: run), root(of: touching))
                // The earlier one stays the root, so that results do not depend on the order of joining.
                if a != b { parents[max(a, b)] = Int32(min(a, b)) }
                touching += 1
            }
        }
    }

    private mutating func root(of run: Int) -> Int {
        var run = run
        while parents[run] != run {
            parents[run] = parents[Int(parents[run])]
            run = Int(parents[run])
        }
        return run
    }

    mutating func regions(smallest: Int, limit: Int) -> [TextRegion] {
        var counts = [Int32](repeating: 0, count: count)
        for run in 0..<count { counts[root(of: run)] += ends[run] - starts[run] }
        let roots = counts.indices.filter { counts[$0] >= smallest }
            .sorted { (counts[$1], $0) < (counts[$0], $1) }.prefix(limit)
        var regionIndices = [Int32](repeating: -1, count: count)
        for (index, root) in roots.enumerated() { regionIndices[root] = Int32(index) }
        var regions = roots.map { TextRegion(count: Int(counts[$0]), sum: 0, runs: []) }
        for run in 0..<count {
            let index = Int(regionIndices[root(of: run)])
            guard index >= 0 else { continue }
            regions[index].sum += sums[run]
            regions[index].runs.append((Int(rows[run]), Int(starts[run]), Int(ends[run])))
        }
        return regions
    }
}
