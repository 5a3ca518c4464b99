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
            frames whose quadrilaterals overlap by more than 0.7; lost: by 0.1 or less; sep: how well the confidence \
            tells frames with an overlap of 0.5 or more from lost ones; ms: median time of a frame, decoding apart.
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

    @Flag(help: "Use the fast level instead of the accurate one.")
    var fast = false

    /// The quadrilateral of one frame.
    private struct Found {
        var quad: PlanarQuad
        var confidence: Double
        var milliseconds: Double
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
            let track = try results.map { try Self.read("\($0)/\(video.name).csv") } ?? follow(video, truth: truth)
            say(table.row(Self.cells(video.name, truth: truth, track: track, pool: &pool)))
        }
        print("separation over the frames of all videos: " + (pool.separation.map(Self.number) ?? "-"))
    }

    private func follow(_ video: Video, truth: [PlanarQuad]) throws -> [Found] {
        var tracker: VideoQuadTracker?
        return try video.frames.prefix(truth.count).map { file in
            let frame = try PixelBuffers.decode(file)
            let current =
                tracker
                ?? VideoQuadTracker(
                    quad: truth[0], width: CVPixelBufferGetWidth(frame), height: CVPixelBufferGetHeight(frame),
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

    /// Scores frames 2… of a video; `pool` receives their confidences.
    private static func cells(
        _ name: String, truth: [PlanarQuad], track: [Found], pool: inout ConfidencePool
    ) -> [String] {
        var own = ConfidencePool()
        var errors: [Double] = [], overlaps: [Double] = []
        let limit = truth.flatMap(\.corners).reduce(0) { max($0, hypot($1.x, $1.y)) }
        for (found, truth) in zip(track, truth).dropFirst() where truth.isFinite {
            let error = zip(found.quad.corners, truth.corners).reduce(0) { $0 + $1.0.distance(to: $1.1) } / 4
            let overlap = found.quad.overlap(with: truth)
            errors.append(error.isFinite ? min(error, limit) : limit)
            overlaps.append(overlap)
            own.add(overlap: overlap, confidence: found.confidence)
        }
        pool.add(own)
        guard !errors.isEmpty else { return [name] + Array(repeating: "-", count: 6) }
        let count = Double(errors.count)
        return [
            name, number(errors.reduce(0, +) / count), number(percentile(0.5, ofSorted: errors.sorted())),
            number(Double(overlaps.count { $0 > 0.7 }) / count), number(Double(overlaps.count { $0 <= 0.1 }) / count),
            own.separation.map(number) ?? "-",
            number(percentile(0.5, ofSorted: track.dropFirst().map(\.milliseconds).sorted())),
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
