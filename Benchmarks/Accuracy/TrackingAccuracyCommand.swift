import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage

struct TrackingAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracking",
        abstract: "Track one target through each of a folder of labelled videos.",
        discussion: """
            Each video is a folder with img/*.jpg and groundtruth.txt (x,y,w,h a frame, pixels, top-left origin). The \
            tracker gets the first box and is never re-initialised. auc: area under the success curve; prec: share of \
            frames within 20 pixels; lost: share with an overlap of 0.1 or less; sep: how well confidence tells good \
            frames from lost ones; ms: median time of a frame, decoding apart; most: the processor time of the frame \
            that takes most, in medians (with --repeat, by the least time of each frame). Below, figures over all \
            videos with the interval of 95 % of bootstrap samples of the videos, and a hash of the bits of all boxes \
            and confidences.
            """)

    @Argument(help: "The folder of videos.")
    var data: String

    @Option(help: ArgumentHelp("Write NAME.csv (x,y,w,h,confidence,milliseconds a frame) here.", valueName: "folder"))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Do not track, but score the NAME.csv of this folder, written by --output or a peer.", valueName: "folder")
    )
    var results: String?

    @Option(help: "Only videos whose name contains this text.")
    var filter: String?

    @Option(help: "The most threads that one call may use.")
    var threads = 1

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "Track each video this many times; it is an error if the tracks differ in a bit.", valueName: "count"))
    var repeats = 1

    @Flag(help: "Use the accurate level instead of the fast one.")
    var accurate = false

    @Option(help: "The request's revision; by default the newest that there is.")
    var revision: Int?

    @Option(
        help: ArgumentHelp(
            "Write the evidence of each frame's confidence (CSV), for Training/Tracking/fit_presence.py.",
            valueName: "file"))
    var evidence: String?

    @Flag(help: "Print JSON.")
    var json = false

    private struct Outcome: Codable {
        var videos: [String: TrackingScore]
        var mean: TrackingScore
        var pooledSeparation: Double?
    }

    func run() throws {
        VisionSettings.threadCount = max(1, threads)
        let videos = try Video.all(in: data).filter { filter.map($0.name.contains) ?? true }
        guard !videos.isEmpty else { throw ValidationError("no video's name contains \(filter ?? "")") }
        if let evidence { return try writeEvidence(of: videos, to: evidence) }
        if let output {
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        }
        let table = Table(
            columns: ["video", "auc", "prec", "lost", "sep", "ms", "most"], widths: [18, 6, 6, 6, 6, 8, 6],
            style: .plain)
        if !json { say(table.header()) }
        var scores: [String: TrackingScore] = [:]
        var pool = ConfidencePool()
        var summary = TrackingSummary()
        var hash = TrackHash()
        for video in videos {
            let track = try results.map { try read("\($0)/\(video.name).csv") } ?? followRepeatedly(video)
            hash.add(track)
            if let output { try write(track, to: "\(output)/\(video.name).csv") }
            var own = ConfidencePool()
            guard let score = TrackingScore(truth: video.truth, track: track, pool: &own) else { continue }
            pool.add(own)
            summary.add(score, own)
            scores[video.name] = score
            if !json { say(table.row(cells(video.name, score))) }
        }
        let mean = TrackingScore.mean(of: Array(scores.values))
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let outcome = Outcome(videos: scores, mean: mean, pooledSeparation: pool.separation)
            print(String(decoding: try encoder.encode(outcome), as: UTF8.self))
        } else {
            say(table.row(cells("MEAN", mean)))
            for line in summary.lines { print(line) }
            print("hash of all tracks: \(hash)")
        }
    }

    private func followRepeatedly(_ video: Video) throws -> [TrackedFrame] {
        var track = try follow(video)
        for _ in 1..<max(1, repeats) {
            let again = try follow(video)
            guard TrackHash(again) == TrackHash(track) else {
                throw Video.Unreadable(description: "\(video.name): two runs of the tracker differ")
            }
            for index in track.indices {
                track[index].milliseconds = min(track[index].milliseconds, again[index].milliseconds)
                track[index].processorMilliseconds = min(
                    track[index].processorMilliseconds, again[index].processorMilliseconds)
            }
        }
        return track
    }

    private func follow(_ video: Video) throws -> [TrackedFrame] {
        var track: [TrackedFrame] = []
        var tracker: VideoTracker?
        for file in video.frames.prefix(video.truth.count) {
            let frame = try PixelBuffers.decode(file)
            let (start, processors) = (nanoseconds(), nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
            let current =
                tracker
                ?? VideoTracker(
                    boxes: [video.truth[0]], width: CVPixelBufferGetWidth(frame),
                    height: CVPixelBufferGetHeight(frame), level: accurate ? .accurate : .fast, revision: revision)
            tracker = current
            let found = try current.advance(to: frame)
            let milliseconds = Double(nanoseconds() - start) / 1e6
            track.append(
                TrackedFrame(
                    box: found[0].box, confidence: found[0].confidence, milliseconds: milliseconds,
                    processorMilliseconds: Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processors) / 1e6))
        }
        return track
    }

    private func read(_ path: String) throws -> [TrackedFrame] {
        try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline).map { line in
            let cells = line.split(separator: ",").map { Double($0) ?? .nan }
            guard cells.count >= 6 else { throw Video.Unreadable(description: "\(path): \(line)") }
            return TrackedFrame(
                box: PixelRegion(x: cells[0], y: cells[1], width: cells[2], height: cells[3]), confidence: cells[4],
                milliseconds: cells[5])
        }
    }

    private func write(_ track: [TrackedFrame], to path: String) throws {
        let lines = track.map { frame in
            String(
                format: "%.2f,%.2f,%.2f,%.2f,%.4f,%.3f", frame.box.x, frame.box.y, frame.box.width, frame.box.height,
                frame.confidence, frame.milliseconds)
        }
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }

    private func cells(_ name: String, _ score: TrackingScore) -> [String] {
        [
            name, number(score.auc), number(score.precision), number(score.lost),
            score.separation.map(number) ?? "-", number(score.milliseconds), score.mostMedians.map(number) ?? "-",
        ]
    }

    private func number(_ value: Double) -> String { String(format: "%.3f", value) }
}
