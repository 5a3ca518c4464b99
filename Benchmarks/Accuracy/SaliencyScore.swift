/// The measures of saliency maps, as `Training/Saliency/scores.py` has them.
enum SaliencyScore {
    private static let betaSquared = 0.3
    private static let levels = 256

    /// Precision and recall of a mask at each of 256 thresholds.
    struct Curve {
        var precisions = [Double](repeating: 0, count: levels)
        var recalls = [Double](repeating: 0, count: levels)

        init() {}

        init(_ map: [Float], mask: [Bool]) {
            var (counts, hits) = ([Int](repeating: 0, count: levels), [Int](repeating: 0, count: levels))
            for (value, isObject) in zip(map, mask) {
                let level = Int(min(max(value, 0), 1) * 255 + 0.5)
                counts[level] += 1
                if isObject { hits[level] += 1 }
            }
            let total = max(hits.reduce(0, +), 1)
            var (above, right) = (0, 0)
            for level in (0..<levels).reversed() {
                above += counts[level]
                right += hits[level]
                precisions[level] = above > 0 ? Double(right) / Double(above) : 1
                recalls[level] = Double(right) / Double(total)
            }
        }

        /// The largest F-measure over thresholds of the mean curve.
        static func maximumF(_ curves: [Curve]) -> Double {
            (0..<levels).map { level in
                let precision = curves.reduce(0) { $0 + $1.precisions[level] } / Double(max(curves.count, 1))
                let recall = curves.reduce(0) { $0 + $1.recalls[level] } / Double(max(curves.count, 1))
                return (1 + betaSquared) * precision * recall / max(betaSquared * precision + recall, 1e-9)
            }.max() ?? 0
        }
    }

    static func meanAbsoluteError(_ map: [Float], mask: [Bool]) -> Double {
        zip(map, mask).reduce(0) { $0 + Double(abs($1.0 - ($1.1 ? 1 : 0))) } / Double(max(map.count, 1))
    }

    /// The area under the curve of fixations against positions above a threshold, the thresholds being the values at
    /// fixations (AUC-Judd).
    ///
    /// - Parameter weights: The weight of each position, 0 where there is no fixation; of points 1.
    static func aucJudd(_ map: [Float], weights: [Float], arePoints: Bool) -> Double {
        let fixated = weights.indices.filter { weights[$0] > 0 }.sorted { (map[$1], $0) < (map[$0], $1) }
        let total = fixated.reduce(0) { $0 + Double(weights[$1]) }
        guard total > 0 else { return .nan }
        let sorted = map.sorted()
        var (area, hits, lastHits, lastFalse) = (0.0, 0.0, 0.0, 0.0)
        for (rank, index) in fixated.enumerated() {
            hits += Double(weights[index]) / total
            let above = sorted.count - lowerBound(of: map[index], in: sorted)
            let wrong =
                arePoints
                ? Double(max(above - rank - 1, 0)) / Double(max(sorted.count - fixated.count, 1))
                : Double(above) / Double(sorted.count)
            area += (wrong - lastFalse) * (hits + lastHits) / 2
            (lastHits, lastFalse) = (hits, wrong)
        }
        return area + (1 - lastFalse) * (1 + lastHits) / 2
    }

    private static func lowerBound(of value: Float, in sorted: [Float]) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The mean of the map, standardised, at fixations.
    static func normalisedScanpathSaliency(_ map: [Float], weights: [Float]) -> Double {
        let count = Double(max(map.count, 1))
        let mean = map.reduce(0) { $0 + Double($1) } / count
        let variance = map.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count
        let total = weights.reduce(0) { $0 + Double($1) }
        let sum = zip(map, weights).reduce(0) { $0 + (Double($1.0) - mean) * Double($1.1) }
        return total > 0 ? sum / total / max(variance.squareRoot(), 1e-9) : .nan
    }

    /// Scales a map bilinearly, with the middles of the pixels where they are.
    static func scaled(_ map: [Float], side: Int, width: Int, height: Int) -> [Float] {
        func steps(_ length: Int) -> [(low: Int, high: Int, share: Float)] {
            (0..<length).map { index in
                let position = (Double(index) + 0.5) * Double(side) / Double(length) - 0.5
                let clamped = min(max(position, 0), Double(side - 1))
                let low = Int(clamped)
                return (low, min(low + 1, side - 1), Float(clamped - Double(low)))
            }
        }
        let columns = steps(width)
        return steps(height).flatMap { row in
            columns.map { column in
                func line(_ y: Int) -> Float {
                    let (a, b) = (map[y * side + column.low], map[y * side + column.high])
                    return a + (b - a) * column.share
                }
                let (a, b) = (line(row.low), line(row.high))
                return a + (b - a) * row.share
            }
        }
    }
}
