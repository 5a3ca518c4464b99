import Vision
import VisionVideo

/// Iterates over the frames of a range with a progress bar, until the end, Ctrl-C or an error.
struct FrameLoop {
    let source: any FrameSource
    let range: FrameRange
    let isQuiet: Bool
    /// Whether `body` prints, so that the bar has to make room first.
    var printsLines = false

    struct Outcome {
        var frames = 0
        var isInterrupted = false
        /// Why the video ended early. The frames before are valid; the caller finishes its outputs, then throws this.
        var damage: VideoError?
    }

    /// Calls `body` with each frame and its number in the video.
    ///
    /// - Throws: Errors of `body`, and errors of the video before its first frame.
    func run(_ body: (_ frame: CVPixelBuffer, _ number: Int, _ isLast: Bool) throws -> Void) throws -> Outcome {
        let interrupt = Interrupt()
        var progress = Progress(total: range.count(of: source.format.statedFrameCount), isQuiet: isQuiet)
        defer { progress.finish() }
        var outcome = Outcome()
        while !interrupt.isRequested {
            let number = range.start + outcome.frames
            if let end = range.end, number >= end { return outcome }
            do {
                guard let frame = try source.next() else { return outcome }
                if printsLines { progress.finish() }
                try body(frame, number, number + 1 == range.end)
            } catch let error as VideoError where [.damaged, .timeout].contains(error.kind) && outcome.frames > 0 {
                outcome.damage = error
                return outcome
            }
            outcome.frames += 1
            progress.update(done: outcome.frames)
        }
        outcome.isInterrupted = true
        return outcome
    }
}
