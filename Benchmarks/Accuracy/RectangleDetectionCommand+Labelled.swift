import ArgumentParser
import Foundation
import VisionAlgorithms

extension RectangleDetectionCommand {
    /// Scores the photographs of `RectangleLabels`, and writes them and their labels where `--write` says.
    func scoreLabelled() throws {
        let files = KnownPhoto.files(of: Set(RectangleLabels.all.map(\.photo)), in: data)
        var (every, asItComes) = (LabelledScore(), LabelledScore())
        var photos = Set<KnownPhoto>()
        for photo in RectangleLabels.all.map(\.photo) where photos.insert(photo).inserted {
            guard let file = files[photo] else {
                photos.remove(photo)
                continue
            }
            let image = try RGBImage(contentsOf: file)
            let labels = RectangleLabels.all.filter { $0.photo == photo }
            if let write { try Self.write(image, labels, to: write, photos.count - 1) }
            let quads = labels.map(\.quad)
            let (found, time) = try Self.find(image)
            every.add(found.map(\.quad), wanted: quads.map { [$0] }, milliseconds: time)
            let (first, firstTime) = try Self.find(image, withDefaults: true)
            asItComes.add(first.map(\.quad), wanted: [quads], milliseconds: firstTime)
            guard each else { continue }
            for label in labels {
                let best = found.min {
                    DetectionScore.error($0.quad, label.quad) < DetectionScore.error($1.quad, label.quad)
                }
                let error = best.map { DetectionScore.error($0.quad, label.quad) } ?? .infinity
                let confidence = best.map { String(format: "%.2f", $0.confidence) } ?? "-"
                say(
                    "\(photo.name) \(label.kind): error " + String(format: "%.3f", error)
                        + ", confidence \(confidence), \(found.count) results")
            }
        }
        guard !photos.isEmpty else { throw ValidationError("none of the labelled photographs is in \(data)") }
        let all = Set(RectangleLabels.all.map(\.photo)).count
        say("\(photos.count) of \(all) photographs, \(every.count) rectangles")
        say("request        found    near  overlap   other  error px      ms")
        say("all results  " + every.row)
        say("as it comes  " + asItComes.row)
    }

    private static func write(
        _ image: RGBImage, _ labels: [RectangleLabels.Label], to folder: String, _ number: Int
    ) throws {
        try write(image, to: folder, number)
        // As scenes are written, without what nobody knows of a photograph: tilt, and the part that is seen.
        let lines = labels.map { label in
            ([label.kind, "1", "", ""] + label.quad.corners.flatMap { ["\($0.x)", "\($0.y)"] }).joined(separator: ",")
        }
        try lines.joined(separator: "\n").write(
            toFile: folder + String(format: "/%04d.csv", number), atomically: true, encoding: .utf8)
    }
}

/// How well rectangles of photographs were found: see `RectangleDetectionCommand`.
struct LabelledScore {
    private var wanted: [(error: Double, pixels: Double, overlap: Double)] = []
    private var others = 0
    private var times: [Double] = []

    var count: Int { wanted.count }

    /// - Parameter wanted: Groups of rectangles; of each group one is to be found.
    mutating func add(_ found: [PlanarQuad], wanted groups: [[PlanarQuad]], milliseconds: Double) {
        times.append(milliseconds)
        for group in groups {
            let pairs = group.flatMap { truth in found.map { ($0, truth) } }
            let best = pairs.min { DetectionScore.error($0.0, $0.1) < DetectionScore.error($1.0, $1.1) }
            wanted.append(
                (
                    best.map { DetectionScore.error($0.0, $0.1) } ?? .infinity,
                    best.map { DetectionScore.distance($0.0, $0.1) } ?? .infinity,
                    pairs.map { Self.overlap($0.0, $0.1) }.max() ?? 0
                ))
        }
        let truths = groups.flatMap { $0 }
        others += found.count { quad in truths.allSatisfy { DetectionScore.error(quad, $0) > 0.1 } }
    }

    var row: String {
        let count = Double(max(wanted.count, 1))
        let right = wanted.filter { $0.error <= 0.02 }
        return String(
            format: "%7.3f %7.3f  %7.3f %7.2f   %7.2f %7.1f", Double(right.count) / count,
            Double(wanted.count { $0.error <= 0.05 }) / count, Double(wanted.count { $0.overlap >= 0.8 }) / count,
            Double(others) / Double(max(times.count, 1)), percentile(0.5, ofSorted: right.map(\.pixels).sorted()),
            percentile(0.5, ofSorted: times.sorted()))
    }

    /// The intersection of two convex quads over their union.
    static func overlap(_ first: PlanarQuad, _ second: PlanarQuad) -> Double {
        // The sides of the second cut the first, one after the other (Sutherland and Hodgman).
        let frame = second.area < 0 ? second.corners.reversed() : second.corners
        var polygon = first.corners
        for side in 0..<4 {
            let (start, end) = (frame[side], frame[(side + 1) % 4])
            var kept: [PlanarPoint] = []
            for index in polygon.indices {
                let (corner, next) = (polygon[index], polygon[(index + 1) % polygon.count])
                let (here, there) = (doubleArea(start, end, corner), doubleArea(start, end, next))
                if here >= 0 { kept.append(corner) }
                if (here >= 0) != (there >= 0) {
                    let part = here / (here - there)
                    kept.append(
                        PlanarPoint(x: corner.x + (next.x - corner.x) * part, y: corner.y + (next.y - corner.y) * part))
                }
            }
            polygon = kept
        }
        guard let origin = polygon.first else { return 0 }
        let triangles = zip(polygon.dropFirst(), polygon.dropFirst(2)).map { doubleArea(origin, $0, $1) }
        let shared = abs(triangles.reduce(0, +)) / 2
        return shared / max(abs(first.area) + abs(second.area) - shared, .leastNormalMagnitude)
    }

    /// Twice the area of a triangle, above 0 where its corners go around clockwise as seen in the image.
    private static func doubleArea(_ a: PlanarPoint, _ b: PlanarPoint, _ c: PlanarPoint) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
}
