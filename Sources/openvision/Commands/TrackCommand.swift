import ArgumentParser
import Vision
import VisionRecords
import VisionVideo

struct TrackCommand: TrackingCommand {
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

            --json prints a line for each frame and a summary as the last line; --csv - writes the table of a single \#
            target to the standard output.

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

    @Argument(help: VideoArgument.help)
    var path: String

    @Option(
        name: .customLong("box"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The box of an object in the first frame, in pixels from the top left. Repeat for more objects.",
            valueName: "x,y,width,height"),
        transform: { text in
            guard let box = PixelRegion(text) else {
                throw ValidationError(
                    "'\(text)' is not a valid box; use x,y,width,height with width and height above 0.")
            }
            return box
        })
    var boxes: [PixelRegion] = []

    @Flag(help: "Boxes are fractions of the frame, origin at the lower left, as in Vision's boundingBox.")
    var normalized = false

    @Option(
        help: ArgumentHelp(
            "Favour speed or accuracy; with --revision 1 only. (default: fast)", valueName: "fast|accurate"))
    var level: Level?

    @Option(help: "The revision of the tracking request. (default: that of the request)")
    var revision: Int?

    @Option(help: ArgumentHelp("Write the box of each frame to this CSV file.", valueName: "file"))
    var csv: String?

    @Option(
        help: ArgumentHelp("Write the video with the boxes to this file (.mp4, .mov, .mkv, .avi).", valueName: "file"))
    var render: String?

    @OptionGroup var rate: FolderRateOption
    @OptionGroup var frames: FrameOptions
    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !boxes.isEmpty else { throw ValidationError("Give at least one --box x,y,width,height.") }
        guard level == nil || revision == VNTrackObjectRequestRevision1 else {
            throw ValidationError(
                "--level \(level?.rawValue ?? "") has an effect with --revision 1 only: revision 2, the default, is "
                    + "one tracker for both levels. Add --revision 1, or leave --level out.")
        }
    }

    func run() throws {
        let source = try OpenVideo.open(path, folderRate: rate.fps, range: frames.range)
        let boxes = try pixelBoxes(in: source.format)
        let targets = boxes.map { box in
            let boundingBox = (box.clipped(to: source.format) ?? box).normalised(in: source.format)
            return (
                observation: VNDetectedObjectObservation(boundingBox: boundingBox),
                state: BoxState(box: box, boundingBox: boundingBox, confidence: 1)
            )
        }
        try track(targets, in: source, level: (level ?? .fast).vision, revision: revision) { target, state in
            TrackedBoxResult(
                target: target,
                box: PixelRectangleRecord(
                    x: state.box.x, y: state.box.y, width: state.box.width, height: state.box.height),
                confidence: Decimals.rounded(Double(state.confidence), 4))
        } show: { _, summary in
            summary.targets.map { target in
                let mean = target.meanConfidence.map { Decimals.text($0, 2) } ?? "-"
                let end = target.failure.map { "; tracking stopped: \($0)" } ?? ""
                return "target \(target.target): mean confidence \(mean), "
                    + "\(target.doubtfulFrames) frames below 0.5\(end)"
            }
        }
    }

    private func pixelBoxes(in format: VideoFormat) throws -> [PixelRegion] {
        try boxes.map { given in
            let box =
                normalized
                ? PixelRegion(
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
}
