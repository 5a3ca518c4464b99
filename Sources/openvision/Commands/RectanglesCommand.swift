import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage
import VisionPhotos
import VisionRecords

struct RectanglesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rectangles",
        abstract: "Find pages, cards, screens and signs in photos, with their corners.",
        discussion: """
            Prints, for each photo, the confidence and the four corners of each rectangle, the most certain one first: \
            top left, top right, bottom right and bottom left, in pixels from the top left of the photo. A folder \
            stands for the images in it and below it. Photos that cannot be read are reported and left out; the exit \
            code is 1 then.

            --render writes each photo with the outlines. With several photos their number goes in front of the \
            extension. What is printed can start 'openvision track-rectangle'.

            Examples:
              openvision rectangles desk.jpg --render found.png
              openvision rectangles scans/ --max 1 --min-confidence 0.5 --json
              openvision rectangles wall.jpg --min-size 0.05 --quadrature-tolerance 45
            """)

    @Argument(help: ArgumentHelp("Image files, or folders of them.", valueName: "images"))
    var images: [String]

    @Option(
        name: .customLong("max"), help: ArgumentHelp("The most rectangles of a photo; 0 for all.", valueName: "count"))
    var most = 0

    @Option(help: "The least confidence, 0 to 1.")
    var minConfidence: Float = 0

    @Option(help: "The least size, as a part of the smaller dimension of the photo, 0 to 1.")
    var minSize: Float = 0.2

    @Option(help: "The least ratio of the shorter side to the longer one, 0 to 1.")
    var minAspect: Float = 0.5

    @Option(help: "The greatest ratio of the shorter side to the longer one, 0 to 1.")
    var maxAspect: Float = 1

    @Option(help: "The most degrees that a corner differs from a right angle in the photo, 0 to 45.")
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
            throw ValidationError("\(name) is 0 to 1.")
        }
        guard minAspect <= maxAspect else { throw ValidationError("--min-aspect is at most --max-aspect.") }
        guard (0...45).contains(quadratureTolerance) else {
            throw ValidationError("--quadrature-tolerance is 0 to 45.")
        }
        guard most >= 0 else { throw ValidationError("--max is 0, for all, or more.") }
    }

    func run() throws {
        let command = self
        try lookAtPhotos(images, options, render: render) { path, drawing in
            let found = try PhotoRectangles(of: path) { command.apply(to: $0) }
            if let drawing { try found.render(to: drawing) }
            return found
        } show: { found, path in
            try show(found, of: path)
        }
    }

    private func apply(to request: VNDetectRectanglesRequest) {
        if let revision = options.revision { request.revision = revision }
        request.maximumObservations = most
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

    /// - Throws: the error of the request, or of reading, when the file is no photo.
    init(of path: FilePath, change: (VNDetectRectanglesRequest) -> Void) throws {
        let request = VNDetectRectanglesRequest()
        change(request)
        photo = try Photo(path)
        try photo.perform([request])
        rectangles = request.results ?? []
    }

    /// Writes the photo with the outlines: dashed where they are doubtful, with a dot in the top left corner.
    func render(to file: String) throws {
        try photo.write(to: file) { canvas in
            let painter = QuadPainter(videoHeight: photo.height)
            for (index, rectangle) in rectangles.enumerated() {
                painter.draw(photo.quad(of: rectangle), confidence: rectangle.confidence, target: index, on: canvas)
            }
        }
    }
}
