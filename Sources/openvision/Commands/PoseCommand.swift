import ArgumentParser
import Vision
import VisionPhotos
import VisionRecords

struct PoseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pose",
        abstract: "Find the joints of the people in photos or a video.",
        discussion: """
            Prints, for each photo, the confidence of each person, the most confident first, and a line for each of 19 \
            joints: its position in pixels from the top left, and the probability that it is right. Left and right are \
            the person's.

            --3d adds the body of the most prominent person in space, in metres from the middle of the hips, to \
            --json. --render writes each photo with the skeletons: the left side blue, the right side orange; joints \
            with a confidence below 0.2 are left out. With several photos, a number is added in front of the extension.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            A single video (.mp4, .mov, .mkv, .avi, .webm, any with --video, http://…, https://…, rtsp://…, \
            /dev/video0) is processed frame by frame: a line \
            for each frame, the joints with --json or --csv, and --render writes a video. Up to four people are \
            searched in every fourth frame and followed in between; groups are searched in every frame.

            Examples:
              openvision pose dance.mp4 --render skeletons.mp4 --csv joints.csv
              openvision pose yoga.jpg --render yoga-joints.jpg
              openvision pose photos/ --min-confidence 0.3 --json
              openvision pose runner.jpg --3d --json
            """)

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Flag(name: .customLong("3d"), help: "With --json, also the joints of the most prominent person in space.")
    var inSpace = false

    @OptionGroup var confidence: ConfidenceOption

    @Option(
        help: ArgumentHelp(
            "Write the photos with the skeletons to this file (.jpg, .png; .mp4 for a video).", valueName: "file"))
    var render: String?

    @OptionGroup var videos: VideoOptions
    @OptionGroup var options: PhotoOptions

    func validate() throws {
        try videos.check(images, json: options.output.json)
        if videos.isVideo(images) {
            if inSpace { throw ValidationError("--3d is for photos.") }
            return
        }
        if let text = ImageFile.check(render) { throw ValidationError(text) }
        guard !inSpace || options.output.json else { throw ValidationError("--3d needs --json.") }
    }

    func run() throws {
        if videos.isVideo(images) {
            return try VideoAnalysis(
                kind: "pose", path: images[0], range: videos.frames.range, csv: videos.csv, render: render,
                output: options.output
            ).run(PoseFrames(minConfidence: confidence.minConfidence, revision: options.revision))
        }
        let (least, inSpace, revision) = (confidence.minConfidence, inSpace, options.revision)
        try processPhotos(images, options, render: render) { path, drawing in
            let found = try PhotoPoses(of: path, minConfidence: least, inSpace: inSpace, revision: revision)
            if let drawing { try found.render(to: drawing) }
            return found
        } show: { found, path in
            try show(found, of: path)
        }
    }

    private func show(_ found: PhotoPoses, of path: FilePath) throws {
        let names = VNHumanBodyPoseObservation.JointName.names
        guard !options.output.json else {
            return try JSONLines.print(
                ImageRecord(
                    kind: "pose", image: found.photo.reference(path),
                    results: found.people.enumerated().map { index, person in
                        PoseResult(
                            confidence: Decimals.rounded(Double(person.confidence), 4), joints: person.records(names),
                            space: index == found.space?.index ? found.space?.record : nil)
                    }))
        }
        print(path.printable)
        for person in found.people {
            print("  person  \(Decimals.text(Double(person.confidence), 3))")
            for line in person.lines(names) { print(line) }
        }
        if found.people.isEmpty { print("  no person") }
    }
}

/// The people of one photo with their joints.
struct PhotoPoses: Sendable {
    let photo: Photo
    let people: [PixelJoints<VNHumanBodyPoseObservation.JointName>]
    /// The body in space and the index of its person.
    let space: (index: Int, record: PoseResult.Space)?

    /// - Throws: The error of the request, or of reading a file that is not an image.
    init(of path: FilePath, minConfidence: Float, inSpace: Bool, revision: Int?) throws {
        let photo = try Photo(path)
        let (request, space) = (VNDetectHumanBodyPoseRequest(), VNDetectHumanBodyPose3DRequest())
        if let revision { request.revision = revision }
        try photo.perform(inSpace ? [request, space] : [request])
        let observations = (request.results ?? []).filter { $0.confidence >= minConfidence }
        people = try observations.map { observation in
            PixelJoints(
                try observation.recognizedPoints(.all), confidence: observation.confidence, width: photo.width,
                height: photo.height)
        }
        self.photo = photo
        self.space = try space.results?.first.flatMap { body in
            try Self.index(of: body, among: observations).map { ($0, try Self.record(body)) }
        }
    }

    /// Hips nearer than this share of the image are one person's: the two requests find them by different networks.
    private static let sameHips = 0.1

    /// Returns the person whose hips are nearest to those of a body in space; nil where none are near.
    private static func index(
        of body: VNHumanBodyPose3DObservation, among people: [VNHumanBodyPoseObservation]
    ) throws -> Int? {
        let root = try body.pointInImage(.root)
        let distances = try people.map { try $0.recognizedPoint(.root).distance(root) }
        return distances.indices.min { distances[$0] < distances[$1] }.flatMap { distances[$0] < sameHips ? $0 : nil }
    }

    private static func record(_ body: VNHumanBodyPose3DObservation) throws -> PoseResult.Space {
        func place(_ matrix: simd_float4x4) -> [Double] {
            let column = matrix.columns.3
            return [column.x, column.y, column.z].map { Decimals.rounded(Double($0), 4) ?? 0 }
        }
        return PoseResult.Space(
            height: Decimals.rounded(Double(body.bodyHeight), 4) ?? 0, camera: place(body.cameraOriginMatrix),
            joints: Dictionary(
                uniqueKeysWithValues: try VNHumanBodyPose3DObservation.JointName.names.map { joint, name in
                    (name, place(try body.recognizedPoint(joint).position))
                }))
    }

    /// Writes the photo with the skeletons.
    func render(to file: String) throws {
        try photo.write(to: file) { canvas in
            SkeletonPainter.body.draw(people.map(\.drawn), on: canvas)
        }
    }
}
