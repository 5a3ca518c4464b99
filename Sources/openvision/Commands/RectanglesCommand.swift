import ArgumentParser
import Vision
import VisionPhotos
import VisionRecords

struct RectanglesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rectangles",
        abstract: "Find pages, cards, screens and signs in photos, with their corners.",
        discussion: """
            Prints, for each photo, the confidence and the four corners of each rectangle, the most confident first. \
            The corners are top left, top right, bottom right and bottom left, in pixels from the top left of the \
            photo; 'openvision track-rectangle --quad' takes them in the same form.

            --render writes each photo with the outlines. With several photos, a number is added in front of the \
            extension.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision rectangles desk.jpg --render found.png
              openvision rectangles scans/ --max 1 --min-confidence 0.5 --json
              openvision rectangles wall.jpg --min-size 0.05 --quadrature-tolerance 45
            """)

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Option(
        name: .customLong("max"),
        help: ArgumentHelp("The most rectangles to find in a photo; 0 for all.", valueName: "count"))
    var maximumCount = 0

    @Option(help: "The lowest confidence, 0 to 1.")
    var minConfidence: Float = 0

    @Option(help: "The smallest size, as a fraction of the photo's shorter side, 0 to 1.")
    var minSize: Float = 0.2

    @Option(help: "The lowest ratio of the shorter side to the longer one, 0 to 1.")
    var minAspect: Float = 0.5

    @Option(help: "The highest ratio of the shorter side to the longer one, 0 to 1.")
    var maxAspect: Float = 1

    @Option(help: "The largest deviation of a corner from a right angle in the photo, in degrees, 0 to 45.")
    var quadratureTolerance: Float = 30

    @Option(help: ArgumentHelp("Write the photos with the outlines to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var options: PhotoOptions

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
        for (value, name) in [
            (minConfidence, "--min-confidence"), (minSize, "--min-size"), (minAspect, "--min-aspect"),
            (maxAspect, "--max-aspect"),
        ] where !(0...1).contains(value) {
            throw ValidationError("\(name) is \(value); it must be 0 to 1.")
        }
        guard minAspect <= maxAspect else {
            throw ValidationError("--min-aspect (\(minAspect)) must not be above --max-aspect (\(maxAspect)).")
        }
        guard (0...45).contains(quadratureTolerance) else {
            throw ValidationError("--quadrature-tolerance is \(quadratureTolerance); it must be 0 to 45.")
        }
        guard maximumCount >= 0 else { throw ValidationError("--max is \(maximumCount); it must be at least 0.") }
    }

    func run() throws {
        let command = self
        try processPhotos(images, options, render: render) { path, drawing in
            let found = try PhotoRectangles(of: path) { command.apply(to: $0) }
            if let drawing { try found.render(to: drawing) }
            return found
        } show: { found, path in
            try show(found, of: path)
        }
    }

    private func apply(to request: VNDetectRectanglesRequest) {
        if let revision = options.revision { request.revision = revision }
        request.maximumObservations = maximumCount
        request.minimumConfidence = minConfidence
        request.minimumSize = minSize
        request.minimumAspectRatio = minAspect
        request.maximumAspectRatio = maxAspect
        request.quadratureTolerance = quadratureTolerance
    }

    private func show(_ found: PhotoRectangles, of path: FilePath) throws {
        guard !options.output.json else {
            let results = found.rectangles.map { rectangle in
                RectangleResult(
                    confidence: Decimals.rounded(Double(rectangle.confidence), 4),
                    corners: found.photo.quad(of: rectangle).points)
            }
            return try JSONLines.print(
                ImageRecord(kind: "rectangles", image: found.photo.reference(path), results: results))
        }
        print(path.printable)
        for rectangle in found.rectangles {
            let corners = found.photo.quad(of: rectangle).numbers.map { String(format: "%.1f", $0) }
            print(String(format: "  %.3f  ", rectangle.confidence) + corners.joined(separator: ","))
        }
        if found.rectangles.isEmpty { print("  no rectangle") }
    }
}

/// The rectangles of one photo.
struct PhotoRectangles: Sendable {
    let photo: Photo
    let rectangles: [VNRectangleObservation]

    /// - Throws: The error of the request, or of reading a file that is not an image.
    init(of path: FilePath, configure: (VNDetectRectanglesRequest) -> Void) throws {
        let request = VNDetectRectanglesRequest()
        configure(request)
        photo = try Photo(path)
        try photo.perform([request])
        rectangles = request.results ?? []
    }

    /// Writes the photo with the outlines: dashed at a low confidence, with a dot at the top left corner.
    func render(to file: String) throws {
        try photo.write(to: file) { canvas in
            QuadPainter().draw(
                rectangles.enumerated().map { index, rectangle in
                    QuadPainter.Quad(
                        quad: photo.quad(of: rectangle), confidence: rectangle.confidence,
                        label: "\(index + 1)  \(BoxPainter.percent(rectangle.confidence))", colour: .forTarget(index))
                }, on: canvas)
        }
    }
}
