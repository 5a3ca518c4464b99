import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage
import VisionModels

struct LandmarksAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "landmarks",
        abstract: "Find the landmarks of labelled faces, rotated by every multiple of an angle.",
        discussion: """
            The folder holds faces.json: an array of objects with "image" (a file of the folder) and "points68", the \
            68 points of iBUG in pixels, top-left origin. Landmarks are taken to these points along the lines of the \
            face. Errors are mean distances in those of the outer corners of the eyes. The weights of the landmarks \
            were fitted on every other photo in the order of their names: "fitted" are those, "others" the rest. The \
            true pupils are taken for the middles of the six points of the eyes.
            """)

    /// Where the box of a face comes from.
    enum Source: String, ExpressibleByArgument, CaseIterable {
        /// The detector.
        case found
        /// The smallest upright box of the true points, without a roll.
        case points
        /// That, 1.6 times as large.
        case loose
        /// That, 0.75 times as large and off by a tenth.
        case tight
    }

    @Argument(help: "A folder with faces.json.")
    var data: String

    @Option(help: "Points of the constellation: 65 or 76.")
    var constellation = 76

    @Option(help: "Degrees from one rotation of the photos to the next.")
    var step = 30

    @Option(help: "Where the boxes come from: found, points, loose, tight.")
    var boxes = Source.found

    @Option(help: "Threads that networks use.")
    var threads = 1

    @Option(help: "Writes the meshes of the faces, and the crops around them beside it, for Training/Faces.")
    var meshes: String?

    private struct Label: Decodable {
        let image: String
        let points68: [[Double]]
    }

    func validate() throws {
        if !(1...360).contains(step) { throw ValidationError("--step lies in 1…360.") }
        if ![65, 76].contains(constellation) { throw ValidationError("--constellation is 65 or 76.") }
    }

    func run() throws {
        VisionSettings.threadCount = threads
        let folder = URL(fileURLWithPath: data, isDirectory: true)
        let labels = try JSONDecoder().decode(
            [Label].self, from: Data(contentsOf: folder.appendingPathComponent("faces.json"))
        ).sorted { $0.image < $1.image }
        if let meshes {
            try write(labels, in: folder, to: meshes)
            return
        }
        print("angle found  fitted  others  contour  brows   nose   eyes  mouth  corners  pupils  precision  median ms")
        var all: [Measured] = []
        for angle in stride(from: 0, to: 360, by: step) {
            let found = try labels.enumerated().compactMap { index, label in
                try measure(label, in: folder, angle: Double(angle) * .pi / 180, isFitted: index % 2 == 0)
            }
            report(String(format: "%4d", angle), found, of: labels.count)
            all += found
        }
        report(" all", all, of: labels.count * Array(stride(from: 0, to: 360, by: step)).count)
    }

    private struct Measured {
        let isFitted: Bool
        /// Of the 68 points.
        let errors: [Double]
        let precision: [Double]?
        /// Of both pupils.
        let pupils: [Double]
        let time: Double
    }

    private func report(_ title: String, _ faces: [Measured], of count: Int) {
        let (fitted, others) = (faces.filter(\.isFitted), faces.filter { !$0.isFitted })
        func mean(_ faces: [Measured], _ points: some Sequence<Int>) -> Double {
            let errors = faces.flatMap { face in points.map { face.errors[$0] } }
            return errors.reduce(0, +) / Double(max(errors.count, 1))
        }
        let parts = [Array(0..<17), Array(17..<27), Array(27..<36), Array(36..<48), Array(48..<68), [36, 39, 42, 45]]
        let pupils = others.flatMap(\.pupils)
        let precisions = others.compactMap(\.precision)
        let correlation =
            precisions.count == others.count && !others.isEmpty
            ? rankCorrelation(precisions.flatMap { $0 }, others.flatMap(\.errors)) : .nan
        print(
            title
                + String(
                    format: "  %5.1f%%  %6.4f  %6.4f   %6.4f ", 100 * Double(faces.count) / Double(max(count, 1)),
                    mean(fitted, 0..<68), mean(others, 0..<68), mean(others, parts[0]))
                + parts[1..<5].map { String(format: "%6.4f ", mean(others, $0)) }.joined()
                + String(
                    format: "  %6.4f  %6.4f %10.3f %10.2f", mean(others, parts[5]),
                    pupils.reduce(0, +) / Double(max(pupils.count, 1)), correlation,
                    percentile(0.5, ofSorted: faces.map(\.time).sorted())))
    }

    /// nil where the face is not found.
    private func measure(_ label: Label, in folder: URL, angle: Double, isFitted: Bool) throws -> Measured? {
        let file = try EncodedImage(contentsOf: folder.appendingPathComponent(label.image))
        let photo = RotatedPhoto(try file.decode(to: .rgb8), by: angle)
        let truth = label.points68.map { photo.position(of: SIMD2($0[0], $0[1])) }
        let image = CGImage(raster: try photo.rotated())
        let handler = VNImageRequestHandler(cgImage: image)
        guard let face = try face(of: truth, in: image, handler) else { return nil }
        let request = VNDetectFaceLandmarksRequest()
        request.revision = VNDetectFaceLandmarksRequestRevision3
        request.constellation = constellation == 76 ? .constellation76Points : .constellation65Points
        request.inputFaceObservations = [face]
        let start = nanoseconds()
        try handler.perform([request])
        let time = Double(nanoseconds() - start) / 1e6
        guard let landmarks = request.results?.first?.landmarks, let points = landmarks.allPoints else { return nil }
        let found = points.pointsInImage(imageSize: CGSize(width: image.width, height: image.height))
            .map { SIMD2($0.x, Double(image.height) - $0.y) }
        let chains = constellation == 76 ? LandmarkChains.points76 : .points65
        let mapped = chains.values(found) { $0 * (1 - $2) + $1 * $2 }
        let size = distance(truth[36], truth[45])
        let eyes = [36..<42, 42..<48].map { truth[$0].reduce(SIMD2.zero, +) / 6 }
        return Measured(
            isFitted: isFitted, errors: zip(mapped, truth).map { distance($0, $1) / size },
            precision: points.precisionEstimatesPerPoint.map { precision in
                chains.values(precision.map(Double.init)) { $0 * (1 - $2) + $1 * $2 }
            }, pupils: zip(found.suffix(2), eyes).map { distance($0, $1) / size }, time: time)
    }

    private func face(
        of truth: [SIMD2<Double>], in image: CGImage, _ handler: VNImageRequestHandler
    ) throws -> VNFaceObservation? {
        let low = truth.reduce(SIMD2(repeating: .infinity), pointwiseMin)
        let high = truth.reduce(SIMD2(repeating: -.infinity), pointwiseMax)
        func normalised(_ middle: SIMD2<Double>, _ size: SIMD2<Double>) -> CGRect {
            VNNormalizedRectForImageRect(
                CGRect(
                    x: middle.x - size.x / 2, y: Double(image.height) - middle.y - size.y / 2, width: size.x,
                    height: size.y), image.width, image.height)
        }
        let (middle, size) = ((low + high) / 2, high - low)
        switch boxes {
        case .points: return VNFaceObservation(boundingBox: normalised(middle, size))
        case .loose: return VNFaceObservation(boundingBox: normalised(middle, size * 1.6))
        case .tight: return VNFaceObservation(boundingBox: normalised(middle + size * 0.1, size * 0.75))
        case .found:
            let request = VNDetectFaceRectanglesRequest()
            request.revision = VNDetectFaceRectanglesRequestRevision2
            try handler.perform([request])
            let box = normalised(middle, size)
            func overlap(_ face: VNFaceObservation) -> Double {
                let common = face.boundingBox.intersection(box)
                guard !common.isNull else { return 0 }
                let area = common.width * common.height
                return area / (face.boundingBox.width * face.boundingBox.height + box.width * box.height - area)
            }
            let best = request.results?.max { overlap($0) < overlap($1) }
            return best.flatMap { overlap($0) > 0.3 ? $0 : nil }
        }
    }

    // MARK: - Meshes

    private struct Mesh: Encodable {
        let image: String
        let plain: [[Double]]
        /// With the numbers that the points have in the mirror.
        let mirrored: [[Double]]
        let presence: Double
        /// Of the crop around the mesh: centre, side, axis, in the rotated photo.
        let crop: [Double]
        /// The true points, in the rotated photo.
        let points68: [[Double]]
    }

    /// The margin and the pixels along an edge of the crops that are written.
    private static let crop = (margin: 1.9, side: 160)

    private func mesh(of label: Label, in folder: URL, angle: Double, _ crops: FileHandle) throws -> Mesh? {
        let file = try EncodedImage(contentsOf: folder.appendingPathComponent(label.image))
        let photo = RotatedPhoto(try file.decode(to: .rgb8), by: angle)
        let image = CGImage(raster: angle == 0 ? try file.decode(to: .rgb8) : try photo.rotated())
        let truth = label.points68.map { photo.position(of: SIMD2($0[0], $0[1])) }
        guard let face = try face(of: truth, in: image, VNImageRequestHandler(cgImage: image)) else { return nil }
        let box = VNImageRectForNormalizedRect(face.boundingBox, image.width, image.height)
        let source = ImageSource(cgImage: image)
        let meshes = try FaceMeshFinder().meshes(
            of: PixelRegion(
                x: box.minX, y: Double(image.height) - box.maxY, width: box.width, height: box.height),
            roll: face.roll?.doubleValue, in: PixelRegion(width: image.width, height: image.height)
        ) { try source.derivative($0) }
        guard let meshes, let mirrored = meshes.mirrored else { return nil }
        func rows(_ points: [SIMD3<Double>]) -> [[Double]] {
            points.map { [$0.x, $0.y, $0.z].map { ($0 * 100).rounded() / 100 } }
        }
        let crop = meshes.plain.mean(with: mirrored).crop(margin: Self.crop.margin, size: Self.crop.side)
        let pixels = try FaceSearchImage(PixelRegion(width: image.width, height: image.height), reduction: 1) {
            try source.derivative($0)
        }
        try crops.write(contentsOf: packedBytes(of: pixels.pixels(of: crop)))
        return Mesh(
            image: label.image, plain: rows(meshes.plain.points),
            mirrored: rows(FaceMeshMirror.partner.map { mirrored.points[$0] }),
            presence: (meshes.plain.presence + mirrored.presence) / 2,
            crop: [crop.centre.x, crop.centre.y, crop.extent.x, crop.axis.x, crop.axis.y],
            points68: truth.map { [$0.x, $0.y] })
    }

    /// The faces rotated by every multiple of the step, and the crops around them beside the file.
    private func write(_ labels: [Label], in folder: URL, to path: String) throws {
        guard FileManager.default.createFile(atPath: path + ".pixels", contents: nil),
            let crops = FileHandle(forWritingAtPath: path + ".pixels")
        else { throw ValidationError("\(path).pixels cannot be written.") }
        let angles = stride(from: 0, to: 360, by: step).map { Double($0) * .pi / 180 }
        let meshes = try labels.flatMap { label in
            try angles.compactMap { try mesh(of: label, in: folder, angle: $0, crops) }
        }
        try JSONEncoder().encode(meshes).write(to: URL(fileURLWithPath: path))
    }
}

/// The rows of a raster of three bytes a pixel, without what lies between them.
func packedBytes(of raster: Raster) -> Data {
    raster.withUnsafePixels { pixels in
        (0..<raster.height).reduce(into: Data()) { data, row in
            data.append(Data(bytes: pixels + row * raster.rowBytes, count: 3 * raster.width))
        }
    }
}

private func distance(_ one: SIMD2<Double>, _ other: SIMD2<Double>) -> Double {
    ((one - other) * (one - other)).sum().squareRoot()
}

/// Spearman's rank correlation.
private func rankCorrelation(_ one: [Double], _ other: [Double]) -> Double {
    func ranks(_ values: [Double]) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Double](repeating: 0, count: values.count)
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
            for index in start..<end { ranks[order[index]] = Double(start + end - 1) / 2 }
            start = end
        }
        return ranks
    }
    let (a, b) = (ranks(one), ranks(other))
    let mean = Double(a.count - 1) / 2
    let products = zip(a, b).reduce(0.0) { $0 + ($1.0 - mean) * ($1.1 - mean) }
    func squares(_ ranks: [Double]) -> Double { ranks.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } }
    return products / (squares(a) * squares(b)).squareRoot()
}
