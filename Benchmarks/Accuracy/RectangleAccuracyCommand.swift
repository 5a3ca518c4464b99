import ArgumentParser
import Foundation
import Vision
import VisionAlgorithms
import VisionExtras

struct RectangleAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rectangles",
        abstract: "Track photographs, pages and screens as planes in videos made of a folder of photographs.",
        discussion: """
            Each video has 60 frames of 640x480: a photograph, page or screen flies before another photograph that \
            moves as well. The tracker gets the first corners and is never re-initialised. error: mean distance of \
            the four corners from the truth in frames with at least 70 % of the plane in the image and 40 % not \
            covered, in pixels; within: share of these frames within 1 pixel; lost: share beyond 10 pixels; sep: how \
            well the confidence tells frames within a tenth of the plane's size from those beyond 40 % of it or \
            without the plane; false: share of the latter with a confidence of 0.5 or more; ms: median, 95th \
            percentile and maximum of the time of a frame.
            """)

    @Argument(help: "The folder of photographs.")
    var data: String

    @Option(name: .customLong("per-kind"), help: "How many videos of each kind.")
    var perKind = 4

    @Option(help: "Another seed makes other videos.")
    var seed: UInt64 = 20

    @Option(help: "Only kinds whose name contains this text.")
    var filter: String?

    @Flag(help: "Use the fast level instead of the accurate one.")
    var fast = false

    @Option(help: ArgumentHelp("Write frames (PGM) and truth of the videos here.", valueName: "folder"))
    var write: String?

    @Option(
        help: ArgumentHelp(
            "Write evidence of right and wrong alignments (CSV), for Training/Tracking/fit_rectangles.py.",
            valueName: "file"))
    var alignments: String?

    @Option(help: "With --alignments: how many times smaller the frames are.")
    var shrink = 1

    @Option(help: "How many times faster than usual everything moves.")
    var speed = 1.0

    @Option(help: "How many times larger than usual the tilts are; from about 2.5 the plane is seen edge-on.")
    var tilt = 1.0

    @Flag(help: "Print a line for each video as well.")
    var each = false

    private static let columns = ["video", "error", "p95", "within", "lost", "sep", "false", "ms", "p95", "max"]

    func validate() throws {
        guard perKind > 0, perKind <= 1000 else { throw ValidationError("--per-kind must be from 1 to 1000") }
        guard speed > 0, tilt >= 0 else { throw ValidationError("--speed must be above 0, --tilt not below") }
        guard (1...8).contains(shrink) else { throw ValidationError("--shrink must be from 1 to 8") }
    }

    func run() throws {
        VisionSettings.threadCount = 1
        let photos = try PhotoFolder(data)
        if let alignments {
            var rows = "label,inside,narrow,wide,known\n"
            for kind in PlanarVideo.Kind.allCases where filter.map(kind.rawValue.contains) ?? true {
                for number in 0..<perKind {
                    let video = try video(kind, number, photos)
                    rows += try video.alignments(level: fast ? .fast : .accurate, shrink: shrink)
                }
            }
            return try rows.write(toFile: alignments, atomically: true, encoding: .utf8)
        }
        let table = Table(columns: Self.columns, widths: [14, 7, 7, 7, 7, 7, 7, 7, 7, 7], style: .plain)
        say(table.header())
        var all = QuadScore()
        for kind in PlanarVideo.Kind.allCases where filter.map(kind.rawValue.contains) ?? true {
            var score = QuadScore()
            for number in 0..<perKind {
                let video = try video(kind, number, photos)
                var own = QuadScore()
                try follow(video, name: "\(kind.rawValue)-\(number)", into: &own)
                if each { say(table.row(own.cells("\(kind.rawValue) \(number)"))) }
                score.add(own)
            }
            say(table.row(score.cells(kind.rawValue)))
            all.add(score)
        }
        say(table.row(all.cells("all")))
    }

    private func video(_ kind: PlanarVideo.Kind, _ number: Int, _ photos: PhotoFolder) throws -> PlanarVideo {
        try PlanarVideo(kind: kind, photos: photos, number: number, seed: seed, speed: speed, tilt: tilt)
    }

    private func follow(_ video: PlanarVideo, name: String, into score: inout QuadScore) throws {
        var tracker: VideoQuadTracker?
        for index in 0..<PlanarVideo.count {
            let (image, truth) = video.frame(index)
            if let write { try Self.write(image, truth, to: "\(write)/\(name)", index) }
            let frame = try PixelBuffers.bgra(image)
            let current =
                tracker
                ?? VideoQuadTracker(
                    quad: truth.quad, width: image.width, height: image.height, level: fast ? .fast : .accurate)
            tracker = current
            let start = nanoseconds()
            let found = try current.advance(to: frame)
            let milliseconds = Double(nanoseconds() - start) / 1e6
            if index > 0 {
                score.add(quad: found.quad, confidence: found.confidence, truth: truth, milliseconds: milliseconds)
            }
        }
    }

    private static func write(
        _ image: RGBImage, _ truth: PlanarVideo.Truth, to folder: String, _ index: Int
    ) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var data = Data("P5 \(image.width) \(image.height) 255\n".utf8)
        data.append(contentsOf: image.grey)
        try data.write(to: URL(fileURLWithPath: folder + String(format: "/%04d.pgm", index)))
        let numbers = truth.quad.corners.flatMap { [$0.x, $0.y] } + [truth.within, truth.seen]
        let line = numbers.map { String(format: "%.4f", $0) }.joined(separator: ",")
        try line.write(toFile: folder + String(format: "/%04d.txt", index), atomically: true, encoding: .utf8)
    }
}
