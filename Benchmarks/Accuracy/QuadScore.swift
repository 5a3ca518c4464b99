import Foundation
import Vision
import VisionAlgorithms
import VisionImage

/// One rectangle tracker in a video, as a user of Vision runs it.
final class VideoQuadTracker {
    private let handler = VNSequenceRequestHandler()
    private var observation: VNRectangleObservation
    private let level: VNRequestTrackingLevel
    private let width: Double
    private let height: Double

    init(quad: PlanarQuad, width: Int, height: Int, level: VNRequestTrackingLevel) {
        self.level = level
        self.width = Double(width)
        self.height = Double(height)
        func point(_ point: PlanarPoint) -> CGPoint {
            CGPoint(x: point.x / Double(width), y: 1 - point.y / Double(height))
        }
        observation = VNRectangleObservation(
            requestRevision: VNTrackRectangleRequestRevision1, topLeft: point(quad.topLeft),
            topRight: point(quad.topRight), bottomRight: point(quad.bottomRight), bottomLeft: point(quad.bottomLeft))
    }

    /// Follows the rectangle into the next frame.
    func advance(to frame: CVPixelBuffer) throws -> (quad: PlanarQuad, confidence: Double) {
        let request = VNTrackRectangleRequest(rectangleObservation: observation)
        request.trackingLevel = level
        try handler.perform([request], on: frame)
        if let result = request.results?.first { observation = result }
        func point(_ point: CGPoint) -> PlanarPoint {
            PlanarPoint(x: Double(point.x) * width, y: (1 - Double(point.y)) * height)
        }
        let quad = PlanarQuad(
            topLeft: point(observation.topLeft), topRight: point(observation.topRight),
            bottomRight: point(observation.bottomRight), bottomLeft: point(observation.bottomLeft))
        return (quad, Double(observation.confidence))
    }
}

/// How well corners were followed: see `RectangleAccuracyCommand`.
struct QuadScore {
    private var errors: [Double] = []
    private var times: [Double] = []
    private var good: [Double] = []
    private var lost: [Double] = []

    mutating func add(quad: PlanarQuad, confidence: Double, truth: PlanarVideo.Truth, milliseconds: Double) {
        let error = zip(quad.corners, truth.quad.corners).reduce(0) { $0 + $1.0.distance(to: $1.1) } / 4
        let size = abs(truth.quad.area).squareRoot()
        times.append(milliseconds)
        if truth.within > 0.7, truth.seen > 0.4 { errors.append(error) }
        if truth.within > 0.3, error < 0.1 * size {
            good.append(confidence)
        } else if truth.within < 0.05 || error > 0.4 * size {
            lost.append(confidence)
        }
    }

    mutating func add(_ other: QuadScore) {
        errors += other.errors
        times += other.times
        good += other.good
        lost += other.lost
    }

    /// The row of the command's table.
    func cells(_ name: String) -> [String] {
        let errors = errors.sorted(), times = times.sorted(), count = Double(max(1, errors.count))
        func number(_ value: Double) -> String { String(format: "%.3f", value) }
        guard !errors.isEmpty else { return [name] + Array(repeating: "-", count: 9) }
        return [
            name, number(percentile(0.5, ofSorted: errors)), number(percentile(0.95, ofSorted: errors)),
            number(Double(errors.count { $0 <= 1 }) / count), number(Double(errors.count { $0 > 10 }) / count),
            rocArea(positive: good, negative: lost).map(number) ?? "-",
            lost.isEmpty ? "-" : number(Double(lost.count { $0 >= 0.5 }) / Double(lost.count)),
            number(percentile(0.5, ofSorted: times)), number(percentile(0.95, ofSorted: times)),
            number(times.last ?? 0),
        ]
    }
}

extension PlanarQuad {
    /// The upright box around the corners.
    var box: PixelRegion {
        let xs = corners.map(\.x), ys = corners.map(\.y)
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        return PixelRegion(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
    }
}

extension Video {
    /// The four corners of each frame from groundtruth_polygon.txt; nil where there is no such file.
    func polygons() throws -> [PlanarQuad]? {
        guard let folder = frames.first?.deletingLastPathComponent().deletingLastPathComponent() else { return nil }
        let file = folder.appendingPathComponent("groundtruth_polygon.txt")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        return try text.split(whereSeparator: \.isNewline).map { line in
            let numbers = line.split { ", \t".contains($0) }.compactMap { Double($0) }
            guard numbers.count == 8 else { throw Unreadable(description: "\(file.path): \(line)") }
            func point(_ index: Int) -> PlanarPoint { PlanarPoint(x: numbers[2 * index], y: numbers[2 * index + 1]) }
            return PlanarQuad(topLeft: point(0), topRight: point(1), bottomRight: point(2), bottomLeft: point(3))
        }
    }
}
