import ArgumentParser
import Foundation
import Vision
import VisionPhotos

struct StabilityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stability",
        abstract: "Tell in which frames of a video the camera is still.",
        discussion: """
            Each frame is registered with the one before. The camera is still when the last 15 shifts together come \
            to less than 20 pixels (|Σx| + |Σy|); the first 15 frames never count as still. A frame that cannot be \
            registered starts the count anew.

            --json prints a line for each frame and a summary as the last line.

            Examples:
              openvision stability walk.mp4
              openvision stability walk.mp4 --start 250 --end 750 --json
            """)

    @Argument(help: ArgumentHelp("A video, or a folder of images.", valueName: "video"))
    var path: String

    @Option(help: ArgumentHelp("How many shifts are added up.", valueName: "count"))
    var history = 15

    @Option(help: ArgumentHelp("The sum must stay below this many pixels.", valueName: "pixels"))
    var limit = 20.0

    @OptionGroup var frames: FrameOptions
    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var output: OutputOptions

    struct Record: Encodable {
        var frame: Int
        /// Seconds after the first frame of the video.
        var time: Double?
        var tx: Double?
        var ty: Double?
        var confidence: Double?
        var drift: Double?
        var stable: Bool
        var milliseconds: Double?
        var error: String?
    }

    struct Stretch: Encodable {
        var first: Int
        var last: Int
    }

    struct Summary: Encodable {
        var video: String
        var width: Int
        var height: Int
        var frames: Int
        var stableFrames: Int
        var stretches: [Stretch]
        var milliseconds: TrackSummary.Times
        var framesPerSecond: Double?
        var interrupted: Bool
        var warnings: [String]
    }

    func validate() throws {
        guard (1...100_000).contains(history) else { throw ValidationError("--history must lie in 1…100000.") }
        guard limit > 0 else { throw ValidationError("--limit must be above zero.") }
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
                var record = Record(
                    frame: number, time: Decimals.rounded(source.currentTime, 4), stable: false)
                times.append(source.currentTime)
                switch registrar.register(frame) {
                case nil:
                    break
                case .success(let shift)?:
                    registered += 1
                    rule.add(x: shift.x, y: shift.y)
                    record.tx = Decimals.rounded(shift.x, 4)
                    record.ty = Decimals.rounded(shift.y, 4)
                    record.confidence = Decimals.rounded(Double(shift.confidence), 4)
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
        if registered == 0, let firstFailure { throw RequestFailure(path: path, firstFailure) }

        let seconds = (ContinuousClock.now - start).seconds
        let summary = Summary(
            video: path, width: source.format.width, height: source.format.height, frames: outcome.frames,
            stableFrames: stretches.ranges.reduce(0) { $0 + $1.count },
            stretches: stretches.ranges.map { Stretch(first: $0.lowerBound, last: $0.upperBound) },
            milliseconds: .init(
                median: registrar.timings.percentile(0.5).flatMap { Decimals.rounded($0, 3) },
                p95: registrar.timings.percentile(0.95).flatMap { Decimals.rounded($0, 3) }),
            framesPerSecond: Decimals.rounded(Double(outcome.frames) / seconds, 1), interrupted: outcome.isInterrupted,
            warnings: source.warnings)
        try report(summary, registrar.timings) {
            times.indices.contains($0 - frames.start) ? times[$0 - frames.start] : 0
        }
        if let damage = outcome.damage { throw damage }
        if outcome.isInterrupted { throw ExitCode(Interrupt.exitCode) }
    }

    private func report(_ summary: Summary, _ timings: Timings, time: (Int) -> Double) throws {
        if output.json {
            try JSONLines.print(["summary": summary])
            return
        }
        print("\(summary.video): \(summary.frames) frames of \(summary.width)×\(summary.height) pixels")
        print("still in \(summary.stableFrames) frames\(summary.stretches.isEmpty ? "" : ":")")
        for stretch in summary.stretches {
            let (from, to) = (Decimals.text(time(stretch.first), 2), Decimals.text(time(stretch.last), 2))
            print("  frames \(stretch.first)–\(stretch.last) (\(from)–\(to) s)")
        }
        print("registration: \(timings.summary)")
        if let all = summary.framesPerSecond { print("all together: \(Decimals.text(all, 1)) frames/s") }
        for warning in summary.warnings { warn(warning) }
    }
}
