import ArgumentParser
import Vision

struct TrajectoriesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trajectories",
        abstract: "Find objects that fly along parabolas in a video: balls, shuttlecocks, drops.",
        discussion: """
            The camera should be fixed. A trajectory is reported once it has --length points, then in every frame in \
            which the object is seen; it ends where the object bounces or is not seen any more. Prints the frames, the \
            number of points, the ends and the confidence of each trajectory, in pixels from the top left.

            --csv writes a row for each object and frame: frame,time,trajectory,x,y,radius,confidence. --render writes \
            the video with the trajectories: those that have ended are fainter. --json prints a line for each frame, \
            with all points of each trajectory and its parabola, and a summary as the last line.

            Examples:
              openvision trajectories throw.mp4
              openvision trajectories match.mp4 --min-radius 0.005 --max-radius 0.05 --csv balls.csv --render balls.mp4
            """)

    @Argument(help: VideoArgument.help)
    var path: String

    @Option(help: ArgumentHelp("The number of points that make a trajectory, 5 or more.", valueName: "count"))
    var length = 6

    @Option(
        help: ArgumentHelp(
            "The least radius of an object, relative to the longer side of the frame.", valueName: "0…1"))
    var minRadius: Float = 0

    @Option(
        help: ArgumentHelp(
            "The greatest radius of an object, relative to the longer side of the frame.", valueName: "0…1"))
    var maxRadius: Float = 1

    @Option(
        help: ArgumentHelp(
            "Write the points of the objects to this CSV file; - for the standard output.", valueName: "file"))
    var csv: String?

    @Option(
        help: ArgumentHelp(
            "Write the video with the trajectories to this file (.mp4, .mov, .mkv, .avi).", valueName: "file"))
    var render: String?

    @OptionGroup var confidence: ConfidenceOption
    @OptionGroup var rate: FolderRateOption
    @OptionGroup var frames: FrameOptions
    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (5...10_000).contains(length) else {
            throw ValidationError("--length is \(length); it must be 5 to 10000.")
        }
        guard minRadius >= 0, minRadius <= maxRadius, maxRadius <= 1 else {
            throw ValidationError(
                "--min-radius is \(minRadius) and --max-radius \(maxRadius); they must be 0 to 1, the first one not "
                    + "above the second.")
        }
        if csv == "-", output.json { throw ValidationError("--csv - cannot be combined with --json.") }
    }

    func run() throws {
        try VideoAnalysis(
            kind: "trajectories", path: path, range: frames.range, folderRate: rate.fps, csv: csv, render: render,
            output: output
        ).run(TrajectoryFrames(length: length, radii: minRadius...maxRadius, minConfidence: confidence.minConfidence))
    }
}
