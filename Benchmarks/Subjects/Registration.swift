import Vision

/// Registration as a user of Vision does it.
enum Registration {
    struct Found {
        /// How far the floating image's content lies to the right of and below the reference's, in pixels.
        let shift: (x: Double, y: Double)
        let confidence: Double
    }

    struct NoResult: Error, CustomStringConvertible {
        let description = "a registration request ended without a result"
    }

    static func register(
        _ floating: CVPixelBuffer, onto reference: CVPixelBuffer, with handler: VNSequenceRequestHandler? = nil
    ) throws -> Found {
        let request = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: floating)
        try (handler ?? VNSequenceRequestHandler()).perform([request], on: reference)
        guard let result = request.results?.first else { throw NoResult() }
        // The transform moves the floating image onto the reference, y upwards.
        let transform = result.alignmentTransform
        return Found(shift: (-transform.tx, transform.ty), confidence: Double(result.confidence))
    }

    static var benchmarks: [Benchmark] {
        [(640, 480), (1280, 720), (1920, 1080)].flatMap { width, height in
            [
                // The camera pans; each frame is registered onto the one before, whose spectrum the handler keeps.
                Benchmark(name: "registration/sequence/\(width)x\(height)", unit: .frame) { inputs in
                    let frames = try panningFrames(inputs, width, height)
                    let handler = VNSequenceRequestHandler()
                    var index = 0
                    return .init {
                        let previous = frames[index % frames.count]
                        index += 1
                        keep(try register(frames[index % frames.count], onto: previous, with: handler).shift)
                    }
                },
                Benchmark(name: "registration/sequence-bgra/\(width)x\(height)", unit: .frame) { inputs in
                    let frames = try panningFrames(inputs, width, height) { try PixelBuffers.bgra($0) }
                    let handler = VNSequenceRequestHandler()
                    var index = 0
                    return .init {
                        let previous = frames[index % frames.count]
                        index += 1
                        keep(try register(frames[index % frames.count], onto: previous, with: handler).shift)
                    }
                },
                Benchmark(name: "registration/pair/\(width)x\(height)") { inputs in
                    let frames = try panningFrames(inputs, width, height)
                    return .init { keep(try register(frames[1], onto: frames[0]).shift) }
                },
            ]
        }
    }

    static var cases: [ServedCase] {
        [
            // Frame after frame, the first again after the last; answers the shift since the frame before.
            ServedCase(name: "registration-sequence") { file, _ in
                let raw = try RawFile(path: file)
                let frames = try raw.frames.map { try PixelBuffers.make($0, of: raw) }
                let handler = VNSequenceRequestHandler()
                var index = 0
                return {
                    let previous = frames[index]
                    index = (index + 1) % frames.count
                    let shift = try register(frames[index], onto: previous, with: handler).shift
                    return [shift.x, shift.y]
                }
            },
            // The second frame of the file onto the first.
            ServedCase(name: "registration-pair") { file, _ in
                let raw = try RawFile(path: file)
                let frames = try raw.frames.map { try PixelBuffers.make($0, of: raw) }
                return {
                    let found = try register(frames[frames.count - 1], onto: frames[0])
                    return [found.shift.x, found.shift.y, found.confidence]
                }
            },
        ]
    }

    /// Eight frames of video, cut from a larger image along a closed path.
    private static func panningFrames(
        _ inputs: Inputs, _ width: Int, _ height: Int,
        as make: (RGBImage) throws -> CVPixelBuffer = {
            try PixelBuffers.grey($0.grey, width: $0.width, height: $0.height)
        }
    ) throws -> [CVPixelBuffer] {
        let whole = try inputs.image(width + 64, height + 64)
        let path = [(0, 0), (9, 3), (25, 10), (41, 30), (64, 64), (50, 61), (31, 40), (12, 17)]
        return try path.map { x, y in
            try make(whole.cropped(x: x, y: y, width: width, height: height))
        }
    }
}
