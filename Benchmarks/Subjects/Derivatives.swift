import VisionImage

/// The derivatives of a handler's image: made on the first request (miss), found on the next (hit).
enum Derivatives {
    private static let width = 1920
    private static let height = 1080

    /// The derivative that an image classifier requests.
    private static var modelInput: Derivative {
        Derivative(
            region: PixelRegion(width: width, height: height), width: 224, height: 224, format: .planarRGBFloat,
            fit: .centerCrop)
    }

    /// The derivative that registration requests.
    private static var fullGrey: Derivative {
        Derivative(region: PixelRegion(width: width, height: height), width: width, height: height, format: .grey8)
    }

    static var benchmarks: [Benchmark] {
        let kinds = [("model-224", modelInput), ("full-grey", fullGrey)]
        return kinds.flatMap { name, derivative in
            [
                Benchmark(name: "derivative/miss-\(name)/\(width)x\(height)") { inputs in
                    let buffer = try PixelBuffers.bgra(try inputs.image(width, height))
                    let total = Total()
                    return .init(counters: total.aCall) {
                        let source = ImageSource(pixelBuffer: buffer)
                        keep(try source.derivative(derivative))
                        total.add(Work(source))
                    }
                },
                Benchmark(name: "derivative/hit-\(name)/\(width)x\(height)") { inputs in
                    let source = ImageSource(pixelBuffer: try PixelBuffers.bgra(try inputs.image(width, height)))
                    keep(try source.derivative(derivative))
                    return .init { keep(try source.derivative(derivative)) }
                },
                Benchmark(name: "derivative/two-in-one-handler-\(name)/\(width)x\(height)") { inputs in
                    let buffer = try PixelBuffers.bgra(try inputs.image(width, height))
                    let total = Total()
                    return .init(counters: total.aCall) { total.add(try oneHandler(buffer, derivative)) }
                },
                Benchmark(name: "derivative/two-in-two-handlers-\(name)/\(width)x\(height)") { inputs in
                    let buffer = try PixelBuffers.bgra(try inputs.image(width, height))
                    let total = Total()
                    return .init(counters: total.aCall) { total.add(try twoHandlers(buffer, derivative)) }
                },
            ]
        }
    }

    private static func oneHandler(_ buffer: CVPixelBuffer, _ derivative: Derivative) throws -> Work {
        let source = ImageSource(pixelBuffer: buffer)
        keep(try source.derivative(derivative))
        keep(try source.derivative(derivative))
        return Work(source)
    }

    private static func twoHandlers(_ buffer: CVPixelBuffer, _ derivative: Derivative) throws -> Work {
        var work = Work()
        for _ in 0..<2 {
            let source = ImageSource(pixelBuffer: buffer)
            keep(try source.derivative(derivative))
            work.add(Work(source))
        }
        return work
    }

    /// The numbers of derivatives that the caches of a call made, and that they found.
    private struct Work {
        var made = 0
        var found = 0

        init() {}

        init(_ source: ImageSource) {
            made = source.statistics.misses
            found = source.statistics.hits
        }

        mutating func add(_ other: Work) {
            made += other.made
            found += other.found
        }
    }

    /// The sum over all calls.
    private final class Total {
        private var calls = 0
        private var sum = Work()

        func add(_ work: Work) {
            calls += 1
            sum.add(work)
        }

        func aCall() -> [String: Double] {
            ["made a call": Double(sum.made) / Double(calls), "found a call": Double(sum.found) / Double(calls)]
        }
    }

    static var cases: [ServedCase] {
        [("derivative-one-handler", oneHandler), ("derivative-two-handlers", twoHandlers)].map { name, run in
            ServedCase(name: name) { file, parameters in
                let raw = try RawFile(path: file)
                let buffer = try PixelBuffers.make(raw.frames[0], of: raw)
                let derivative = parameters["kind"] == "full-grey" ? fullGrey : modelInput
                return {
                    let work = try run(buffer, derivative)
                    return [Double(work.made), Double(work.found)]
                }
            }
        }
    }
}
