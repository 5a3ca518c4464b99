import Vision
import VisionAlgorithms
import VisionImage

/// Tracking of rectangles: squares that move back and forth in a video.
enum Rectangles {
    static var benchmarks: [Benchmark] {
        [VNRequestTrackingLevel.fast, .accurate].flatMap { level in
            [64, 192].flatMap { size in
                // Sixteen of the larger ones do not fit into the frame beside each other.
                (size < 192 ? [1, 4, 16] : [1, 4]).map { several(level, size: size, count: $0) }
            } + [sixteen(level, size: 64)]
        }
    }

    /// Trackers of several rectangles in one video: one request a rectangle, all in one perform.
    private final class Tracks {
        private let handler = VNSequenceRequestHandler()
        private let level: VNRequestTrackingLevel
        private var observations: [VNRectangleObservation]
        /// The sum of the distances of the corners at the upper left from the truth, and how many there were.
        private(set) var error = (sum: 0.0, count: 0.0)

        init(_ boxes: [PixelRegion], _ level: VNRequestTrackingLevel) {
            self.level = level
            observations = boxes.map { box in
                VNRectangleObservation(
                    boundingBox: CGRect(
                        x: box.x / 640, y: 1 - (box.y + box.height) / 480, width: box.width / 640,
                        height: box.height / 480))
            }
        }

        func advance(to frame: CVPixelBuffer, truth: [PixelRegion]) throws {
            let requests = observations.map { observation in
                let request = VNTrackRectangleRequest(rectangleObservation: observation)
                request.trackingLevel = level
                return request
            }
            try handler.perform(requests, on: frame)
            for (target, request) in requests.enumerated() {
                guard let result = request.results?.first else { continue }
                observations[target] = result
                let (dx, dy) = (
                    result.topLeft.x * 640 - truth[target].x, (1 - result.topLeft.y) * 480 - truth[target].y
                )
                error.sum += (dx * dx + dy * dy).squareRoot()
                error.count += 1
            }
        }
    }

    private static func name(_ level: VNRequestTrackingLevel, _ size: Int, _ what: String) -> String {
        "rectangles/\(level == .fast ? "fast" : "accurate")/\(size)x\(size)/\(what)"
    }

    private static func several(_ level: VNRequestTrackingLevel, size: Int, count: Int) -> Benchmark {
        let targets = "\(count)-" + (count == 1 ? "rectangle" : "rectangles")
        return Benchmark(name: name(level, size, targets), unit: .frame) { inputs in
            let scene = inputs.scene(640, 480, objects: count, size: size)
            let frames = try scene.frames.map { try PixelBuffers.bgra($0) }
            let tracks = Tracks(scene.boxes[0], level)
            try tracks.advance(to: frames[0], truth: scene.boxes[0])
            var index = 0
            return .init(counters: { ["mean error of a corner, px": tracks.error.sum / max(1, tracks.error.count)] }) {
                index = (index + 1) % frames.count
                try tracks.advance(to: frames[index], truth: scene.boxes[index])
            }
        }
    }

    /// A frame with sixteen rectangles and with each of them alone, alternating; below the line what sixteen cost
    /// (`BatchCost`).
    private static func sixteen(_ level: VNRequestTrackingLevel, size: Int) -> Benchmark {
        Benchmark(name: name(level, size, "16-against-1"), unit: .frame) { inputs in
            let scene = inputs.scene(640, 480, objects: 16, size: size)
            let frames = scene.frames.map(\.bgra)
            let all = Tracks(scene.boxes[0], level)
            let alone = scene.boxes[0].map { Tracks([$0], level) }, apart = scene.boxes[0].map { Tracks([$0], level) }
            let first = try PixelBuffers.bgra(scene.frames[0])
            try all.advance(to: first, truth: scene.boxes[0])
            for (tracks, box) in zip(alone + apart, scene.boxes[0] + scene.boxes[0]) {
                try tracks.advance(to: first, truth: [box])
            }
            var index = 0
            var cost = BatchCost()
            return .init(counters: { cost.counters }) {
                index = (index + 1) % frames.count
                let truth = scene.boxes[index]
                func performs(_ all: [Tracks]) -> [BatchCost.Perform] {
                    zip(all, truth).map { tracks, box in { try tracks.advance(to: $0, truth: [box]) } }
                }
                try cost.add(
                    frames[index], all: { try all.advance(to: $0, truth: truth) },
                    alone: performs(alone), apart: performs(apart))
            }
        }
    }
}
