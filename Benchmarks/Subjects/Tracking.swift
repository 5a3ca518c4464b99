import Vision

/// Trackers of several targets in one film, as a user of Vision runs them: one request a target, all in one perform.
final class FilmTracker {
    private let handler = VNSequenceRequestHandler()
    private var observations: [VNDetectedObjectObservation]
    private let level: VNRequestTrackingLevel
    private let revision: Int?

    init(
        boxes: [Box], width: Int, height: Int, level: VNRequestTrackingLevel = .fast, revision: Int? = nil
    ) {
        self.level = level
        self.revision = revision
        observations = boxes.map { box in
            VNDetectedObjectObservation(
                boundingBox: CGRect(
                    x: box.x / Double(width), y: 1 - (box.y + box.height) / Double(height),
                    width: box.width / Double(width), height: box.height / Double(height)))
        }
    }

    /// Follows the targets into the next frame. One that no request finds keeps its last place with confidence 0.
    func advance(to frame: CVPixelBuffer) throws -> [(box: Box, confidence: Double)] {
        let requests = observations.map { observation in
            let request = VNTrackObjectRequest(detectedObjectObservation: observation)
            request.trackingLevel = level
            if let revision { request.revision = revision }
            return request
        }
        try handler.perform(requests, on: frame)
        let width = Double(CVPixelBufferGetWidth(frame))
        let height = Double(CVPixelBufferGetHeight(frame))
        return zip(requests, observations.indices).map { request, index in
            let result = request.results?.first
            if let result { observations[index] = result }
            let place = observations[index].boundingBox
            let box = Box(
                x: place.minX * width, y: (1 - place.maxY) * height, width: place.width * width,
                height: place.height * height)
            return (box, result.map { Double($0.confidence) } ?? 0)
        }
    }
}

enum Tracking {
    static var benchmarks: [Benchmark] {
        [(64, 1), (128, 1), (64, 4), (64, 16)].map { size, objects in
            Benchmark(
                name: "tracking/fast/\(size)x\(size)/\(objects)-\(objects == 1 ? "target" : "targets")", unit: .frame
            ) { inputs in
                let scene = inputs.scene(640, 480, objects: objects, size: size)
                let frames = try scene.frames.map { try PixelBuffers.bgra($0) }
                let tracker = FilmTracker(boxes: scene.boxes[0], width: 640, height: 480)
                var index = 0
                var overlap = 0.0
                var count = 0.0
                keep(try tracker.advance(to: frames[0]))
                return .init(counters: { ["mean overlap with the truth": overlap / max(1, count)] }) {
                    index = (index + 1) % frames.count
                    for (target, truth) in zip(try tracker.advance(to: frames[index]), scene.boxes[index]) {
                        overlap += target.box.overlap(with: truth)
                        count += 1
                    }
                }
            }
        }
    }

    static var cases: [ServedCase] {
        [
            // Round and round a film that ends where it begins. Answers the number of the frame, then the box.
            ServedCase(name: "tracking-fast") { file, parameters in
                let raw = try RawFile(path: file)
                let frames = try raw.frames.map { try PixelBuffers.make($0, of: raw) }
                let numbers = (parameters["box"] ?? "").split(separator: ",").compactMap { Double($0) }
                guard numbers.count == 4 else { throw ServedCase.Unknown(description: "tracking needs a box x,y,w,h") }
                let box = Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
                let tracker = FilmTracker(boxes: [box], width: raw.width, height: raw.height)
                keep(try tracker.advance(to: frames[0]))
                var index = 0
                return {
                    index = (index + 1) % frames.count
                    let found = try tracker.advance(to: frames[index])[0]
                    return [
                        Double(index), found.box.x, found.box.y, found.box.width, found.box.height, found.confidence,
                    ]
                }
            }
        ]
    }
}
