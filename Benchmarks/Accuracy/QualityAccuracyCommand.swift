import ArgumentParser
import Foundation
import Vision
import VisionImage
import VisionModels

struct QualityAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quality",
        abstract: "Rank images of faces that are degraded step by step.",
        discussion: """
            The folder holds faces.json: an array of objects with "image" (a file of the folder) and "points68", the \
            68 points of iBUG in pixels, top-left origin. Of each photo series of five images are made, degraded in \
            one way or in several; the result is the share of pairs of neighbours in a series whose qualities are in \
            the right order. Of every five photos three were used to calibrate the quality: the others are measured.
            """)

    @Argument(help: "A folder with faces.json.")
    var data: String

    @Flag(help: "Measure the photos that the quality was calibrated on.")
    var calibration = false

    @Flag(help: "Let the request find the face itself; an image in which it finds none has the worst quality.")
    var implicit = false

    @Option(help: "Mixed series of each kind for a photo.")
    var mixed = 3

    @Option(help: "Write what is measured of each image to this file, as the calibration reads it.")
    var measures: String?

    @Option(help: "Write the images of the first photos to this folder.")
    var images: String?

    @Option(help: "The seed of the degradations.")
    var seed: UInt64 = 1

    @Option(help: "The most photos.")
    var limit = Int.max

    struct Label: Decodable {
        let image: String
        let points68: [[Double]]
    }

    func run() throws {
        let folder = URL(fileURLWithPath: data, isDirectory: true)
        let labels = try JSONDecoder().decode(
            [Label].self, from: Data(contentsOf: folder.appendingPathComponent("faces.json")))
        let chosen = labels.indices.filter { ($0 % 5 < 3) == calibration }.prefix(limit)
        var table = RankingTable()
        var lines = [
            (["photo", "series", "kind", "step"] + FaceQualityFeature.measured.map(\.rawValue)
                + (0..<256).map { "cell\($0)" }).joined(separator: ",")
        ]
        for index in chosen {
            let photo = try EncodedImage(contentsOf: folder.appendingPathComponent(labels[index].image)).decode(
                to: .rgb8)
            guard let face = try LabelledFace(photo, labels[index].points68) else { continue }
            var generator = SplitMix64(seed: seed &* 1_000_003 &+ UInt64(index))
            let kinds = FaceSeries.Kind.allCases.flatMap { kind in
                [FaceSeries.Kind](repeating: kind, count: FaceSeries.Kind.mixed.contains(kind) ? mixed : 1)
            }
            for (number, kind) in kinds.enumerated() {
                let series = FaceSeries(kind, using: &generator)
                let degraded = try series.steps.map {
                    try face.photo.degraded($0, mesh: face.mesh, seed: generator.next())
                }
                if let images, index < 12 { try save(degraded, "\(index)-\(number)-\(kind.rawValue)", images) }
                if measures != nil {
                    for (step, image) in degraded.enumerated() {
                        guard let found = try face.measures(of: image) else { continue }
                        let values = FaceQualityFeature.measured.map { found.features[$0] ?? 0 } + found.cells
                        let row = ["\(index)", "\(number)", kind.rawValue, "\(step)"] + values.map { "\($0)" }
                        lines.append(row.joined(separator: ","))
                    }
                } else {
                    let qualities = try degraded.map { try face.quality(of: $0, implicit: implicit) }
                    table.add(qualities, to: kind)
                }
            }
        }
        if let measures {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: measures))
        } else {
            table.lines.forEach(say)
        }
    }

    private func save(_ images: [FacePhoto], _ name: String, _ path: String) throws {
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (step, image) in images.enumerated() {
            try image.raster.encodedJPEG(quality: 0.95).write(
                to: folder.appendingPathComponent("\(name)-\(step).jpg"))
        }
    }
}

/// A photo with the face that is labelled in it, as the detector sees it.
private struct LabelledFace {
    let photo: FacePhoto
    let mesh: FaceMesh
    private let roll: Double?

