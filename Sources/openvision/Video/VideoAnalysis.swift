import ArgumentParser
import Foundation
import Vision
import VisionPhotos
import VisionRecords
import VisionVideo

/// What is found in the frames of a video, and how it is printed and drawn.
protocol FrameAnalyser: AnyObject {
    associatedtype Found
    associatedtype Result: Codable & Equatable & Sendable

    /// The header of the table.
    static var header: String { get }

    /// - Throws: The error of the request.
    func analyse(_ frame: CMSampleBuffer, _ format: VideoFormat, number: Int) throws -> Found
    func results(_ found: Found) -> [Result]
    /// Returns the rows of the table, without the number of the frame and its time.
    func rows(_ found: Found) -> [String]
    /// Returns the line of text about a frame; nil for none.
    func line(_ found: Found) -> String?
    func draw(_ found: Found, on canvas: Canvas)

    /// The lines of text about the whole video.
    var summaryLines: [String] { get }
    /// nil for other analysers than that of trajectories.
    var trajectories: [VideoSummaryRecord.Trajectory]? { get }
}

extension FrameAnalyser {
    var summaryLines: [String] { [] }
    var trajectories: [VideoSummaryRecord.Trajectory]? { nil }
}

/// Options of commands that analyse the frames of a video.
struct VideoOptions: ParsableArguments {
    @Flag(
        help:
            """
            Take the only argument as a video, whatever its name: a file, a folder of frames, or - for one in a pipe. \
            Addresses (http://, https://, rtsp://) and cameras (/dev/video0) are taken as videos without it.
            """)
    var video = false

    @Option(
        help: ArgumentHelp(
            "Write the results of a video to this CSV file; - for the standard output.", valueName: "file"))
    var csv: String?

    @OptionGroup var frames: FrameOptions

    private static let extensions: Set<String> = ["mp4", "mov", "mkv", "avi", "webm", "m4v", "mpg", "mpeg", "mts"]

    /// Whether the arguments are a single video.
    func isVideo(_ arguments: [String]) -> Bool {
        guard arguments.count == 1 else { return false }
        if video || VideoSource.isStream(argument: arguments[0]) { return true }
        return Self.extensions.contains(URL(fileURLWithPath: arguments[0]).pathExtension.lowercased())
    }

    /// - Throws: `ValidationError` for options of videos without a video, and for those that exclude each other.
    func check(_ arguments: [String], json: Bool) throws {
        if csv == "-", json { throw ValidationError("--csv - cannot be combined with --json.") }
        guard !isVideo(arguments) else { return }
        if video { throw ValidationError("--video is for a single video.") }
        if csv != nil || frames.range != FrameRange() {
            throw ValidationError("--csv, --start and --end are for a single video; --video takes any argument as one.")
        }
    }
}

/// Analyses the frames of a video one after the other, and writes what is found.
struct VideoAnalysis {
    /// The name of the command, for JSON.
    let kind: String
    let path: String
    let range: FrameRange
    var folderRate = Ratio(25, 1)
    let csv: String?
    let render: String?
    let output: OutputOptions

    /// - Throws: `VideoError`, `RequestFailure`, and the exit code of an interrupt.
    func run(_ analyser: some FrameAnalyser) throws {
        let source = try OpenVideo.open(path, folderRate: folderRate, range: range)
        for file in [csv, render].compactMap({ $0 }) where FilePath(file).isSameFile(as: FilePath(path)) {
            throw VideoError(kind: .io, path: file, reason: "is the input video; choose another name")
        }
        let table = try csv.map { try TextFile(path: $0) }
        try table?.add(line: "frame,time," + type(of: analyser).header)
        let writer = try render.map { try VideoWriter(path: $0, format: source.format) }
        let printsText = !output.json && csv != "-"
        var (times, firstTime) = (Timings(), Double?.none)
        let start = ContinuousClock.now
        let outcome = try FrameLoop(source: source, range: range, isQuiet: output.quiet, printsLines: true).run {
            frame, number, _ in
            let time = source.currentTime
            let before = ContinuousClock.now
            let found = try analyse(frame, time: time, number: number, source.format, analyser)
            let milliseconds = (ContinuousClock.now - before).milliseconds
            times.add(milliseconds)
            for row in analyser.rows(found) { try table?.add(line: "\(number),\(Decimals.text(time, 4)),\(row)") }
            if output.json {
                try JSONLines.print(
                    FrameRecord(
                        kind: kind, image: source.format.reference(source.path), frame: number, time: time,
                        milliseconds: milliseconds, results: analyser.results(found)))
            } else if printsText, let line = analyser.line(found) {
                print("\(number)  \(line)")
            }
            guard let writer else { return }
            let drawing = try source.currentFrameForDrawing()
            try Canvas.paint(on: drawing) { analyser.draw(found, on: $0) }
            let from = firstTime ?? time
            firstTime = from
            try writer.add(drawing, time: time - from)
        }
        try table?.close()
        try writer?.finish()
        let summary = VideoSummaryRecord(
            kind: "\(kind)-summary", image: source.format.reference(source.path), frames: outcome.frames,
            trajectories: analyser.trajectories, medianMilliseconds: times.percentile(0.5),
            p95Milliseconds: times.percentile(0.95),
            framesPerSecond: Double(outcome.frames) / max((ContinuousClock.now - start).seconds, 1e-9),
            interrupted: outcome.isInterrupted, written: [render, csv].compactMap { $0 }.filter { $0 != "-" },
            warnings: source.warnings)
        try report(summary, analyser.summaryLines, times, printsText: printsText)
        if let damage = outcome.damage { throw damage }
        if outcome.isInterrupted { throw ExitCode(Interrupt.exitCode) }
    }

    private func analyse<Analyser: FrameAnalyser>(
        _ frame: CVPixelBuffer, time: Double, number: Int, _ format: VideoFormat, _ analyser: Analyser
    ) throws -> Analyser.Found {
        // Times begin after zero, which means that there is none.
        let sample = CMSampleBuffer(
            imageBuffer: frame, presentationTimeStamp: CMTimeMakeWithSeconds(time + 1, preferredTimescale: 90_000))
        do {
            return try analyser.analyse(sample, format, number: number)
        } catch {
            throw RequestFailure(path: path, error)
        }
    }

    private func report(
        _ summary: VideoSummaryRecord, _ lines: [String], _ times: Timings, printsText: Bool
    ) throws {
        if output.json { return try JSONLines.print(summary) }
        if printsText {
            let size = "\(summary.image.width ?? 0)×\(summary.image.height ?? 0)"
            print("\(summary.image.path): \(Count.text(summary.frames, "frame")) of \(size) pixels")
            for line in lines { print(line) }
            print("analysis: \(times.summary)")
            if let rate = summary.framesPerSecond { print("end to end: \(Decimals.text(rate, 1)) frames/s") }
            if !summary.written.isEmpty { print("written: \(summary.written.joined(separator: ", "))") }
        }
        for warning in summary.warnings {
            FileHandle.standardError.write(Data("Warning: \(warning)\n".utf8))
        }
    }
}
