import Vision

/// Homographic registration as a user of Vision does it.
enum Homographies {
    struct Found {
        fileprivate(set) var warp: matrix_float3x3
        fileprivate(set) var confidence: Double
        fileprivate(set) var milliseconds: Double

        /// Where a point of the floating image lies in the reference; both with y up.
        func apply(x: Double, y: Double) -> (x: Double, y: Double) {
            func row(_ row: Int) -> Double {
                Double(warp[0, row]) * x + Double(warp[1, row]) * y + Double(warp[2, row])
            }
            return (row(0) / row(2), row(1) / row(2))
        }

        /// By rows.
        var elements: [Double] { (0..<3).flatMap { row in (0..<3).map { Double(warp[$0, row]) } } }
    }

    static func register(_ floating: CVPixelBuffer, onto reference: CVPixelBuffer) throws -> Found {
        let start = nanoseconds()
        let request = VNHomographicImageRegistrationRequest(targetedCVPixelBuffer: floating)
        try VNImageRequestHandler(cvPixelBuffer: reference).perform([request])
        let elapsed = Double(nanoseconds() - start) / 1e6
        guard let result = request.results?.first else { throw Registration.NoResult() }
        return Found(
            warp: result.warpTransform, confidence: Double(result.confidence), milliseconds: elapsed)
    }

    static var benchmarks: [Benchmark] {
        [(640, 480), (1920, 1080)].flatMap { width, height in
            [
                Benchmark(name: "homography/small-motion/\(width)x\(height)") { inputs in
                    let whole = try inputs.image(width + 64, height + 64)
                    let frames = try [(0, 0), (9, 3)].map { x, y in
                        let cut = whole.cropped(x: x, y: y, width: width, height: height)
                        return try PixelBuffers.grey(cut.grey, width: width, height: height)
                    }
                    return .init { keep(try register(frames[1], onto: frames[0]).warp) }
                },
                // Upside down: nothing but features finds it.
                Benchmark(name: "homography/features/\(width)x\(height)") { inputs in
                    let grey = try inputs.image(width, height).grey
                    let reference = try PixelBuffers.grey(grey, width: width, height: height)
                    let floating = try PixelBuffers.grey(Array(grey.reversed()), width: width, height: height)
                    return .init { keep(try register(floating, onto: reference).warp) }
                },
            ]
        }
    }

    static var cases: [ServedCase] {
        [
            // The second frame of the file onto the first; answers the warp's rows and the confidence.
            ServedCase(name: "homography-pair") { file, _ in
                let raw = try RawFile(path: file)
                let frames = try raw.frames.map { try PixelBuffers.make($0, of: raw) }
                return {
                    let found = try register(frames[frames.count - 1], onto: frames[0])
                    return found.elements + [found.confidence]
                }
            }
        ]
    }
}
