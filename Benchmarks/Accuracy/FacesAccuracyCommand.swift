import ArgumentParser
import Foundation
import Vision
import VisionImage

struct FacesAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faces",
        abstract: "Detect labelled faces, rotated by every multiple of an angle.",
        discussion: """
            The folder holds faces.json: an array of objects with "image" (a file of the folder) and "points68", the \
            68 points of iBUG in pixels, top-left origin. A face counts as found when a box overlaps the smallest box \
            of its points by --overlap. Others in the photo may be visible without a label, so what else is found is \
            only counted. In the photos of --without every face is a false one.
            """)

    @Argument(help: "A folder with faces.json.")
    var data: String

    @Option(help: "A folder of photos without faces, or of folders of them. Repeat it for more.")
    var without: [String] = []

    @Option(help: "Revisions of the request.")
    var revision: [Int] = [1, 2]

    @Option(help: "Degrees from one rotation of the photos to the next.")
    var step = 30

    @Option(help: "The least overlap (intersection over union).")
    var overlap = 0.4

    private struct Label: Decodable {
        let image: String
        let points68: [[Double]]
    }

    func validate() throws {
        if !(1...360).contains(step) { throw ValidationError("--step lies in 1…360.") }
    }

    func run() throws {
        let folder = URL(fileURLWithPath: data, isDirectory: true)
        let labels = try JSONDecoder().decode(
            [Label].self, from: Data(contentsOf: folder.appendingPathComponent("faces.json")))
        print("revision angle   found  others  roll error median / 95 % / max   median ms")
        for revision in revision {
            for angle in stride(from: 0, to: 360, by: step) {
                try measure(labels, in: folder, revision: revision, angle: Double(angle) * .pi / 180)
            }
            for path in without { try measureWithout(path, revision: revision) }
        }
    }

    private func measure(_ labels: [Label], in folder: URL, revision: Int, angle: Double) throws {
        var (found, others, rolls, times) = (0, 0, [Double](), [Double]())
        for label in labels {
            let file = try EncodedImage(contentsOf: folder.appendingPathComponent(label.image))
            let photo = RotatedPhoto(try file.decode(to: .rgb8), by: angle)
            let points = label.points68.map { photo.position(of: SIMD2($0[0], $0[1])) }
            let image = CGImage(raster: try photo.rotated())
            let start = nanoseconds()
            let faces = try detect(image, revision)
            times.append(Double(nanoseconds() - start) / 1e6)
            let truth = PixelRegion(around: points)
            let boxes = faces.map { face in
                let box = VNImageRectForNormalizedRect(face.boundingBox, image.width, image.height)
                return PixelRegion(
                    x: box.minX, y: Double(image.height) - box.maxY, width: box.width, height: box.height)
            }
            let best = boxes.indices.max {
                boxes[$0].intersectionOverUnion(with: truth) < boxes[$1].intersectionOverUnion(with: truth)
            }
            guard let best, boxes[best].intersectionOverUnion(with: truth) >= overlap else {
                others += faces.count
                continue
            }
            found += 1
            others += faces.count - 1
            if let roll = faces[best].roll?.doubleValue {
                let eyes = mean(points[42..<48]) - mean(points[36..<42])
                let error = roll - atan2(-eyes.y, eyes.x)
                rolls.append(abs(atan2(sin(error), cos(error))) * 180 / .pi)
            }
        }
        rolls.sort()
        let errors =
            rolls.isEmpty
            ? "-"
            : [0.5, 0.95, 1].map { String(format: "%.1f", percentile($0, ofSorted: rolls)) }.joined(separator: " / ")
        print(
            String(
                format: "%8d  %4.0f  %5.1f%%  %6d  ", revision, angle * 180 / .pi,
                100 * Double(found) / Double(max(labels.count, 1)), others)
                + errors.padding(toLength: 32, withPad: " ", startingAt: 0)
                + String(format: "%6.1f", percentile(0.5, ofSorted: times.sorted())))
    }

    private func measureWithout(_ path: String, revision: Int) throws {
        let root = URL(fileURLWithPath: path, isDirectory: true)
        let folders = try FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)
            .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false }
        let files = try ([root] + folders.sorted { $0.path < $1.path }).flatMap { try imageFiles(in: $0) }
        var (faces, seen) = (0, 0)
        for file in files {
            let request = VNDetectFaceRectanglesRequest()
            request.revision = revision
            guard (try? VNImageRequestHandler(url: file).perform([request])) != nil else { continue }
            seen += 1
            for face in request.results ?? [] {
                faces += 1
                let box = face.boundingBox
                print(
                    String(
                        format: "  %@: %.2f at (%.3f, %.3f, %.3f, %.3f)", file.lastPathComponent, face.confidence,
                        box.minX,
                        box.minY, box.width, box.height))
            }
        }
        print("\(path), revision \(revision): \(faces) faces in \(seen) photos")
    }

    private func detect(_ image: CGImage, _ revision: Int) throws -> [VNFaceObservation] {
        let request = VNDetectFaceRectanglesRequest()
        request.revision = revision
        try VNImageRequestHandler(cgImage: image).perform([request])
        return request.results ?? []
    }

    private func mean(_ points: ArraySlice<SIMD2<Double>>) -> SIMD2<Double> {
        points.reduce(SIMD2.zero, +) / Double(points.count)
    }
}

extension PixelRegion {
    fileprivate init(around points: [SIMD2<Double>]) {
        let low = points.reduce(SIMD2(repeating: .infinity), pointwiseMin)
        let high = points.reduce(SIMD2(repeating: -.infinity), pointwiseMax)
        self.init(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }
}

/// A photo rotated about its centre, counter-clockwise, on a black canvas that holds all of it.
struct RotatedPhoto {
    private let photo: Raster
    private let angle: Double
    let width: Int
    let height: Int

    init(_ photo: Raster, by angle: Double) {
        self.photo = photo
        self.angle = angle
        let (w, h) = (Double(photo.width), Double(photo.height))
        let (c, s) = (abs(cos(angle)), abs(sin(angle)))
        width = Int((w * c + h * s).rounded(.up))
        height = Int((w * s + h * c).rounded(.up))
    }

    /// Where a point of the photo, in pixels from the top left, is on the canvas.
    func position(of point: SIMD2<Double>) -> SIMD2<Double> {
        let offset = point - SIMD2(Double(photo.width), Double(photo.height)) / 2
        return SIMD2(Double(width), Double(height)) / 2
            + SIMD2(cos(angle) * offset.x + sin(angle) * offset.y, cos(angle) * offset.y - sin(angle) * offset.x)
    }

    func rotated() throws -> Raster {
        let (c, s) = (cos(angle), sin(angle))
        let (x, y) = (Double(width) / 2, Double(height) / 2)
        let map = CGAffineTransform(
            a: c, b: s, c: -s, d: c, tx: Double(photo.width) / 2 - c * x + s * y,
            ty: Double(photo.height) / 2 - s * x - c * y)
        return try photo.warped(by: map, width: width, height: height, border: .black)
    }
}
