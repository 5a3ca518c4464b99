import ArgumentParser
import Vision
import VisionPhotos
import VisionRecords

struct HandsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hands",
        abstract: "Find the joints of the hands in photos or a video.",
        discussion: """
            Prints, for each photo, whether each hand is a left or a right one, its confidence, and a line for each of \
            21 joints: its position in pixels from the top left, and its confidence.

            --render writes each photo with the hands, a colour for each finger. With several photos, a number is \
            added in front of the extension.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            A single video (.mp4, .mov, .mkv, .avi, .webm, any with --video, http://…, https://…, rtsp://…, \
            /dev/video0) is processed frame by frame: a line \
            for each frame, the joints with --json or --csv, and --render writes a video.

            Examples:
              openvision hands sign.jpg --render sign-joints.png
              openvision hands photos/ --max 6 --json
            """)

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Option(name: .customLong("max"), help: ArgumentHelp("The most hands to find in a photo.", valueName: "count"))
    var maximumCount = 2

    @Option(
        help: ArgumentHelp(
            "Write the photos with the hands to this file (.jpg, .png; .mp4 for a video).", valueName: "file"))
    var render: String?

    @OptionGroup var confidence: ConfidenceOption
    @OptionGroup var videos: VideoOptions
    @OptionGroup var options: PhotoOptions

    func validate() throws {
        guard maximumCount >= 1 else { throw ValidationError("--max is \(maximumCount); it must be at least 1.") }
        try videos.check(images, json: options.output.json)
        if !videos.isVideo(images), let text = ImageFile.check(render) { throw ValidationError(text) }
    }

    func run() throws {
        if videos.isVideo(images) {
            return try VideoAnalysis(
                kind: "hands", path: images[0], range: videos.frames.range, csv: videos.csv, render: render,
                output: options.output
            ).run(
                HandFrames(
                    maximumCount: maximumCount, minConfidence: confidence.minConfidence, revision: options.revision))
        }
        let (count, least, revision) = (maximumCount, confidence.minConfidence, options.revision)
        try processPhotos(images, options, render: render) { path, drawing in
            let found = try PhotoHands(of: path, maximumCount: count, minConfidence: least, revision: revision)
            if let drawing { try found.render(to: drawing) }
            return found
        } show: { found, path in
            try show(found, of: path)
        }
    }

    private func show(_ found: PhotoHands, of path: FilePath) throws {
        let names = VNHumanHandPoseObservation.JointName.names
        guard !options.output.json else {
            return try JSONLines.print(
                ImageRecord(
                    kind: "hands", image: found.photo.reference(path),
                    results: found.hands.map { hand in
                        HandResult(
                            confidence: Decimals.rounded(Double(hand.joints.confidence), 4),
                            chirality: hand.chirality, joints: hand.joints.records(names))
                    }))
        }
        print(path.printable)
        for hand in found.hands {
            print("  \(hand.chirality ?? "unknown") hand  \(Decimals.text(Double(hand.joints.confidence), 3))")
            for line in hand.joints.lines(names) { print(line) }
        }
        if found.hands.isEmpty { print("  no hand") }
    }
}

/// The hands of one photo with their joints.
struct PhotoHands: Sendable {
    let photo: Photo
    let hands: [(chirality: String?, joints: PixelJoints<VNHumanHandPoseObservation.JointName>)]

    /// - Throws: The error of the request, or of reading a file that is not an image.
    init(of path: FilePath, maximumCount: Int, minConfidence: Float, revision: Int?) throws {
        photo = try Photo(path)
        hands = try Self.found(
            photo.handler(), width: photo.width, height: photo.height, maximumCount: maximumCount,
            minConfidence: minConfidence, revision: revision)
    }

    /// - Throws: The error of the request.
    static func found(
        _ handler: VNImageRequestHandler, width: Int, height: Int, maximumCount: Int, minConfidence: Float,
        revision: Int?
    ) throws -> [(chirality: String?, joints: PixelJoints<VNHumanHandPoseObservation.JointName>)] {
        let request = VNDetectHumanHandPoseRequest()
        request.maximumHandCount = maximumCount
        if let revision { request.revision = revision }
        try handler.perform([request])
        return try (request.results ?? []).filter { $0.confidence >= minConfidence }.map { hand in
            (
                [VNChirality.left: "left", .right: "right"][hand.chirality],
                PixelJoints(
                    try hand.recognizedPoints(.all), confidence: hand.confidence, width: width, height: height)
            )
        }
    }

    /// Writes the photo with the hands.
    func render(to file: String) throws {
        try photo.write(to: file) { canvas in
            SkeletonPainter.hand.draw(hands.map(\.joints.drawn), on: canvas)
        }
    }
}