    /// nil where the detector does not find the face.
    init?(_ whole: Raster, _ points: [[Double]]) throws {
        let request = VNDetectFaceRectanglesRequest()
        request.revision = VNDetectFaceRectanglesRequestRevision2
        try VNImageRequestHandler(cgImage: CGImage(raster: whole)).perform([request])
        let landmarks = points.map { SIMD2($0[0], $0[1]) }
        let middle = landmarks.reduce(SIMD2.zero, +) / Double(max(landmarks.count, 1))
        let (width, height) = (Double(whole.width), Double(whole.height))
        func isLabelled(_ face: VNFaceObservation) -> Bool {
            let box = face.boundingBox
            let (x, y) = (middle.x / width, 1 - middle.y / height)
            return x > Double(box.minX) && x < Double(box.maxX) && y > Double(box.minY) && y < Double(box.maxY)
        }
        guard let face = request.results?.first(where: isLabelled) else { return nil }
        let box = face.boundingBox
        photo = FacePhoto(
            whole,
            PixelRegion(
                x: Double(box.minX) * width, y: Double(1 - box.maxY) * height, width: Double(box.width) * width,
                height: Double(box.height) * height))
        roll = face.roll?.doubleValue
        guard let mesh = try Self.mesh(of: photo, roll) else { return nil }
        self.mesh = mesh
    }

    private static func mesh(of photo: FacePhoto, _ roll: Double?) throws -> FaceMesh? {
        let source = ImageSource(cgImage: CGImage(raster: photo.raster))
        return try FaceMeshFinder().mesh(
            of: photo.box, roll: roll, in: PixelRegion(width: photo.raster.width, height: photo.raster.height)
        ) { try source.derivative($0) }
    }

    func measures(of image: FacePhoto) throws -> FaceQualityMeasures? {
        guard let mesh = try Self.mesh(of: image, roll) else { return nil }
        let source = ImageSource(cgImage: CGImage(raster: image.raster))
        return try FaceQualityEstimator().measures(
            of: mesh, in: PixelRegion(width: image.raster.width, height: image.raster.height)
        ) { try source.derivative($0) }
    }

    /// The quality of the request; -1 for no face.
    func quality(of image: FacePhoto, implicit: Bool) throws -> Double {
        let (width, height) = (Double(image.raster.width), Double(image.raster.height))
        let box = CGRect(
            x: image.box.x / width, y: 1 - (image.box.y + image.box.height) / height,
            width: image.box.width / width, height: image.box.height / height)
        let request = VNDetectFaceCaptureQualityRequest()
        if !implicit {
            request.inputFaceObservations = [
                VNFaceObservation(
                    requestRevision: VNRequestRevisionUnspecified, boundingBox: box,
                    roll: roll.map { NSNumber(value: $0) }, yaw: nil)
            ]
        }
        try VNImageRequestHandler(cgImage: CGImage(raster: image.raster)).perform([request])
        let face = request.results?.first { face in
            let found = face.boundingBox
            return abs(found.midX - box.midX) < box.width / 2 && abs(found.midY - box.midY) < box.height / 2
        }
        return face?.faceCaptureQuality.map { Double($0) } ?? -1
    }
}

/// How many neighbours are in the right order, by kind.
private struct RankingTable {
    private var counts: [FaceSeries.Kind: (right: Int, all: Int, ends: Int, series: Int)] = [:]
    private var scores: [FaceSeries.Kind: [Double]] = [:]

    mutating func add(_ qualities: [Double], to kind: FaceSeries.Kind) {
        var count = counts[kind] ?? (0, 0, 0, 0)
        count.right += zip(qualities, qualities.dropFirst()).count { $0 > $1 }
        count.all += qualities.count - 1
        if let first = qualities.first, let last = qualities.last, first > last { count.ends += 1 }
        count.series += 1
        counts[kind] = count
        scores[kind] = zip(scores[kind] ?? qualities.map { _ in 0 }, qualities).map { $0 + max($1, 0) }
    }

    var lines: [String] {
        func line(_ name: String, _ kinds: [FaceSeries.Kind]) -> String {
            let found = kinds.compactMap { counts[$0] }
            let (right, all) = (found.reduce(0) { $0 + $1.right }, found.reduce(0) { $0 + $1.all })
            let (ends, series) = (found.reduce(0) { $0 + $1.ends }, found.reduce(0) { $0 + $1.series })
            let means = kinds.count == 1 ? (scores[kinds[0]] ?? []).map { $0 / Double(max(series, 1)) } : []
            return String(
                format: "%@ %5.1f%% of %4d  %5.1f%%  ", name.padding(toLength: 16, withPad: " ", startingAt: 0),
                100 * Double(right) / Double(max(all, 1)), all, 100 * Double(ends) / Double(max(series, 1)))
                + means.map { String(format: "%.2f", $0) }.joined(separator: " ")
        }
        return ["series           neighbours right  ends right  mean qualities"]
            + FaceSeries.Kind.allCases.map { line($0.rawValue, [$0]) }
            + [line("one degradation", FaceSeries.Kind.single), line("mixed", FaceSeries.Kind.mixed)]
    }
}
