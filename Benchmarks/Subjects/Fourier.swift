import Foundation

/// The two-dimensional transform of real images.
enum Fourier {
    static var benchmarks: [Benchmark] {
        let sizes = [(64, 64), (128, 128), (256, 256), (512, 512), (640, 480), (1920, 1080)]
        let single = sizes.flatMap { width, height in
            [
                benchmark("forward", width, height) { transform in { transform.forward() } },
                // The inverse overwrites the spectrum: the forward transform that refills it is timed with it.
                benchmark("round-trip", width, height, transforms: 2) { transform in
                    {
                        transform.forward()
                        transform.inverse()
                    }
                },
            ]
        }
        // As in a tracker: the channels of a feature map together.
        let channels = benchmark("forward", 32, 32, count: 31) { transform in { transform.forward() } }
        return single + [channels]
    }

    private static func benchmark(
        _ name: String, _ width: Int, _ height: Int, count: Int = 1, transforms: Int = 1,
        _ run: @escaping (PlannedTransform) -> () -> Void
    ) -> Benchmark {
        let pixels = Double(width * height)
        let size = "\(width)x\(height)" + (count > 1 ? "x\(count)" : "")
        // The usual operation count of a real transform, whatever the implementation does.
        let operations = 2.5 * pixels * log2(pixels) * Double(count * transforms)
        return Benchmark(name: "fft/\(name)/\(size)", operations: operations) { inputs in
            let image = try inputs.image(width, height).grey.map(Float.init)
            let images = Array(repeatElement(image, count: count).joined())
            return .init(run(try PlannedTransform(width: width, height: height, count: count, pixels: images)))
        }
    }

    static var cases: [ServedCase] {
        [
            ServedCase(name: "fft") { file, parameters in
                let raw = try RawFile(path: file)
                guard raw.format == "greyfloat" else { throw ServedCase.Unknown(description: "fft needs floats") }
                let pixels = raw.frames[0].withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
                let transform = try PlannedTransform(width: raw.width, height: raw.height, pixels: pixels)
                if let output = parameters["output"] {
                    transform.forward()
                    let values = transform.spectrumValues.withUnsafeBytes { Data($0) }
                    try values.write(to: URL(fileURLWithPath: output))
                }
                return {
                    transform.forward()
                    return []
                }
            }
        ]
    }
}
