import ArgumentParser
import Foundation
import Vision
import VisionRecords

struct TrackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Track one or more objects in a video or a folder of images.",
        discussion: #"""
            Give the box of each object in the first frame with --box. The frames of a folder are its images, sorted \#
            by name with numbers in numeric order (2 before 10).

            --csv writes a header and one row per frame: x,y,width,height,confidence,milliseconds, in pixels from the \#
            top left. The first row is the given box; milliseconds is the tracking time of the frame, for all objects \#
            together. With several objects, one file is written for each: people.csv becomes people-1.csv, \#
            people-2.csv…

            --render writes the video with the boxes: solid at a confidence of 0.5 or more, dashed below.

            --json prints a line for each frame and a summary as the last line.

            Examples:
              openvision track street.mp4 --box 300,120,40,90 --csv walker.csv
              openvision track street.mp4 --box 300,120,40,90 --box 52,20,44,96 \
                --start 100 --end 400 --render out.mp4
              openvision track frames/ --box 0.4,0.5,0.1,0.2 --normalized --json
            """#)

    enum Level: String, ExpressibleByArgument, CaseIterable {
        case fast, accurate

        var vision: VNRequestTrackingLevel { self == .fast ? .fast : .accurate }
    }

    @Argument(help: ArgumentHelp("A video, or a folder of images.", valueName: "video"))
    var path: String

    @Option(
        name: .customLong("box"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The box of an object in the first frame, in pixels from the top left. Repeat for more objects.",
            valueName: "x,y,width,height"),
        transform: { text in
            guard let box = PixelBox(text) else {
                throw ValidationError(
                    "'\(text)' is not a valid box; use x,y,width,height with width and height above 0.")
            }
            return box
        })
    var boxes: [PixelBox] = []

    @Flag(help: "Boxes are fractions of the frame, origin at the lower left, as in Vision's boundingBox.")
    var normalized = false

    @Option(help: ArgumentHelp("Favour speed or accuracy.", valueName: "fast|accurate"))
    var level = Level.fast

    @Option(help: "The revision of the tracking request. (default: that of the request)")
    var revision: Int?

    @Option(help: ArgumentHelp("Write the box of each frame to this CSV file.", valueName: "file"))
    var csv: String?

    @Option(
        help: ArgumentHelp("Write the video with the boxes to this file (.mp4, .mov, .mkv, .avi).", valueName: "file"))
    var render: String?

    @Option(
        help: ArgumentHelp(
            "Frames per second when the frames come from a folder, such as 30000/1001. (default: 25)",
            valueName: "rate"
        ),
        transform: { text in
            guard let rate = Ratio(text) else {
                throw ValidationError("'\(text)' is not a valid frame rate; use 25, 29.97 or 30000/1001.")
            }
            return rate
        })
    var fps = Ratio(25, 1)

    @OptionGroup var frames: FrameOptions
    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !boxes.isEmpty else { throw ValidationError("Give at least one --box x,y,width,height.") }
    }

    func run() throws {
        let source = try OpenVideo.open(path, folderRate: fps, range: frames.range)
        let boxes = try pixelBoxes(in: source.format)
        let targets = boxes.map { box in
            let boundingBox = (box.clipped(to: source.format) ?? box).normalised(in: source.format)
            return (
                observation: VNDetectedObjectObservation(boundingBox: boundingBox),
                state: BoxState(box: box, boundingBox: boundingBox, confidence: 1)
            )
        }
        let tracker = VideoTracker(targets: targets, source: source, level: level.vision, revision: revision)
        let outputs = try TrackOutputs(csv: csv, render: render, targets: boxes.count, source: source)
        var statistics = TrackStatistics(targets: boxes.count)
        let start = ContinuousClock.now

        let outcome = try FrameLoop(source: source, range: frames.range, isQuiet: output.quiet)
            .run { frame, number, isLast in
                let milliseconds = try tracker.track(frame, isLast: isLast)
                if number > frames.start { statistics.add(tracker.states) }
                try outputs.add(tracker.states, milliseconds: milliseconds, source: source)
                if output.json {
                    try JSONLines.print(
                        FrameRecord(
                            kind: "track", image: source.format.reference(path), frame: number,
                            time: source.currentTime, milliseconds: milliseconds,
                            results: tracker.states.enumerated().map { index, state in
                                TrackedBoxResult(
                                    target: index + 1,
                                    box: PixelRectangleRecord(
                                        x: state.box.x, y: state.box.y, width: state.box.width,
                                        height: state.box.height),
                                    confidence: Decimals.rounded(Double(state.confidence), 4))
                            }))
                }
            }
        try outputs.finish()

        var times = Timings()
        for time in tracker.timings.milliseconds.dropFirst() { times.add(time) }
        let seconds = (ContinuousClock.now - start).seconds
        let summary = TrackSummaryRecord(
            kind: "track-summary", image: source.format.reference(path), frames: outcome.frames,
            targets: statistics.targets(failures: tracker.failures), medianMilliseconds: times.percentile(0.5),
            p95Milliseconds: times.percentile(0.95), framesPerSecond: Double(outcome.frames) / seconds,
            interrupted: outcome.isInterrupted,
            written: outputs.written, warnings: source.warnings)
        try report(summary, times)
        if let damage = outcome.damage { throw damage }
        if outcome.isInterrupted { throw ExitCode(Interrupt.exitCode) }
    }

    private func pixelBoxes(in format: VideoFormat) throws -> [PixelBox] {
        try boxes.map { given in
            let box =
                normalized
                ? PixelBox(
                    normalised: CGRect(x: given.x, y: given.y, width: given.width, height: given.height), in: format)
                : given
            guard box.clipped(to: format) != nil else {
                throw ValidationError(
                    "The box \(given.x),\(given.y),\(given.width),\(given.height) lies outside the frame of "
                        + "\(format.width)×\(format.height) pixels.")
            }
            return box
        }
    }

    private func report(_ summary: TrackSummaryRecord, _ times: Timings) throws {
        if output.json {
            try JSONLines.print(summary)
            return
        }
        print("\(path): \(summary.frames) frames of \(summary.image.width ?? 0)×\(summary.image.height ?? 0) pixels")
        for target in summary.targets {
            let mean = target.meanConfidence.map { Decimals.text($0, 2) } ?? "-"
            let end = target.failure.map { "; tracking stopped: \($0)" } ?? ""
            print("target \(target.target): mean confidence \(mean), \(target.doubtfulFrames) frames below 0.5\(end)")
        }
        print("tracking: \(times.summary)")
        if let rate = summary.framesPerSecond { print("end to end: \(Decimals.text(rate, 1)) frames/s") }
        if !summary.written.isEmpty { print("written: \(summary.written.joined(separator: ", "))") }
        for warning in summary.warnings { warn(warning) }
    }
}
