import VisionImage

/// How well a track follows its truth, by the one-pass evaluation of the OTB benchmark (Wu, Lim, Yang: Object Tracking
/// Benchmark, 2015): the tracker gets the first box and is never re-initialised. The first frame does not count.
struct TrackingScore: Codable {
    /// Mean over the overlap thresholds 0, 0.05 … 1 of the share of frames above the threshold.
    let auc: Double
    /// Share of frames whose centre lies within 20 pixels of the truth.
    let precision: Double
    /// Share of frames with an overlap of at most 0.1.
    let lost: Double
    /// How well confidence tells good frames (overlap at least 0.5) from lost ones: area under the ROC curve; nil
    /// without good or without lost frames.
    let separation: Double?
    /// Median time of a frame.
    let milliseconds: Double
    /// The processor time of the frame that takes most, relative to the median; nil without processor times.
    let mostMedians: Double?
}

/// A tracker's answer for one frame.
struct TrackedFrame {
    var box: PixelRegion
    var confidence: Double
    var milliseconds: Double
    /// The time of all threads; 0: unknown.
    var processorMilliseconds = 0.0
}

/// The bits of tracks' boxes and confidences (FNV-1a).
struct TrackHash: Equatable, CustomStringConvertible {
    private var value: UInt64 = 0xcbf2_9ce4_8422_2325

    init(_ track: [TrackedFrame] = []) { add(track) }

    mutating func add(_ track: [TrackedFrame]) {
        for frame in track {
            for number in [frame.box.x, frame.box.y, frame.box.width, frame.box.height, frame.confidence] {
                value = (value ^ number.bitPattern) &* 0x100_0000_01b3
            }
        }
    }

    var description: String { String(value, radix: 16) }
}

/// Confidences of good and of lost frames, of one video or of several.
struct ConfidencePool {
    var good: [Double] = []
    var lost: [Double] = []

    mutating func add(overlap: Double, confidence: Double) {
        if overlap >= 0.5 { good.append(confidence) }
        if overlap <= 0.1 { lost.append(confidence) }
    }

    mutating func add(_ other: ConfidencePool) {
        good += other.good
        lost += other.lost
    }

    /// The probability that a good frame has more confidence than a lost one, ties counting half.
    var separation: Double? { rocArea(positive: good, negative: lost) }
}

/// The probability that a positive value exceeds a negative one, ties counting half; nil where one of them is missing.
func rocArea(positive: [Double], negative: [Double]) -> Double? {
    guard !positive.isEmpty, !negative.isEmpty else { return nil }
    let sorted = negative.sorted()
    var wins = 0.0
    for value in positive {
        let below = sorted.partitioningIndex { $0 >= value }
        let notAbove = sorted.partitioningIndex { $0 > value }
        wins += Double(below) + 0.5 * Double(notAbove - below)
    }
    return wins / Double(positive.count * negative.count)
}

extension Array {
    /// The first index whose element fulfils a condition that, once true, stays true.
    fileprivate func partitioningIndex(where condition: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension TrackingScore {
    /// Scores frames 2… of a video; `pool` receives their confidences. Frames that the track lacks count as lost.
    init?(truth: [PixelRegion], track: [TrackedFrame], pool: inout ConfidencePool) {
        guard truth.count > 1 else { return nil }
        var own = ConfidencePool()
        var overlaps: [Double] = []
        var near = 0
        for index in 1..<truth.count {
            guard index < track.count else {
                overlaps.append(0)
                continue
            }
            let overlap = track[index].box.intersectionOverUnion(with: truth[index])
            overlaps.append(overlap)
            if track[index].box.centreDistance(to: truth[index]) <= 20 { near += 1 }
            own.add(overlap: overlap, confidence: track[index].confidence)
        }
        pool.good += own.good
        pool.lost += own.lost
        let count = Double(overlaps.count)
        auc =
            (0...20).map { step in
                Double(overlaps.count { $0 > Double(step) / 20 }) / count
            }.reduce(0, +) / 21
        precision = Double(near) / count
        lost = Double(overlaps.count { $0 <= 0.1 }) / count
        separation = own.separation
        milliseconds = percentile(0.5, ofSorted: track.dropFirst().map(\.milliseconds).sorted())
        let processors = track.dropFirst().map(\.processorMilliseconds).sorted()
        let median = percentile(0.5, ofSorted: processors)
        mostMedians = median > 0 ? processors.last.map { $0 / median } : nil
    }

    /// Each video weighs the same.
    static func mean(of scores: [TrackingScore]) -> TrackingScore {
        func mean(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count) }
        let separations = scores.compactMap(\.separation)
        return TrackingScore(
            auc: mean(scores.map(\.auc)), precision: mean(scores.map(\.precision)), lost: mean(scores.map(\.lost)),
            separation: separations.isEmpty ? nil : mean(separations),
            milliseconds: mean(scores.map(\.milliseconds)), mostMedians: scores.compactMap(\.mostMedians).max())
    }
}
