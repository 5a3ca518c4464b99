import ArgumentParser
import Foundation
import VisionExtras

/// Options that every command has.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(name: .shortAndLong, help: "No progress bar, not even on a terminal.")
    var quiet = false
}

/// How large the images and frames that a command reads may be.
struct ImageLimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Refuse images and video frames with more pixels than this. (default: 268435456; video frames: 67108864)",
            valueName: "count"))
    var maxPixels: Int?

    /// Sets the limit of the process, so that it holds before the command opens its first image.
    func validate() throws {
        guard let maxPixels else { return }
        guard maxPixels > 0 else { throw ValidationError("--max-pixels is \(maxPixels); it must be at least 1.") }
        VisionSettings.maximumPixelCount = maxPixels
    }
}

/// Which frames of a video are worked on.
struct FrameOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The first frame to work on; frames count from 0.", valueName: "frame"))
    var start = 0

    @Option(help: ArgumentHelp("Stop before this frame. Without it: the end of the video.", valueName: "frame"))
    var end: Int?

    var range: FrameRange { FrameRange(start: start, end: end) }

    func validate() throws {
        guard start >= 0 else { throw ValidationError("--start must not be negative.") }
        if let end, end <= start { throw ValidationError("--end must lie behind --start (\(start)).") }
    }
}

extension Ratio {
    /// A frame rate such as 25, 29.97 or 30000/1001.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let above = Int(parts[0]), let below = Int(parts[1]), above > 0, below > 0 {
            self.init(above, below)
        } else if parts.count == 1, let number = Double(text), number.isFinite, number >= 0.001, number <= 1000 {
            self.init(Int((number * 1000).rounded()), 1000)
        } else {
            return nil
        }
    }
}

extension ParsableArguments {
    /// Prints to standard error.
    func warn(_ message: String) {
        FileHandle.standardError.write(Data("Warning: \(message)\n".utf8))
    }
}
