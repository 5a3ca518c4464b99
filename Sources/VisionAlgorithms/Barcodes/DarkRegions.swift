import Foundation

/// Connected areas of dark pixels (8 neighbours), found run by run.
struct DarkRegions {
    struct Region {
        var left, top, right, bottom: Int
        var count: Int
        /// The convex hull of the pixel centres, clockwise on the screen.
        var hull: [SIMD2<Double>]
    }

    /// The lowest margin by which a pixel is darker than its neighbourhood.
    private static let leastContrast = 6.0

    /// Returns the largest regions with both sides of at least a length.
    static func find(in field: ContrastField, leastSide: Int, most: Int) -> [Region] {
        var runs: [(row: Int, start: Int, end: Int)] = []
        var parents: [Int] = []
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        var before = 0..<0
        for y in 0..<field.height {
            let first = runs.count
            for (start, end) in field.darkRuns(row: y, leastContrast: leastContrast) {
                runs.append((y, start, end))
                parents.append(parents.count)
            }
            // Both rows are in order, so that each run starts its search where the last one ended.
            var other = before.lowerBound
            for index in first..<runs.count {
                while other < before.upperBound, runs[other].end < runs[index].start { other += 1 }
                var touching = other
                while touching < before.upperBound, runs[touching].start <= runs[index].end {
                    let (a, b) = (root(index), root(touching))
                    parents[max(a, b)] = min(a, b)
                    touching += 1
                }
            }
            before = first..<runs.count
        }
        var boxes: [Int: (left: Int, top: Int, right: Int, bottom: Int, count: Int)] = [:]
        for (index, run) in runs.enumerated() {
            let key = root(index)
            var box = boxes[key] ?? (run.start, run.row, run.end, run.row, 0)
            box = (
                min(box.left, run.start), box.top, max(box.right, run.end), run.row, box.count + run.end - run.start
            )
            boxes[key] = box
        }
        let chosen = boxes.filter {
            $0.value.right - $0.value.left >= leastSide && $0.value.bottom - $0.value.top + 1 >= leastSide
        }.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.prefix(most)
        guard !chosen.isEmpty else { return [] }
        var points: [Int: [SIMD2<Double>]] = [:]
        for (key, _) in chosen { points[key] = [] }
        for (index, run) in runs.enumerated() {
            let key = root(index)
            points[key]?.append(SIMD2(Double(run.start), Double(run.row)))
            points[key]?.append(SIMD2(Double(run.end - 1), Double(run.row)))
        }
        return chosen.map { key, box in
            Region(
                left: box.left, top: box.top, right: box.right, bottom: box.bottom, count: box.count,
                hull: hull(of: points[key] ?? []))
        }
    }

    /// The convex hull by monotone chains.
    static func hull(of points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        guard sorted.count > 2 else { return sorted }
        func chain(_ points: some Sequence<SIMD2<Double>>) -> [SIMD2<Double>] {
            var chain: [SIMD2<Double>] = []
            for point in points {
                while let last = chain.last, let before = chain.dropLast().last {
                    let (a, b) = (last - before, point - before)
                    guard a.x * b.y - a.y * b.x <= 0 else { break }
                    chain.removeLast()
                }
                chain.append(point)
            }
            return chain.dropLast()
        }
        return chain(sorted) + chain(sorted.reversed())
    }
}
