import ArgumentParser
import Foundation
import Vision
import VisionRecords

struct TrackRectangleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track-rectangle",
        abstract: "Track the four corners of pages, screens or cards in a video or a folder of images.",
        discussion: #"""
            Give the corners of each rectangle in the first frame with --quad: top left, top right, bottom right, \#
            bottom left. The frames of a folder are its images, sorted by name with numbers in numeric order (2 \#
            before 10).

            --csv writes a header and one row per frame: x1,y1,x2,y2,x3,y3,x4,y4,confidence,milliseconds, in pixels \#
            from the top left, the corners in the order in which they were given. The first row is the given \#
            rectangle; milliseconds is the tracking time of the frame, for all rectangles together. With several \#
            rectangles, one file is written for each: page.csv becomes page-1.csv, page-2.csv…

            --render writes the video with the sides: solid at a confidence of 0.5 or more, dashed below; a dot marks \#
            the first corner.

            --json prints a line for each frame and a summary as the last line.

            Examples:
              openvision track-rectangle desk.mp4 --quad 120,80,420,95,430,300,110,290 --csv page.csv --render out.mp4
              openvision track-rectangle frames/ --quad 0.2,0.8,0.7,0.8,0.7,0.3,0.2,0.3 --normalized --json
            """#)

    @Argument(help: ArgumentHelp("A video, or a folder of images.", valueName: "video"))
    var path: String

    @Option(
        name: .customLong("quad"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The corners of a rectangle in the first frame, in pixels from the top left. Repeat for more.",
            valueName: "x1,y1,x2,y2,x3,y3,x4,y4"),
        transform: { text in
            guard let quad = PixelQuad(text) else {
                throw ValidationError("'\(text)' is not a valid quad; use x1,y1,x2,y2,x3,y3,x4,y4.")
            }
            return quad
        })
    var quads: [PixelQuad] = []

    @Flag(help: "Corners are fractions of the frame, origin at the lower left, as in Vision's observations.")
    var normalized = false

    @Option(help: ArgumentHelp("Favour speed or accuracy.", valueName: "fast|accurate"))
    var level = TrackCommand.Level.accurate

    @Option(help: ArgumentHelp("Write the corners of each frame to this CSV file.", valueName: "file"))
    var csv: String?

    @Option(
        help: ArgumentHelp(
            "Write the video with the outlines to this file (.mp4, .mov, .mkv, .avi).", valueName: "file"))
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
        guard !quads.isEmpty else { throw ValidationError("Give at least one --quad x1,y1,x2,y2,x3,y3,x4,y4.") }
    }

    func run() throws {
        let source = try OpenVideo.open(path, folderRate: fps, range: frames.range)
        let targets = quads.map { quad in
            let observation = quad.observation(in: source.format, normalised: normalized)
            return (observation: observation, state: QuadState(observation, in: source.format))
        }
        let tracker = VideoTracker(targets: targets, source: source, level: level.vision)
        let outputs = try TrackOutputs(csv: csv, render: render, targets: quads.count, source: source)
        var statistics = TrackStatistics(targets: quads.count)
        let start = ContinuousClock.now
        let outcome = try FrameLoop(source: source, range: frames.range, isQuiet: output.quiet)
            .run { frame, number, isLast in
                let milliseconds = try tracker.track(frame, isLast: isLast)
                if number > frames.start { statistics.add(tracker.states) }
                try outputs.add(tracker.states, milliseconds: milliseconds, source: source)
                if output.json { try JSONLines.print(record(number, source, milliseconds, tracker.states)) }
            }
        try outputs.finish()

        var times = Timings()
        for time in tracker.timings.milliseconds.dropFirst() { times.add(time) }
        let failures = tracker.failures.sorted { $0.key < $1.key }.map { "rectangle \($0.key + 1): \($0.value)" }
        if output.json {
            let seconds = (ContinuousClock.now - start).seconds
            try JSONLines.print(
                TrackSummaryRecord(
                    kind: "track-rectangle-summary", image: source.format.reference(path), frames: outcome.frames,
                    targets: statistics.targets(failures: tracker.failures), medianMilliseconds: times.percentile(0.5),
                    p95Milliseconds: times.percentile(0.95), framesPerSecond: Double(outcome.frames) / seconds,
                    interrupted: outcome.isInterrupted, written: outputs.written, warnings: source.warnings))
        } else {
            print("\(path): \(outcome.frames) frames of \(source.format.width)×\(source.format.height) pixels")
            for (target, state) in tracker.states.enumerated() {
                let corners = state.quad.numbers.map { Decimals.text($0, 1) }.joined(separator: ",")
                let confidence = Decimals.text(Double(state.confidence), 2)
                print("rectangle \(target + 1): last at \(corners), confidence \(confidence)")
            }
            for failure in failures { print("tracking stopped: \(failure)") }
            print("tracking: \(times.summary)")
            if !outputs.written.isEmpty { print("written: \(outputs.written.joined(separator: ", "))") }
            for warning in source.warnings { warn(warning) }
        }
        if let damage = outcome.damage { throw damage }
        if outcome.isInterrupted { throw ExitCode(Interrupt.exitCode) }
    }

    private func record(
        _ number: Int, _ source: any FrameSource, _ milliseconds: Double, _ states: [QuadState]
    ) -> FrameRecord<TrackedRectangleResult> {
        FrameRecord(
            kind: "track-rectangle", image: source.format.reference(path), frame: number, time: source.currentTime,
            milliseconds: milliseconds,
            results: states.enumerated().map { index, state in
                TrackedRectangleResult(
                    target: index + 1, corners: state.quad.points,
                    confidence: Decimals.rounded(Double(state.confidence), 4))
            })
    }
}
