import ArgumentParser
import Vision
import VisionRecords

struct TrackRectangleCommand: TrackingCommand {
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

            --json prints a line for each frame and a summary as the last line; --csv - writes the table of a single \#
            target to the standard output.

            Examples:
              openvision track-rectangle desk.mp4 --quad 120,80,420,95,430,300,110,290 --csv page.csv --render out.mp4
              openvision track-rectangle frames/ --quad 0.2,0.8,0.7,0.8,0.7,0.3,0.2,0.3 --normalized --json
            """#)

    @Argument(help: VideoArgument.help)
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

    @OptionGroup var rate: FolderRateOption
    @OptionGroup var frames: FrameOptions
    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !quads.isEmpty else { throw ValidationError("Give at least one --quad x1,y1,x2,y2,x3,y3,x4,y4.") }
    }

    func run() throws {
        let source = try OpenVideo.open(path, folderRate: rate.fps, range: frames.range)
        let targets = quads.map { quad in
            let observation = quad.observation(in: source.format, normalised: normalized)
            return (observation: observation, state: QuadState(observation, in: source.format))
        }
        try track(targets, in: source, level: level.vision) { target, state in
            TrackedRectangleResult(
                target: target, corners: state.quad.points,
                confidence: Decimals.rounded(Double(state.confidence), 4))
        } show: { tracker, _ in
            let corners = tracker.states.enumerated().map { target, state in
                let corners = state.quad.numbers.map { Decimals.text($0, 1) }.joined(separator: ",")
                return "rectangle \(target + 1): last at \(corners), "
                    + "confidence \(Decimals.text(Double(state.confidence), 2))"
            }
            let failures = tracker.failures.sorted { $0.key < $1.key }
            return corners + failures.map { "tracking stopped: rectangle \($0.key + 1): \($0.value)" }
        }
    }
}
