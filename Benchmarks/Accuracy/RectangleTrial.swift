import ArgumentParser
import VisionAlgorithms
import VisionExtras
import VisionImage
import VisionModels

/// A search for rectangles with other constants than a request's, to choose them.
struct RectangleTrial {
    private var finder = RectangleDetectionCommand.widestFinder
    private var settings = RectangleDetector.Settings()
    private let networks: RectangleNetworks

    private typealias Settings = RectangleDetector.Settings
    private typealias Path<Value> = WritableKeyPath<Settings, Value> & Sendable

    private static let counts: [String: any Path<Int>] = [
        "mostFromLines": \.mostFromLines, "mostFromNetwork": \.mostFromNetwork,
        "tileSide": \.tileSide, "mostStrays": \.mostStrays, "rounds": \.rounds, "mostMoved": \.mostMoved,
    ]
    private static let values: [String: any Path<Double>] = [
        "leastFromNetwork": \.leastFromNetwork, "leastNear": \.leastNear,
        "sameFromLines": \.sameFromLines,
        "sameFromNetwork": \.sameFromNetwork, "sameMoved": \.sameMoved, "sameResult": \.sameResult,
        "leastStray": \.leastStray, "sameStray": \.sameStray, "leastSecond": \.leastSecond,
        "leastInnerLines": \.leastInnerLines, "leastInnerNear": \.leastInnerNear,
        "exactReach": \.exactReach, "wideMargin": \.wideMargin, "exactMargin": \.exactMargin,
    ]

    static let names = (Array(counts.keys) + Array(values.keys) + ["leastConfidence"]).sorted().joined(separator: ", ")

    /// - Parameter text: "name=value,…", or nothing for those of a request.
    init(_ text: String) throws {
        networks = try .shared()
        for part in text.split(separator: ",") {
            let sides = part.split(separator: "=").map(String.init)
            guard sides.count == 2, let value = Double(sides[1]), abs(value) < 1e6 else {
                throw ValidationError("\(part) is not name=value")
            }
            if let path = Self.counts[sides[0]] {
                guard value >= 0 else { throw ValidationError("\(sides[0]) is a whole number of at least 0") }
                settings[keyPath: path] = Int(value)
            } else if let path = Self.values[sides[0]] {
                settings[keyPath: path] = value
            } else if sides[0] == "leastConfidence" {
                finder.leastConfidence = value
            } else {
                throw ValidationError("unknown setting \(sides[0])")
            }
        }
    }

    var detector: RectangleDetector { RectangleDetector(finder, networks: networks, settings: settings) }

    /// As `RectangleDetectionCommand.find`.
    func find(_ image: RGBImage) throws -> (found: [(quad: PlanarQuad, confidence: Float)], milliseconds: Double) {
        let raster = try image.raster(.bgra8)
        let start = nanoseconds()
        let found = try detector.rectangles(
            in: raster, small: Self.searched(raster), threads: VisionSettings.threadCount)
        return (found.map { ($0.quad, Float($0.confidence)) }, Double(nanoseconds() - start) / 1e6)
    }

    /// The image at the size at which edge segments and proposals are searched.
    static func searched(_ image: Raster) throws -> Raster {
        let scale = min(1, Double(RectangleFinder.workingSize) / Double(max(image.width, image.height)))
        func length(_ pixels: Int) -> Int { max(Int((Double(pixels) * scale).rounded()), 1) }
        return try image.resized(
            width: length(image.width), height: length(image.height), filter: .antialiasedBilinear)
    }
}

extension RectangleDetectionCommand {
    /// The most permissive parameters of a request.
    static var widestFinder: RectangleFinder {
        var finder = RectangleFinder()
        finder.aspectRatios = 0.2...1
        finder.quadratureTolerance = 45
        finder.minimumSize = 0.1
        return finder
    }

    /// A row for each candidate: 1 for the outline of a rectangle or 0, and the evidence. Candidates
    /// near an outline that do not match it are left out.
    func writeEvidence(to path: String, _ photos: PhotoFolder, _ steps: (from: Int, by: Int)) throws {
        let detector = try RectangleTrial(settings ?? "").detector
        let names = lines ? RectangleFinder.evidenceNames : RectangleVerdict.names
        var rows = (["label"] + names).joined(separator: ",") + "\n"
        func add(_ image: RGBImage, _ truths: [PlanarQuad]) throws {
            let raster = try image.raster(.bgra8)
            let candidates =
                try lines ? detector.finder.candidates(in: raster) : detector.candidates(in: raster, threads: 1)
            for candidate in candidates {
                let error = truths.map { DetectionScore.error(candidate.quad, $0) }.min() ?? 1
                guard error < evidenceLimits.right || error > evidenceLimits.wrong else { continue }
                // A quad that the network accepts in a photograph may be an outline.
                if !lines, truths.isEmpty, candidate.evidence[0] > 0 { continue }
                let label = error < evidenceLimits.right ? "1" : "0"
                rows += ([label] + candidate.evidence.map { "\($0)" }).joined(separator: ",") + "\n"
            }
        }
        for number in 0..<count {
            let scene = try RectangleScene(number: number, seed: seed, photos: photos, steps: steps)
            try add(scene.image, scene.rectangles.map(\.quad))
        }
        for number in stride(from: from, to: photos.count, by: every) {
            try add(RGBImage(RectangleScene.background(try photos.whole(number: number))), [])
        }
        try rows.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// A row for each quad that the networks scored in the images of the folder: the image's name, the logarithm of
    /// the odds that it is an outline, and its corners, as Training/Rectangles/samples.py reads them.
    func writeQuads(to path: String, _ photos: PhotoFolder) throws {
        let detector = try RectangleTrial(settings ?? "").detector
        var rows = ""
        for number in 0..<photos.count {
            let image = try photos.whole(number: number).raster(.bgra8), small = try RectangleTrial.searched(image)
            let (scaleX, scaleY) = (
                Double(image.width) / Double(small.width), Double(image.height) / Double(small.height)
            )
            for candidate in try detector.candidates(in: small, threads: 1) {
                let corners = candidate.quad.scaled(scaleX, scaleY).corners
                let numbers = [candidate.evidence[0] * RectangleVerdict.mostOdds] + corners.flatMap { [$0.x, $0.y] }
                rows += ([photos.name(number: number)] + numbers.map { "\($0)" }).joined(separator: ",") + "\n"
            }
        }
        try rows.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Errors, in parts of the side, up to which a quad is an outline and from which on it is not.
    private var evidenceLimits: (right: Double, wrong: Double) { lines ? (0.03, 0.15) : (0.015, 0.03) }
}
