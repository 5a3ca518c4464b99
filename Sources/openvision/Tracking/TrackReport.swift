import VisionRecords

/// Accumulates the confidences of a run.
struct TrackStatistics {
    private var sums: [Double]
    private var doubtful: [Int]
    private var frames = 0

    init(targets: Int) {
        sums = Array(repeating: 0, count: targets)
        doubtful = Array(repeating: 0, count: targets)
    }

    /// Adds a frame other than the first one, whose confidences are given, not measured.
    mutating func add(_ states: [some TrackedState]) {
        frames += 1
        for (target, state) in states.enumerated() {
            sums[target] += Double(state.confidence)
            doubtful[target] += state.confidence < BoxPainter.solidConfidence ? 1 : 0
        }
    }

    func targets(failures: [Int: String]) -> [TrackSummaryRecord.Target] {
        sums.indices.map { target in
            TrackSummaryRecord.Target(
                target: target + 1,
                meanConfidence: frames == 0 ? nil : Decimals.rounded(sums[target] / Double(frames), 4),
                doubtfulFrames: doubtful[target], failure: failures[target])
        }
    }
}
