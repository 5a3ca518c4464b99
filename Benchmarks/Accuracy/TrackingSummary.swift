import Foundation
import VisionImage

/// The figures of a tracker over several videos, with intervals: 95 % of bootstrap samples of the videos.
struct TrackingSummary {
    /// The score of each video, and the confidences of its good and of its lost frames.
    private var videos: [(score: TrackingScore, pool: ConfidencePool)] = []

    mutating func add(_ score: TrackingScore, _ pool: ConfidencePool) { videos.append((score, pool)) }

    private static let sampleCount = 2000
    /// The confidence from which the target counts as found.
    private static let found = 0.5

    private struct Figure {
        let name: String
        let value: ([(score: TrackingScore, pool: ConfidencePool)]) -> Double?
    }

    private static var figures: [Figure] {
        [
            Figure(name: "mean auc") { videos in mean(videos.map(\.score.auc)) },
            Figure(name: "mean lost") { videos in mean(videos.map(\.score.lost)) },
            Figure(name: "separation, all frames together") { videos in
                rocArea(positive: videos.flatMap(\.pool.good), negative: videos.flatMap(\.pool.lost))
            },
            Figure(name: "lost frames with a confidence of 0.5 or more") { videos in
                share(of: videos.flatMap(\.pool.lost)) { $0 >= found }
            },
            Figure(name: "good frames with a confidence below 0.5") { videos in
                share(of: videos.flatMap(\.pool.good)) { $0 < found }
            },
        ]
    }

    /// A line for each figure.
    var lines: [String] {
        guard !videos.isEmpty else { return [] }
        // The same tracks give the same intervals.
        var random = SplitMix64(seed: 1)
        let samples = (0..<Self.sampleCount).map { _ in
            videos.map { _ in videos[Int.random(in: videos.indices, using: &random)] }
        }
        return Self.figures.map { figure in
            let drawn = samples.compactMap(figure.value).sorted()
            guard let value = figure.value(videos), !drawn.isEmpty else { return "\(figure.name): -" }
            let (low, high) = (percentile(0.025, ofSorted: drawn), percentile(0.975, ofSorted: drawn))
            return String(format: "%@: %.3f [%.3f, %.3f]", figure.name as NSString, value, low, high)
        }
    }

    private static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    private static func share(of values: [Double], where condition: (Double) -> Bool) -> Double? {
        values.isEmpty ? nil : Double(values.count(where: condition)) / Double(values.count)
    }
}
