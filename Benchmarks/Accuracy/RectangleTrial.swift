import ArgumentParser
import VisionAlgorithms
import VisionExtras
import VisionImage
import VisionModels

/// A search for rectangles with other constants than a request's, for choosing them.
struct RectangleTrial {
    private var finder = RectangleDetectionCommand.widestFinder
    private var settings = RectangleDetector.Settings()
    private let networks: RectangleNetworks

    private typealias Change = @Sendable (inout RectangleTrial, Double) -> Void
    private static let changes: [String: Change] = [
        "mostFromLines": { $0.settings.mostFromLines = Int($1) },
        "mostSharpened": { $0.settings.mostSharpened = Int($1) },
        "sharpeningReach": { $0.settings.sharpeningReach = $1 },
        "mostGuesses": { $0.settings.mostGuesses = Int($1) },
        "leastGuess": { $0.settings.leastGuess = $1 },
        "tileSide": { $0.settings.tileSide = Int($1) },
        "rounds": { $0.settings.rounds = Int($1) },
        "mostMoved": { $0.settings.mostMoved = Int($1) },
        "leastNear": { $0.settings.leastNear = $1 },
        "sameProposal": { $0.settings.sameProposal = $1 },
        "sameGuess": { $0.settings.sameGuess = $1 },
        "sameMoved": { $0.settings.sameMoved = $1 },
        "exactMargin": { $0.settings.exactMargin = $1 },
        "leastConfidence": { $0.finder.leastConfidence = $1 },
        "mostSnapped": { $0.settings.mostSnapped = Int($1) },
        "leastSnapped": { $0.settings.leastSnapped = $1 },
        "snapReach": { $0.settings.snapReach.far = $1 },
        "snapLines": { $0.settings.snapLines.far = Int($1) },
        "snapQuads": { $0.settings.snapQuads.far = Int($1) },
        "sameSnapped": { $0.settings.sameSnapped = $1 },
        "sameResult": { $0.settings.sameResult = $1 },
        "leastInnerLines": { $0.settings.leastInnerLines = $1 },
        "leastInnerNear": { $0.settings.leastInnerNear = $1 },
        "exactReach": { $0.settings.exactReach = $1 },
        "wideMargin": { $0.settings.wideMargin = $1 },
        "leastSecond": { $0.settings.leastSecond = $1 },
    ]
    static let names = changes.keys.sorted().joined(separator: ", ")

    /// - Parameter text: "name=value,…", or nothing for those of a request.
    init(_ text: String) throws {
        networks = try .shared()
        for part in text.split(separator: ",") {
            let sides = part.split(separator: "=").map(String.init)
            guard sides.count == 2, let value = Double(sides[1]), abs(value) < 1e6, let change = Self.changes[sides[0]]
            else { throw ValidationError("there is no setting \(part)") }
            change(&self, value)
        }
    }

    var detector: RectangleDetector { RectangleDetector(finder, networks: networks, settings: settings) }

    /// As `RectangleDetectionCommand.find`.
    func find(_ picture: Picture) throws -> (found: [(quad: PlanarQuad, confidence: Float)], milliseconds: Double) {
        let image = try picture.raster(.bgra8)
        let start = nanoseconds()
        let scale = min(1, Double(RectangleFinder.workingSize) / Double(max(image.width, image.height)))
        let small = try image.resized(
            width: max(Int((Double(image.width) * scale).rounded()), 1),
            height: max(Int((Double(image.height) * scale).rounded()), 1), filter: .antialiasedBilinear)
        let found = try detector.rectangles(in: image, small: small, threads: VisionSettings.threadCount)
        return (found.map { ($0.quad, Float($0.confidence)) }, Double(nanoseconds() - start) / 1e6)
    }
}

extension RectangleDetectionCommand {
    /// All that a request can be asked for.
    static var widestFinder: RectangleFinder {
        var finder = RectangleFinder()
        finder.aspectRatios = 0.2...1
        finder.quadratureTolerance = 45
        finder.minimumSize = 0.1
        return finder
    }

    /// A row for each candidate: 1 for the outline of a rectangle or 0, and the evidence. What is near an outline without
    /// being it is left out.
    func writeEvidence(to path: String, _ photos: PhotoFolder, _ steps: (from: Int, by: Int)) throws {
        let detector = try RectangleTrial(settings ?? "").detector
        let names = lines ? RectangleFinder.evidenceNames : RectangleVerdict.names
        var rows = (["label"] + names).joined(separator: ",") + "\n"
        func add(_ picture: Picture, _ truths: [PlanarQuad]) throws {
            let raster = try picture.raster(.bgra8)
            let candidates =
                try lines ? detector.finder.candidates(in: raster) : detector.candidates(in: raster, threads: 1)
            for candidate in candidates {
                let error = truths.map { DetectionScore.error(candidate.quad, $0) }.min() ?? 1
                guard error < evidenceLimits.right || error > evidenceLimits.wrong else { continue }
                // What the network takes for an outline in a photograph may be one.
                if !lines, truths.isEmpty, candidate.evidence[0] > 0 { continue }
                let label = error < evidenceLimits.right ? "1" : "0"
                rows += ([label] + candidate.evidence.map { "\($0)" }).joined(separator: ",") + "\n"
            }
        }
        for number in 0..<count {
            let scene = try RectangleScene(number: number, seed: seed, photos: photos, steps: steps)
            try add(scene.picture, scene.rectangles.map(\.quad))
        }
        for number in stride(from: from, to: photos.count, by: every) {
            try add(Picture(RectangleScene.background(try photos.whole(number: number))), [])
        }
        try rows.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// A row for each quad that the networks looked at in the pictures of the folder: the picture's name, the logarithm of the odds
    /// that it is an outline, and its corners: what Training/Rectangles/samples.py learns from.
    func writeQuads(to path: String, _ photos: PhotoFolder) throws {
        let detector = try RectangleTrial(settings ?? "").detector
        var rows = ""
        for number in 0..<photos.count {
            let candidates = try detector.candidates(in: try photos.whole(number: number).raster(.bgra8), threads: 1)
            for candidate in candidates {
                let numbers = [candidate.evidence[0] * 8] + candidate.quad.corners.flatMap { [$0.x, $0.y] }
                rows += ([photos.name(number: number)] + numbers.map { "\($0)" }).joined(separator: ",") + "\n"
            }
        }
        try rows.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Errors, in parts of the side, up to which a quad is an outline and from which on it is none.
    private var evidenceLimits: (right: Double, wrong: Double) { lines ? (0.03, 0.15) : (0.015, 0.03) }
}
