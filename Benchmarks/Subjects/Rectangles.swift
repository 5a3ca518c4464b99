import Vision
import VisionAlgorithms

/// Tracking of rectangles: squares that move to and fro in a film.
enum Rectangles {
    static var benchmarks: [Benchmark] {
        [VNRequestTrackingLevel.fast, .accurate].flatMap { level in
            [(64, 1), (192, 1), (64, 16)].map { benchmark(level, size: $0.0, count: $0.1) }
        }
    }

    private static func benchmark(_ level: VNRequestTrackingLevel, size: Int, count: Int) -> Benchmark {
        let name = level == .fast ? "fast" : "accurate"
        let targets = "\(count)-" + (count == 1 ? "rectangle" : "rectangles")
        return Benchmark(name: "rectangles/\(name)/\(size)x\(size)/\(targets)", unit: .frame) { inputs in
            let scene = inputs.scene(640, 480, objects: count, size: size)
            let frames = try scene.frames.map { try PixelBuffers.bgra($0) }
            let handler = VNSequenceRequestHandler()
            var observations = scene.boxes[0].map { box in
                VNRectangleObservation(
                    boundingBox: CGRect(
                        x: box.x / 640, y: 1 - (box.y + box.height) / 480, width: box.width / 640,
                        height: box.height / 480))
            }
            var index = 0
            var error = 0.0
            var sum = 0.0
            func advance() throws {
                let requests = observations.map { observation in
                    let request = VNTrackRectangleRequest(rectangleObservation: observation)
                    request.trackingLevel = level
                    return request
                }
                try handler.perform(requests, on: frames[index])
                for (target, request) in requests.enumerated() {
                    guard let result = request.results?.first else { continue }
                    observations[target] = result
                    let truth = scene.boxes[index][target]
                    let (dx, dy) = (result.topLeft.x * 640 - truth.x, (1 - result.topLeft.y) * 480 - truth.y)
                    error += (dx * dx + dy * dy).squareRoot()
                    sum += 1
                }
            }
            try advance()
            return .init(counters: { ["mean error of a corner, px": error / max(1, sum)] }) {
                index = (index + 1) % frames.count
                try advance()
            }
        }
    }
}
