import ArgumentParser
import Foundation
import VisionExtras
import VisionVideo

/// Options of every command.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(name: .shortAndLong, help: "Do not show a progress bar.")
    var quiet = false
}

/// The confidence from which on a command prints and draws what it has found.
struct ConfidenceOption: ParsableArguments {
    @Option(help: ArgumentHelp("Leave out what has a lower confidence. (default: nothing)", valueName: "0…1"))
    var minConfidence: Float = 0

    func validate() throws {
        guard (0...1).contains(minConfidence) else {
            throw ValidationError("--min-confidence is \(minConfidence); it must be 0 to 1.")
        }
    }
}

/// The distance up to which photos count as similar.
struct DistanceOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Leave out photos at a greater distance. (default: 1.15, none with --top)", valueName: "0…2")
    )
    var maxDistance: Float?

    /// - Parameter hasTop: Whether a number of photos is asked for.
    func limit(hasTop: Bool) -> Float { maxDistance ?? (hasTop ? .infinity : Ranking.similarDistance) }

    func validate() throws {
        if let maxDistance, !(maxDistance >= 0) {
            throw ValidationError("--max-distance is \(maxDistance); it must be 0 or more.")
        }
    }
}

/// The limit on the size of the images and frames that a command reads.
struct ImageLimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Refuse images and video frames with more pixels than this. (default: 268435456; video frames: 67108864)",
            valueName: "count"))
    var maxPixels: Int?

    /// Sets the limit of the process before the command opens its first image.
    func validate() throws {
        guard let maxPixels else { return }
        guard maxPixels > 0 else { throw ValidationError("--max-pixels is \(maxPixels); it must be at least 1.") }
        VisionSettings.maximumPixelCount = maxPixels
    }
}

/// The range of video frames that a command processes.
struct FrameOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The first frame to process; frames count from 0.", valueName: "frame"))
    var start = 0

    @Option(help: ArgumentHelp("Stop before this frame. (default: the end of the video)", valueName: "frame"))
    var end: Int?

    var range: FrameRange { FrameRange(start: start, end: end) }

    func validate() throws {
        guard start >= 0 else { throw ValidationError("--start is \(start); it must not be negative.") }
        if let end, end <= start { throw ValidationError("--end is \(end); it must be above --start (\(start)).") }
    }
}

extension Ratio {
    /// Reads a frame rate such as 25, 29.97 or 30000/1001.
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
    /// Prints a warning to standard error.
    func warn(_ message: String) {
        FileHandle.standardError.write(Data("Warning: \(message)\n".utf8))
    }
}

/// The frame rate of a folder of images.
struct FolderRateOption: ParsableArguments {
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
}
