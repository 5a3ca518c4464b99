import ArgumentParser
import Vision
import VisionPhotos
import VisionRecords

struct StabilityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stability",
        abstract: "Find the frames of a video in which the camera is still.",
        discussion: """
            Registers each frame with the previous one. The camera counts as still when the sum of the last 15 shifts \
            (--history) is below 20 pixels (--limit), measured as |Σx| + |Σy|. The first 15 frames never count as \
            still. A frame that cannot be registered restarts the history.

            --json prints a line for each frame and a summary as the last line.

            Examples:
              openvision stability walk.mp4
              openvision stability walk.mp4 --start 250 --end 750 --json
            """)

    @Argument(help: VideoArgument.help)
    var path: String

    @Option(help: ArgumentHelp("How many shifts to sum.", valueName: "count"))
    var history = 15

    @Option(help: ArgumentHelp("The camera is still while the sum is below this.", valueName: "pixels"))
    var limit = 20.0

    @OptionGroup var frames: FrameOptions
    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...100_000).contains(history) else {
            throw ValidationError("--history is \(history); it must be 1 to 100000.")
        }
        guard limit > 0 else { throw ValidationError("--limit is \(limit); it must be above 0.") }
    }

    func run() throws {
        let source = try OpenVideo.open(path, range: frames.range)
        let registrar = FrameRegistrar()
        var rule = StabilityRule(length: history, limit: limit)
        var stretches = Stretches()
        var times: [Double] = []
        var firstFailure: (any Error)?
        var registered = 0
        let start = ContinuousClock.now

        let outcome = try FrameLoop(source: source, range: frames.range, isQuiet: output.quiet)
            .run { frame, number, _ in
                var record = StabilityRecord(
                    image: source.format.reference(source.path), frame: number, time: source.currentTime)
                times.append(source.currentTime)
                switch registrar.register(frame) {
                case nil:
                    break
                case .success(let shift)?:
                    registered += 1
                    rule.add(x: shift.x, y: shift.y)
                    record.results = [
                        StabilityResult(
                            x: Decimals.rounded(shift.x, 4), y: Decimals.rounded(-shift.y, 4),
                            confidence: Decimals.rounded(Double(shift.confidence), 4))
                    ]
                    record.milliseconds = Decimals.rounded(shift.milliseconds, 3)
                case .failure(let error)?:
                    rule.reset()
                    firstFailure = firstFailure ?? error
                    record.error = error.localizedDescription
                }
                record.drift = Decimals.rounded(rule.drift, 3)
                record.stable = rule.isStable
                if rule.isStable { stretches.add(number) }
                if output.json { try JSONLines.print(record) }
            }
        if registered == 0, let firstFailure { throw RequestFailure(path: source.path, firstFailure) }

        let seconds = (ContinuousClock.now - start).seconds
        let summary = StabilitySummaryRecord(
            image: source.format.reference(source.path), frames: outcome.frames,
            stableFrames: stretches.ranges.reduce(0) { $0 + $1.count },
            stretches: stretches.ranges.map { .init(first: $0.lowerBound, last: $0.upperBound) },
            medianMilliseconds: registrar.timings.percentile(0.5), p95Milliseconds: registrar.timings.percentile(0.95),
            framesPerSecond: Double(outcome.frames) / seconds, interrupted: outcome.isInterrupted,
            warnings: source.warnings)
        try report(summary, registrar.timings, of: source.path) {
            times.indices.contains($0 - frames.start) ? times[$0 - frames.start] : 0
        }
        if let damage = outcome.damage { throw damage }
        if outcome.isInterrupted { throw ExitCode(Interrupt.exitCode) }
    }

    private func report(
        _ summary: StabilitySummaryRecord, _ timings: Timings, of path: String, time: (Int) -> Double
    ) throws {
        if output.json {
            try JSONLines.print(summary)
            return
        }
        let size = "\(summary.image.width ?? 0)×\(summary.image.height ?? 0)"
        print("\(path): \(Count.text(summary.frames, "frame")) of \(size) pixels")
        print("still in \(Count.text(summary.stableFrames, "frame"))\(summary.stretches.isEmpty ? "" : ":")")
        for stretch in summary.stretches {
            let (from, to) = (Decimals.text(time(stretch.first), 2), Decimals.text(time(stretch.last), 2))
            print("  frames \(stretch.first)–\(stretch.last) (\(from)–\(to) s)")
        }
        print("registration: \(timings.summary)")
        if let all = summary.framesPerSecond { print("end to end: \(Decimals.text(all, 1)) frames/s") }
        for warning in summary.warnings { warn(warning) }
    }
}
