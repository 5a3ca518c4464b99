import ArgumentParser
import Foundation
import Vision
import VisionAlgorithms
import VisionExtras

struct PlanarVideosAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "planar-videos",
        abstract: "Track the corners of a planar target through each of a folder of labelled videos.",
        discussion: """
            Each video is a folder with img/*.jpg, groundtruth.txt and groundtruth_polygon.txt (x1,y1 … x4,y4 a frame, \
            pixels, top-left origin); folders without polygons are left out. The tracker gets the first corners and \
            is never re-initialised. error: mean over the frames of the mean distance of the four corners from the \
            truth, in pixels, at most the diagonal of the frame; median: the median of the same; over.7: share of the \
            frames whose quadrilaterals overlap by more than 0.7; lost: share of the frames whose corners are off by \
            more than 40 % of the square root of the plane's area; sep: how well the confidence tells frames whose \
            corners are within 10 % of it from lost ones; ms: median time of a frame, decoding apart.
            """)

    @Argument(help: "The folder of videos.")
    var data: String

    @Option(help: "Only videos whose name contains this text; several: separated by commas.")
    var filter: String?

    @Option(
        help: ArgumentHelp(
            "Do not track, but score the NAME.csv of this folder: x1,y1 … x4,y4,confidence,milliseconds a frame.",
            valueName: "folder"))
    var results: String?

    @Option(help: "Track every n-th frame only, from each of the first n frames.")
    var stride = 1

    @Flag(help: "Use the fast level instead of the accurate one.")
    var fast = false

    /// The quadrilateral of one frame.
    private struct Found {
        var quad: PlanarQuad
        var confidence: Double
        var milliseconds: Double
    }

    /// One pass over some frames of a video.
    private struct Run {
        var indices: [Int]
        var track: [Found] = []
    }

    func validate() throws {
        guard stride > 0 else { throw ValidationError("--stride must be above 0") }
    }

    func run() throws {
        VisionSettings.threadCount = 1
        let names = filter?.split(separator: ",").map(String.init)
        let table = Table(
            columns: ["video", "error", "median", "over.7", "lost", "sep", "ms"], widths: [18, 7, 7, 7, 7, 7, 7],
            style: .plain)
        say(table.header())
        var pool = ConfidencePool()
        for video in try Video.all(in: data) where names.map({ $0.contains(where: video.name.contains) }) ?? true {
            guard let truth = try video.polygons() else { continue }
            var runs = (0..<min(stride, truth.count)).map { first in
                Run(indices: Array(Swift.stride(from: first, to: truth.count, by: stride)))
            }
            if let results {
                var rest = try Self.read("\(results)/\(video.name).csv")[...]
                for run in runs.indices {
                    runs[run].track = Array(rest.prefix(runs[run].indices.count))
                    rest = rest.dropFirst(runs[run].indices.count)
                }
            } else {
                for run in runs.indices { runs[run].track = try follow(video, truth, runs[run].indices) }
            }
            say(table.row(Self.cells(video.name, truth: truth, runs: runs, pool: &pool)))
        }
        func share(_ values: [Double], where isCounted: (Double) -> Bool) -> String {
            values.isEmpty ? "-" : Self.number(Double(values.count(where: isCounted)) / Double(values.count))
        }
        print("frames within a tenth: \(pool.good.count), lost: \(pool.lost.count)")
        print("lost frames with a confidence of 0.5 or more: " + share(pool.lost) { $0 >= 0.5 })
        print("frames within a tenth with a confidence below 0.5: " + share(pool.good) { $0 < 0.5 })
        print("separation over the frames of all videos: " + (pool.separation.map(Self.number) ?? "-"))
    }

    private func follow(_ video: Video, _ truth: [PlanarQuad], _ indices: [Int]) throws -> [Found] {
        var tracker: VideoQuadTracker?
        return try indices.filter { $0 < video.frames.count }.map { index in
            let frame = try PixelBuffers.decode(video.frames[index])
            let current =
                tracker
                ?? VideoQuadTracker(
                    quad: truth[index], width: CVPixelBufferGetWidth(frame), height: CVPixelBufferGetHeight(frame),
                    level: fast ? .fast : .accurate)
            tracker = current
            let start = nanoseconds()
            let found = try current.advance(to: frame)
            return Found(
                quad: found.quad, confidence: found.confidence, milliseconds: Double(nanoseconds() - start) / 1e6)
        }
    }

    private static func read(_ path: String) throws -> [Found] {
        try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline).map { line in
            let cells = line.split(separator: ",").map { Double($0) ?? .nan }
            guard cells.count == 10 else { throw Video.Unreadable(description: "\(path): \(line)") }
            func point(_ index: Int) -> PlanarPoint { PlanarPoint(x: cells[2 * index], y: cells[2 * index + 1]) }
            return Found(
                quad: PlanarQuad(topLeft: point(0), topRight: point(1), bottomRight: point(2), bottomLeft: point(3)),
                confidence: cells[8], milliseconds: cells[9])
        }
    }

    /// Scores all frames of the runs through a video but their first ones; `pool` receives their confidences.
    private static func cells(
        _ name: String, truth: [PlanarQuad], runs: [Run], pool: inout ConfidencePool
    ) -> [String] {
        var own = ConfidencePool()
        var errors: [Double] = [], overlaps: [Double] = []
        let limit = truth.flatMap(\.corners).reduce(0) { max($0, hypot($1.x, $1.y)) }
        let tracked = runs.flatMap { Array(zip($0.track, $0.indices).dropFirst()) }
        for (found, index) in tracked where truth[index].isFinite {
            let truth = truth[index]
            let error = zip(found.quad.corners, truth.corners).reduce(0) { $0 + $1.0.distance(to: $1.1) } / 4
            let overlap = found.quad.overlap(with: truth)
            errors.append(error.isFinite ? min(error, limit) : limit)
            overlaps.append(overlap)
            // An error that is not a number is neither, so it counts as lost.
            let size = abs(truth.area).squareRoot()
            if error <= 0.1 * size {
                own.good.append(found.confidence)
            } else if !(error <= 0.4 * size) {
                own.lost.append(found.confidence)
            }
        }
        pool.add(own)
        guard !errors.isEmpty else { return [name] + Array(repeating: "-", count: 6) }
        let count = Double(errors.count)
        return [
            name, number(errors.reduce(0, +) / count), number(percentile(0.5, ofSorted: errors.sorted())),
            number(Double(overlaps.count { $0 > 0.7 }) / count), number(Double(own.lost.count) / count),
            own.separation.map(number) ?? "-",
            number(percentile(0.5, ofSorted: tracked.map(\.0.milliseconds).sorted())),
        ]
    }

    private static func number(_ value: Double) -> String { String(format: "%.3f", value) }
}

extension PlanarQuad {
    /// Returns the area of the intersection over that of the union; 0 for quadrilaterals that are not convex.
    fileprivate func overlap(with other: PlanarQuad) -> Double {
        guard isFinite, isConvex, other.isConvex else { return 0 }
        let shared = commonArea(with: other)
        let union = abs(area) + abs(other.area) - shared
        return union > 0 ? shared / union : 0
    }
}
