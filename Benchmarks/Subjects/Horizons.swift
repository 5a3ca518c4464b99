import Vision
import VisionImage

/// Horizon detection in frames: of the scene, and of a street with many straight edges.
enum Horizons {
    static var benchmarks: [Benchmark] {
        [(640, 480), (1920, 1080)].flatMap { width, height in
            [
                Benchmark(name: "horizon/photo/\(width)x\(height)", unit: .frame) { inputs in
                    frame(try PixelBuffers.bgra(try inputs.image(width, height)))
                },
                Benchmark(name: "horizon/street/\(width)x\(height)", unit: .frame) { _ in
                    var random = SplitMix64(seed: 3)
                    let scene = HorizonScene(.street, roll: 0.1, &random)
                    let grey = scene.grey(width: width, height: height, &random)
                    return frame(try PixelBuffers.grey(grey, width: width, height: height))
                },
            ]
        }
    }

    private static func frame(_ buffer: CVPixelBuffer) -> Benchmark.Body {
        let request = VNDetectHorizonRequest()
        return .init(counters: { ["found": Double(request.results?.count ?? -1)] }) {
            try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
        }
    }
}
