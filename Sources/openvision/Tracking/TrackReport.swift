import Foundation

/// What `track --json` prints: a line for each frame, and one at the end.
struct TrackFrameRecord: Encodable {
    struct Target: Encodable {
        var target: Int
        /// x, y, width, height in pixels from the top left.
        var box: [Double?]
        /// x, y, width, height as Vision has them: fractions, from the lower left.
        var boundingBox: [Double?]
        var confidence: Double?
    }

    var frame: Int
    /// Seconds after the first frame of the video.
    var time: Double?
    var milliseconds: Double?
    var targets: [Target]

    init(frame: Int, time: Double, milliseconds: Double, states: [BoxState]) {
        self.frame = frame
        self.time = Decimals.rounded(time, 4)
        self.milliseconds = Decimals.rounded(milliseconds, 3)
        targets = states.enumerated().map { index, state in
            let (box, unit) = (state.box, state.boundingBox)
            return Target(
                target: index + 1,
                box: [box.x, box.y, box.width, box.height].map { Decimals.rounded($0, 2) },
                boundingBox: [unit.minX, unit.minY, unit.width, unit.height].map { Decimals.rounded(Double($0), 6) },
                confidence: Decimals.rounded(Double(state.confidence), 4))
        }
    }
}

struct TrackSummary: Encodable {
    struct Target: Encodable {
        var target: Int
        var meanConfidence: Double?
        /// Frames in which the confidence was below the half, after the first.
        var doubtfulFrames: Int
        var failure: String?
    }

    struct Times: Encodable {
        var median: Double?
        var p95: Double?
    }

    var video: String
    var width: Int
    var height: Int
    var frames: Int
    var targets: [Target]
    /// The time of `perform` for all targets of a frame, without the first frame.
    var milliseconds: Times
    /// Frames a second with decoding, tracking, drawing and encoding together.
    var framesPerSecond: Double?
    var interrupted: Bool
    var written: [String]
    var warnings: [String]
}

/// Adds up the confidences of a run.
struct TrackStatistics {
    private var sums: [Double]
    private var doubtful: [Int]
    private var frames = 0

    init(targets: Int) {
        sums = Array(repeating: 0, count: targets)
        doubtful = Array(repeating: 0, count: targets)
    }

    /// Adds a frame after the first, where every confidence is given rather than found.
    mutating func add(_ states: [BoxState]) {
        frames += 1
        for (target, state) in states.enumerated() {
            sums[target] += Double(state.confidence)
            doubtful[target] += state.confidence < BoxPainter.solidConfidence ? 1 : 0
        }
    }

    func targets(failures: [Int: String]) -> [TrackSummary.Target] {
        sums.indices.map { target in
            TrackSummary.Target(
                target: target + 1,
                meanConfidence: frames == 0 ? nil : Decimals.rounded(sums[target] / Double(frames), 4),
                doubtfulFrames: doubtful[target], failure: failures[target])
        }
    }
}
