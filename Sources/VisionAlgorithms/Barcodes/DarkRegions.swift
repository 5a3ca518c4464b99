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
        let runs = field.darkRuns(leastContrast: leastContrast)
        var parents = Array(runs.indices)
        func root(_ index: Int, _ parents: inout [Int]) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        var (before, first) = (0..<0, 0)
        while first < runs.count {
            let row = runs[first].row
            let last = runs[first...].firstIndex { $0.row != row } ?? runs.count
            if let other = before.first, runs[other].row != row - 1 { before = 0..<0 }
            // Both rows are in order, so that each run starts its search where the last one ended.
            var other = before.lowerBound
            for index in first..<last {
                while other < before.upperBound, runs[other].end < runs[index].start { other += 1 }
                var touching = other
                while touching < before.upperBound, runs[touching].start <= runs[index].end {
                    let (a, b) = (root(index, &parents), root(touching, &parents))
                    parents[max(a, b)] = min(a, b)
                    touching += 1
                }
            }
            (before, first) = (first..<last, last)
        }
        // A root is the first run of its region, so that the box of a root is there before that of its other runs.
        var boxes: [(left: Int, top: Int, right: Int, bottom: Int, count: Int)] = []
        var numbers = [Int](repeating: -1, count: runs.count)
        for (index, run) in runs.enumerated() {
            let key = root(index, &parents)
            if key == index {
                numbers[index] = boxes.count
                boxes.append((run.start, run.row, run.end, run.row, 0))
            }
            let number = numbers[key]
            numbers[index] = number
            let box = boxes[number]
            boxes[number] = (
                min(box.left, run.start), box.top, max(box.right, run.end), run.row, box.count + run.end - run.start
            )
        }
        let chosen = boxes.indices.filter {
            boxes[$0].right - boxes[$0].left >= leastSide && boxes[$0].bottom - boxes[$0].top + 1 >= leastSide
        }.sorted { (boxes[$0].count, $1) > (boxes[$1].count, $0) }.prefix(most)
        guard !chosen.isEmpty else { return [] }
        // Only the ends of a region's rows can be corners of its hull.
        var places = [Int](repeating: -1, count: boxes.count)
        for (place, number) in chosen.enumerated() { places[number] = place }
        var points = [[SIMD2<Double>]](repeating: [], count: chosen.count)
        for (index, run) in runs.enumerated() where places[numbers[index]] >= 0 {
            let place = places[numbers[index]]
            let (first, last) = (Double(run.start), Double(run.end - 1))
            let count = points[place].count
            if count > 0, points[place][count - 1].y == Double(run.row) {
                points[place][count - 1].x = last
            } else {
                points[place].append(SIMD2(first, Double(run.row)))
                points[place].append(SIMD2(last, Double(run.row)))
            }
        }
        return zip(chosen, points).map { number, points in
            let box = boxes[number]
            return Region(
                left: box.left, top: box.top, right: box.right, bottom: box.bottom, count: box.count,
                hull: hull(of: points))
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
