import ArgumentParser
import Vision
import VisionPhotos
import VisionRecords

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

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision faces group.jpg
              openvision faces group.jpg --landmarks --render faces.jpg
              openvision faces photos/ --landmarks --quality --json
            """)

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

    @OptionGroup var confidence: ConfidenceOption
    @OptionGroup var options: PhotoOptions

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
    }

    func run() throws {
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

    // MARK: - Printing

    private func print(_ found: FaceFinder.Found, of path: FilePath) throws {
        let faces = found.faces.map { record($0, width: found.width, height: found.height) }
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

    private func record(_ face: VNFaceObservation, width: Int, height: Int) -> FaceResult {
        let box = VNImageRectForNormalizedRect(face.boundingBox, width, height)
        func degrees(_ angle: NSNumber?) -> Double? {
            angle.flatMap { Decimals.rounded($0.doubleValue * 180 / .pi, 2) }
        }
        return FaceResult(
            box: PixelRectangleRecord(
                x: box.minX, y: Double(height) - box.maxY, width: box.width, height: box.height),
            confidence: Decimals.rounded(Double(face.confidence), 4), roll: degrees(face.roll), yaw: degrees(face.yaw),
            pitch: degrees(face.pitch), quality: face.faceCaptureQuality.flatMap { Decimals.rounded(Double($0), 4) },
            landmarks: face.landmarks.map { record($0, boxWidth: box.width, width: width, height: height) })
    }

    private func record(
        _ landmarks: VNFaceLandmarks2D, boxWidth: Double, width: Int, height: Int
    ) -> FaceResult.Landmarks {
        let regions: [(String, VNFaceLandmarkRegion2D?)] = [
            ("allPoints", landmarks.allPoints), ("faceContour", landmarks.faceContour),
            ("leftEye", landmarks.leftEye), ("rightEye", landmarks.rightEye),
            ("leftEyebrow", landmarks.leftEyebrow), ("rightEyebrow", landmarks.rightEyebrow),
            ("nose", landmarks.nose), ("noseCrest", landmarks.noseCrest), ("medianLine", landmarks.medianLine),
            ("outerLips", landmarks.outerLips), ("innerLips", landmarks.innerLips),
            ("leftPupil", landmarks.leftPupil), ("rightPupil", landmarks.rightPupil),
        ]
        let size = CGSize(width: width, height: height)
        return FaceResult.Landmarks(
            confidence: Decimals.rounded(Double(landmarks.confidence), 4),
            regions: Dictionary(
                uniqueKeysWithValues: regions.compactMap { name, region in
                    region.map { region in
                        (
                            name,
                            region.pointsInImage(imageSize: size).map {
                                PixelPoint(x: $0.x, y: Double(height) - $0.y)
                            }
                        )
                    }
                }),
            precision: landmarks.allPoints?.precisionEstimatesPerPoint.map {
                $0.map { Decimals.rounded(Double($0) * boxWidth, 2) ?? 0 }
            })
    }
}
