import ArgumentParser
import Vision
import VisionAnalysis
import VisionPhotos
import VisionRecords
import VisionThreads

struct FacesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faces",
        abstract: "Find the faces in photos.",
        discussion: """
            Prints one line per face, the most confident first: its box in pixels (x, y, width, height; origin at the \
            top left), its confidence, and the angles of the head in degrees: roll (counter-clockwise in the image), \
            yaw (towards the right side of the image) and pitch (downwards). --landmarks finds the parts of each face; \
            with --json their points are printed, in pixels from the top left.

            --quality prints a score with which photos of the same person can be ranked. --render writes each photo \
            with its faces drawn on it. With several photos, a number is added in front of the extension.

            --cluster groups the faces of all photos by person: the person with most faces first, of each the face \
            of highest quality first, with the distance of its print from that of the others. Faces of one photo are \
            of different people. It needs the network dlib-face-print (a package of 100 MB): openvision models \
            install dlib-face-print. --html writes a page with the faces of each person.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision faces group.jpg
              openvision faces group.jpg --landmarks --render faces.jpg
              openvision faces photos/ --landmarks --quality --json
              openvision faces photos/ --cluster --html people.html
            """)

    /// The mean distance up to which groups of faces are joined. Of adults .55 would do as well; the larger it is, the
    /// more small children are joined, whose prints are near one another (Documentation/Accuracy.md).
    private static let nearDistance: Float = 0.5

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Flag(help: "Find the eyes, brows, nose, lips, contour and pupils of each face.")
    var landmarks = false

    @Flag(help: "Print the capture quality of each face, 0 to 1, to compare photos of the same person.")
    var quality = false

    @Option(
        help: ArgumentHelp(
            "Write the photos with the faces drawn on them to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @Flag(help: "Group the faces of all photos by person.")
    var cluster = false

    @Option(
        help: ArgumentHelp(
            "With --cluster: the mean distance up to which groups are joined. (default: \(Self.nearDistance))",
            valueName: "0…2"))
    var maxDistance: Float?

    @Option(
        help: ArgumentHelp("With --cluster: write a page with the people to this file (.html).", valueName: "file"))
    var html: String?

    @OptionGroup var confidence: ConfidenceOption
    @OptionGroup var options: PhotoOptions

    func validate() throws {
        if let text = ImageFile.check(render) ?? PhotoPage.check(html) { throw ValidationError(text) }
        if cluster, landmarks || quality || render != nil {
            throw ValidationError("--cluster goes with --html, --max-distance and --json only.")
        }
        if !cluster, html != nil || maxDistance != nil {
            throw ValidationError("\(html != nil ? "--html" : "--max-distance") needs --cluster.")
        }
        if let maxDistance, !(maxDistance > 0 && maxDistance <= 2) {
            throw ValidationError("--max-distance is \(maxDistance); it must be above 0 and at most 2.")
        }
    }

    func run() throws {
        guard !cluster else { return try groupByPerson() }
        let finder = try FaceFinder(revision: options.revision, wantsLandmarks: landmarks, wantsQuality: quality)
        let least = confidence.minConfidence
        try processPhotos(images, options, render: render) { path, drawing in
            var found = try finder.faces(of: path)
            found.faces.removeAll { $0.confidence < least }
            if let drawing { try ImageFile.write(try FaceDrawing.make(of: found.faces, on: path), to: drawing) }
            return found
        } show: { found, path in
            try print(found, of: path)
        }
    }

    private func groupByPerson() throws {
        let printer = try FacePrinter(revision: options.revision, minimumConfidence: confidence.minConfidence)
        var (faces, exit) = ([PhotoFace](), ExitCode?.none)
        do {
            try processPhotos(images, options) { path, _ in
                try printer.faces(of: path)
            } show: { found, _ in
                faces += found
            }
        } catch let code as ExitCode where code == .failure {
            exit = code
        }
        let groups = try PeopleGroups(faces, distance: maxDistance ?? Self.nearDistance)
        try groups.show(json: options.output.json)
        if let html { try groups.write(to: html, threads: options.threads ?? Processors.count) }
        if let exit { throw exit }
    }

    // MARK: - Printing

    private func print(_ found: FaceFinder.Found, of path: FilePath) throws {
        let faces = found.faces.map {
            FaceResult($0, in: RecordCoordinates(width: found.width, height: found.height))
        }
        guard !options.output.json else {
            return try JSONLines.print(
                ImageRecord(
                    kind: "faces", image: MediaReference(path: path.text, width: found.width, height: found.height),
                    results: faces))
        }
        Swift.print(path.printable)
        for face in faces {
            var parts = [
                [face.box.x, face.box.y, face.box.width, face.box.height]
                    .map { $0.map { Decimals.text($0, 0) } ?? "-" }.joined(separator: ","),
                Decimals.text(face.confidence ?? .nan, 3),
            ]
            for (name, angle) in [("roll", face.roll), ("yaw", face.yaw), ("pitch", face.pitch)] {
                if let angle { parts.append("\(name) \(Decimals.text(angle, 0))") }
            }
            if let quality = face.quality { parts.append("quality \(Decimals.text(quality, 3))") }
            if landmarks {
                parts.append(
                    face.landmarks.map { "landmarks \(Decimals.text($0.confidence ?? .nan, 2))" } ?? "no landmarks")
            }
            Swift.print("  " + parts.joined(separator: "  "))
        }
        if faces.isEmpty { Swift.print("  no face") }
    }
}
