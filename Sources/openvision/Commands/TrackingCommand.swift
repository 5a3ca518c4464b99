import ArgumentParser
import Vision
import VisionRecords

/// A command that tracks targets through a video.
protocol TrackingCommand: ParsableCommand {
    var path: String { get }
    var csv: String? { get }
    var render: String? { get }
    var frames: FrameOptions { get }
    var output: OutputOptions { get }
}

extension TrackingCommand {
    /// Tracks targets through the video, writes the outputs and reports the run: with `--json` a record for each frame
    /// and a summary, else a text.
    ///
    /// - Parameters:
    ///   - result: Returns the record of a target in a frame; targets count from 1.
    ///   - show: Returns the lines of the text about the targets.
    func track<State: TrackedState, Result: Codable & Equatable & Sendable>(
        _ targets: [(observation: State.Observation, state: State)], in source: any FrameSource,
        level: VNRequestTrackingLevel, revision: Int? = nil, result: (_ target: Int, State) -> Result,
        show: (VideoTracker<State>, TrackSummaryRecord) -> [String]
    ) throws {
        let kind = Self.configuration.commandName ?? ""
        if csv == "-" {
            guard targets.count == 1 else { throw ValidationError("--csv - is for a single target.") }
            guard !output.json else { throw ValidationError("--csv - cannot be combined with --json.") }
        }
        let tracker = VideoTracker(targets: targets, source: source, level: level, revision: revision)
        let outputs = try TrackOutputs(csv: csv, render: render, targets: targets.count, source: source)
        var statistics = TrackStatistics(targets: targets.count)
        let start = ContinuousClock.now
        let outcome = try FrameLoop(source: source, range: frames.range, isQuiet: output.quiet)
            .run { frame, number, isLast in
                let milliseconds = try tracker.track(frame, isLast: isLast)
                if number > frames.start { statistics.add(tracker.states) }
                try outputs.add(tracker.states, milliseconds: milliseconds, source: source)
                guard output.json else { return }
                try JSONLines.print(
                    FrameRecord(
                        kind: kind, image: source.format.reference(source.path), frame: number,
                        time: source.currentTime, milliseconds: milliseconds,
                        results: tracker.states.enumerated().map { result($0.offset + 1, $0.element) }))
            }
        try outputs.finish()

        var times = Timings()
        for time in tracker.timings.milliseconds.dropFirst() { times.add(time) }
        let summary = TrackSummaryRecord(
            kind: "\(kind)-summary", image: source.format.reference(source.path), frames: outcome.frames,
            targets: statistics.targets(failures: tracker.failures), medianMilliseconds: times.percentile(0.5),
            p95Milliseconds: times.percentile(0.95),
            framesPerSecond: Double(outcome.frames) / (ContinuousClock.now - start).seconds,
            interrupted: outcome.isInterrupted, written: outputs.written, warnings: source.warnings)
        if output.json {
            try JSONLines.print(summary)
        } else if csv == "-" {
            for warning in summary.warnings { warn(warning) }
        } else {
            let size = "\(source.format.width)×\(source.format.height)"
            print("\(source.path): \(Count.text(summary.frames, "frame")) of \(size) pixels")
            for line in show(tracker, summary) { print(line) }
            print("tracking: \(times.summary)")
            if let rate = summary.framesPerSecond { print("end to end: \(Decimals.text(rate, 1)) frames/s") }
            if !summary.written.isEmpty { print("written: \(summary.written.joined(separator: ", "))") }
            for warning in summary.warnings { warn(warning) }
        }
        if let damage = outcome.damage { throw damage }
        if outcome.isInterrupted { throw ExitCode(Interrupt.exitCode) }
    }
}
