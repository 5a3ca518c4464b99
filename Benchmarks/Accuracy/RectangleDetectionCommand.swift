import ArgumentParser
import Foundation
import Vision
import VisionAlgorithms
import VisionExtras
import VisionImage

struct RectangleDetectionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rectangle-detection",
        abstract: "Find pages, cards, prints, screens and signs that are rendered over the photographs of a folder.",
        discussion: """
            Each scene of 640x480 has one rectangle that is to be found, tilted by up to 60 degrees, and up to three \
            others, which it may cover; light, shadows, fingers, blur and noise are random. found: share of the wanted \
            rectangles with a result whose corners are, in the mean, within 2 % of the mean side; near: within 5 %; \
            error: median of that distance over those found, in pixels; false: results per scene that match no \
            rectangle of the scene (beyond 10 % of the side of each); photos: the same in the photographs alone, where \
            any result counts, real rectangles too; ms: median time. Below, the share found by kind, and of what is \
            covered in part. Columns are for results of at least that confidence.

            --write writes the scenes and what is true of them, for other programs; --evidence writes the evidence of \
            all candidates, for Training/Rectangles/fit_confidence.py. --settings tries constants: \
            \(RectangleTrial.names).

            --labelled searches the folder for the photographs of a table (RectangleLabels) instead, by name and \
            contents. Its rows are for all results and for the one of a request as it comes, which may be any of the \
            labelled rectangles of a photograph. overlap: the share with an intersection over union of at least 0.8; \
            other: results a photograph that are beyond 10 % of the side of each label. They need not be wrong: only \
            one or two objects are labelled.
            """)

    @Argument(help: "The folder of photographs.")
    var data: String

    @Option(help: "How many scenes.")
    var count = 300

    @Option(help: "Another seed makes other scenes.")
    var seed: UInt64 = 20

    @Option(help: "The first photograph that is used.")
    var from = 1

    @Option(help: "Every how many photographs one is used.")
    var every = 2

    @Option(help: ArgumentHelp("Write scenes (PPM) and truth (CSV) here.", valueName: "folder"))
    var write: String?

    @Option(help: ArgumentHelp("Write evidence and labels of all candidates here (CSV).", valueName: "file"))
    var evidence: String?

    @Option(help: ArgumentHelp("Write all quads that the networks score in the images here.", valueName: "file"))
    var quads: String?

    @Flag(
        help: "With --evidence: the evidence of quads of edge segments rather than of those that the networks scored.")
    var lines = false

    @Option(help: ArgumentHelp("Search with other settings, past the request.", valueName: "name=value,…"))
    var settings: String?

    @Flag(help: "Score photographs with rectangles that were labelled by hand.")
    var labelled = false

    @Flag(help: "With --labelled: print a line for each rectangle as well.")
    var each = false

    private static let confidences: [Float] = [0, 0.3, 0.5, 0.7, 0.9]

    func validate() throws {
        guard (1...100_000).contains(count), from >= 0, every > 0 else {
            throw ValidationError("--count is from 1 to 100000, --from at least 0, --every at least 1")
        }
    }

    func run() throws {
        VisionSettings.threadCount = 1
        if labelled { return try scoreLabelled() }
        let photos = try PhotoFolder(data)
        if let quads { return try writeQuads(to: quads, photos) }
        let steps = (from: from, by: every)
        if let evidence { return try writeEvidence(to: evidence, photos, steps) }
        var score = DetectionScore()
        for number in 0..<count {
            let scene = try RectangleScene(number: number, seed: seed, photos: photos, steps: steps)
            if let write { try Self.write(scene, to: write, number) }
            let (found, time) = try find(scene.image)
            score.add(scene, found, milliseconds: time)
        }
        for number in stride(from: from, to: photos.count, by: every) {
            let image = RGBImage(RectangleScene.background(try photos.whole(number: number)))
            if let write { try Self.write(image, to: write + "/photos", number) }
            score.add(photo: try find(image).found)
        }
        score.rows(Self.confidences).forEach(say)
    }

    private func find(
        _ image: RGBImage
    ) throws -> (found: [(quad: PlanarQuad, confidence: Float)], milliseconds: Double) {
        try settings.map { try RectangleTrial($0).find(image) } ?? Self.find(image)
    }

    /// All that can be found in an image, or what a request finds as it comes, and the milliseconds that it took.
    static func find(
        _ image: RGBImage, withDefaults: Bool = false
    ) throws -> (found: [(quad: PlanarQuad, confidence: Float)], milliseconds: Double) {
        let buffer = try PixelBuffers.bgra(image)
        let request = VNDetectRectanglesRequest()
        if !withDefaults {
            request.maximumObservations = 0
            request.minimumSize = 0.1
            request.minimumAspectRatio = 0.2
            request.quadratureTolerance = 45
        }
        let start = nanoseconds()
        try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
        let time = Double(nanoseconds() - start) / 1e6
        func point(_ point: CGPoint) -> PlanarPoint {
            PlanarPoint(
                x: Double(point.x) * Double(image.width), y: (1 - Double(point.y)) * Double(image.height))
        }
        let found = (request.results ?? []).map { result in
            (
                PlanarQuad(
                    topLeft: point(result.topLeft), topRight: point(result.topRight),
                    bottomRight: point(result.bottomRight), bottomLeft: point(result.bottomLeft)), result.confidence
            )
        }
        return (found, time)
    }

    private static func write(_ scene: RectangleScene, to folder: String, _ number: Int) throws {
        try write(scene.image, to: folder, number)
        let lines = scene.rectangles.map { rectangle in
            let numbers = [rectangle.tilt, rectangle.seen] + rectangle.quad.corners.flatMap { [$0.x, $0.y] }
            return ([rectangle.kind.rawValue, rectangle.isWanted ? "1" : "0"] + numbers.map { "\($0)" })
                .joined(separator: ",")
        }
        try lines.joined(separator: "\n").write(
            toFile: folder + String(format: "/%04d.csv", number), atomically: true, encoding: .utf8)
    }

    static func write(_ image: RGBImage, to folder: String, _ number: Int) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var data = Data("P6 \(image.width) \(image.height) 255\n".utf8)
        data.append(contentsOf: image.pixels)
        try data.write(to: URL(fileURLWithPath: folder + String(format: "/%04d.ppm", number)))
    }
}
