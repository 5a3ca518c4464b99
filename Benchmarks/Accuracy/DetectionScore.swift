import Foundation
import VisionAlgorithms

/// How well rectangles were found: see `RectangleDetectionCommand`.
struct DetectionScore {
    private var wanted: [(rectangle: RectangleScene.Rectangle, error: Double, pixels: Double, confidence: Float)] = []
    private var wrong: [Float] = []
    private var inPhotos: [Float] = []
    private var photos = 0
    private var times: [Double] = []

    /// The mean distance of the corners, whichever corner each quad starts from, as a part of the mean side of `truth`.
    static func error(_ quad: PlanarQuad, _ truth: PlanarQuad) -> Double {
        let sides = truth.sides
        return distance(quad, truth) / max((sides.width + sides.height) / 2, 1)
    }

    static func distance(_ quad: PlanarQuad, _ truth: PlanarQuad) -> Double {
        let corners = truth.corners
        var least = Double.infinity
        for own in [quad.corners, quad.corners.reversed()] {
            for shift in 0..<4 {
                var sum = 0.0
                for index in 0..<4 { sum += own[(index + shift) % 4].distance(to: corners[index]) }
                least = min(least, sum / 4)
            }
        }
        return least
    }

    mutating func add(
        _ scene: RectangleScene, _ found: [(quad: PlanarQuad, confidence: Float)], milliseconds: Double
    ) {
        times.append(milliseconds)
        for rectangle in scene.rectangles where rectangle.isWanted {
            let best = found.min { Self.error($0.quad, rectangle.quad) < Self.error($1.quad, rectangle.quad) }
            wanted.append(
                (
                    rectangle, best.map { Self.error($0.quad, rectangle.quad) } ?? .infinity,
                    best.map { Self.distance($0.quad, rectangle.quad) } ?? .infinity, best?.confidence ?? 0
                ))
        }
        for result in found where !scene.rectangles.contains(where: { Self.error(result.quad, $0.quad) < 0.1 }) {
            wrong.append(result.confidence)
        }
    }

    mutating func add(photo found: [(quad: PlanarQuad, confidence: Float)]) {
        photos += 1
        inPhotos += found.map(\.confidence)
    }

    func rows(_ confidences: [Float]) -> [String] {
        let count = Double(max(wanted.count, 1))
        let right = wanted.filter { $0.error <= 0.02 }
        let error = percentile(0.5, ofSorted: right.map(\.pixels).sorted())
        var rows = [
            String(
                format: "%d scenes, %d photos; found %.3f, near %.3f, error %.3f px, %.1f ms", wanted.count, photos,
                Double(right.count) / count, Double(wanted.count { $0.error <= 0.05 }) / count, error,
                percentile(0.5, ofSorted: times.sorted()))
        ]
        rows.append("confidence   found   false  photos")
        for least in confidences {
            let numbers = [
                Double(right.count { $0.confidence >= least }) / count,
                Double(wrong.count { $0 >= least }) / Double(max(times.count, 1)),
                Double(inPhotos.count { $0 >= least }) / Double(max(photos, 1)),
            ]
            rows.append(String(format: "%10.1f", least) + numbers.map { String(format: "  %6.3f", $0) }.joined())
        }
        return rows + kinds
    }

    /// The share of those found within 2 %, by what they are.
    private var kinds: [String] {
        func row(_ name: String, _ isOne: (RectangleScene.Rectangle) -> Bool) -> String {
            let all = wanted.filter { isOne($0.rectangle) }
            let found = Double(all.count { $0.error <= 0.02 }) / Double(max(all.count, 1))
            return String(format: "%@: %.3f of %d", name, found, all.count)
        }
        func isPaper(_ rectangle: RectangleScene.Rectangle) -> Bool { [.page, .card].contains(rectangle.kind) }
        return [row("pages and cards", isPaper), row("those without a finger") { isPaper($0) && $0.seen == 1 }]
            + RectangleScene.Kind.allCases.map { kind in row(kind.rawValue) { $0.kind == kind } }
            + [row("covered in part") { $0.seen < 1 }, row("tilted by 45 degrees or more") { $0.tilt >= 45 }]
    }
}
