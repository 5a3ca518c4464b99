import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage

struct RectanglesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rectangles",
        abstract: "Find pages, cards, screens and signs in photos, with their corners.",
        discussion: """
            Prints, for each photo, the confidence and the four corners of each rectangle, the most certain one first: top \
            left, top right, bottom right and bottom left, in pixels from the top left of the photo. A folder stands for the \
            images in it and below it. Photos that cannot be read are reported and left out; the exit code is 1 then.

            --render writes the photo with the outlines. What is printed can start 'openvision track-rectangle'.

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

    @Option(help: ArgumentHelp("Write the photo with the outlines to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var options: PhotoOptions

    struct Record: Encodable {
        struct Rectangle: Encodable {
            var confidence: Double?
            /// Top left, top right, bottom right and bottom left, x and y each, in pixels from the top left.
            var corners: [Double?]
        }

        var image: String
        var rectangles: [Rectangle]
    }

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
        if render != nil, images.count != 1 { throw ValidationError("--render takes one image.") }
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
        let list = try PhotoList(images)
        if render != nil, list.photos.count != 1 { throw ValidationError("--render takes one image.") }
        let threads = options.threads(forPhotos: list.photos.count)
        for (path, reason) in list.unreadable { try report(failure: reason, of: path, json: options.output.json) }
        let command = self
        var failures = list.unreadable.count
        let interrupt = Interrupt()
        var next = list.photos.makeIterator()
        try SideBySide.run(threads: threads, isOrdered: true) {
            interrupt.isRequested ? nil : next.next()
        } work: { path in
            (path, Result { try PhotoRectangles(of: path) { command.apply(to: $0) } })
        } take: { path, found in
            switch found {
            case .success(let found):
                try show(found, of: path)
                if let render { try found.render(to: render) }
            case .failure(let error):
                failures += 1
                try report(failure: error.reason, of: path, json: options.output.json)
            }
        }
        if interrupt.isRequested { throw ExitCode(Interrupt.exitCode) }
        if failures > 0 { throw ExitCode.failure }
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
        let rectangles = found.rectangles.map { rectangle in
            Record.Rectangle(
                confidence: Decimals.rounded(Double(rectangle.confidence), 4),
                corners: found.quad(of: rectangle).numbers.map { Decimals.rounded($0, 2) })
        }
        guard !options.output.json else {
            return try JSONLines.print(Record(image: path.text, rectangles: rectangles))
        }
        print(path.printable)
        for rectangle in found.rectangles {
            let corners = found.quad(of: rectangle).numbers.map { String(format: "%.1f", $0) }
            print(String(format: "  %.3f  ", rectangle.confidence) + corners.joined(separator: ","))
        }
        if rectangles.isEmpty { print("  no rectangle") }
    }
}

/// The rectangles of one photo.
struct PhotoRectangles: Sendable {
    let rectangles: [VNRectangleObservation]
    private let data: Data
    private let width: Int
    private let height: Int

    /// - Throws: the error of the request, or of reading, when the file is no photo.
    init(of path: FilePath, change: (VNDetectRectanglesRequest) -> Void) throws {
        let request = VNDetectRectanglesRequest()
        change(request)
        data = try PhotoFile.read(path).data
        let size = try ImageSource(data: data).uprightSize()
        (width, height) = (size.width, size.height)
        try VNImageRequestHandler(data: data).perform([request])
        rectangles = request.results ?? []
    }

    func quad(of rectangle: VNRectangleObservation) -> PixelQuad {
        PixelQuad(rectangle, width: width, height: height)
    }

    /// Writes the photo with the outlines: dashed where they are doubtful, with a dot in the top left corner.
    func render(to path: String) throws {
        let buffer = try CVPixelBuffer.make(width: width, height: height, format: kCVPixelFormatType_32BGRA, path: path)
        let picture = try ImageSource(data: data).derivative(
            Derivative(
                region: PixelRegion(width: width, height: height), width: width, height: height, format: .bgra8))
        try Canvas.paint(on: buffer) { canvas in
            canvas.draw(picture, x: 0, y: 0)
            let painter = QuadPainter(filmHeight: height)
            for (index, rectangle) in rectangles.enumerated() {
                painter.draw(quad(of: rectangle), confidence: rectangle.confidence, target: index, on: canvas)
            }
        }
        try ImageFile.write(buffer, to: path)
    }
}
