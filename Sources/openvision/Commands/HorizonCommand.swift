import ArgumentParser
import Vision
import VisionPhotos
import VisionRecords

struct HorizonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "horizon",
        abstract: "Measure how far photos are tilted.",
        discussion: """
            Prints, for each photo, the angle of the horizon in degrees and a confidence. The angle is positive when \
            the right end of the horizon is higher (counter-clockwise). It is measured from straight edges: buildings, \
            interiors, streets, a shore. A photo without enough of them has no horizon.

            --render writes the levelled photo, cropped to the largest region of the same aspect ratio without empty \
            corners. A photo without a horizon is written unchanged. With several photos, a number is added in front \
            of the extension.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision horizon street.jpg
              openvision horizon photos/ --json
              openvision horizon street.jpg --render level.jpg
            """)

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Option(help: ArgumentHelp("Write the levelled photos to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var confidence: ConfidenceOption
    @OptionGroup var options: PhotoOptions

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
    }

    func run() throws {
        let (least, revision) = (confidence.minConfidence, options.revision)
        try processPhotos(images, options, render: render) { path, drawing in
            let found = try PhotoHorizon(of: path, minConfidence: least, revision: revision)
            if let drawing { try found.render(to: drawing) }
            return found
        } show: { found, path in
            try show(found, of: path)
        }
    }

    private func show(_ found: PhotoHorizon, of path: FilePath) throws {
        let degrees = found.horizon.map { Double($0.angle) * 180 / .pi }
        guard options.output.json else {
            let text = found.horizon.map { horizon in
                "\(Decimals.text(degrees ?? 0, 2))°  confidence \(Decimals.text(Double(horizon.confidence), 2))"
            }
            return print("\(path.printable)  \(text ?? "no horizon")")
        }
        let results = found.horizon.map { horizon in
            let transform = horizon.transform(forImageWidth: found.photo.width, height: found.photo.height)
            let rows = [
                [transform.a, transform.c, transform.tx], [transform.b, transform.d, transform.ty], [0, 0, 1],
            ].map { $0.map { Double($0) } }
            let height = Double(found.photo.height)
            return [
                HorizonResult(
                    angle: Decimals.rounded(degrees ?? 0, 3),
                    confidence: Decimals.rounded(Double(horizon.confidence), 4),
                    transform: RecordMatrix.fromTopLeft(rows, height: height, resultHeight: height))
            ]
        }
        try JSONLines.print(
            ImageRecord(kind: "horizon", image: found.photo.reference(path), results: results ?? []))
    }
}

/// The horizon of one photo.
struct PhotoHorizon: Sendable {
    let photo: Photo
    let horizon: VNHorizonObservation?

    /// - Throws: The error of the request, or of reading a file that is not an image.
    init(of path: FilePath, minConfidence: Float, revision: Int?) throws {
        let request = VNDetectHorizonRequest()
        if let revision { request.revision = revision }
        photo = try Photo(path)
        try photo.perform([request])
        horizon = request.results?.first.flatMap { $0.confidence >= minConfidence ? $0 : nil }
    }

    /// Writes the levelled photo, without empty corners.
    func render(to file: String) throws {
        try Photo.write(Self.levelled(photo.image(), by: Double(horizon?.angle ?? 0)), to: file)
    }

    /// Returns the image rotated clockwise by the angle, in radians, and cropped to the largest centred region of the
    /// same aspect ratio without empty corners.
    static func levelled(_ image: Raster, by angle: Double) throws -> Raster {
        guard angle != 0 else { return image }
        let (c, s) = (cos(angle), sin(angle))
        let (width, height) = (Double(image.width), Double(image.height))
        let part = 1 / max(c + abs(s) * height / width, c + abs(s) * width / height)
        let (columns, rows) = (max(1, Int(width * part)), max(1, Int(height * part)))
        let (x, y) = (Double(columns) / 2, Double(rows) / 2)
        // From the levelled image to the tilted one: a counter-clockwise rotation, in pixels with y down.
        let map = CGAffineTransform(
            a: c, b: -s, c: s, d: c, tx: width / 2 - c * x - s * y, ty: height / 2 + s * x - c * y)
        return try image.warped(by: map, width: columns, height: rows, border: .replicate)
    }
}
