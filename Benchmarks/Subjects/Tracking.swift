import Vision
import VisionImage

/// Trackers of several targets in one video, as a user of Vision runs them: one request a target, all in one perform.
final class VideoTracker {
    private let handler = VNSequenceRequestHandler()
    private var observations: [VNDetectedObjectObservation]
    private let level: VNRequestTrackingLevel
    /// nil: the default one.
    private let revision: Int?

    init(
        boxes: [PixelRegion], width: Int, height: Int, level: VNRequestTrackingLevel = .fast, revision: Int? = 1
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

    /// Follows the targets into the next frame. One that no request finds keeps its last box with confidence 0.
    func advance(to frame: CVPixelBuffer) throws -> [(box: PixelRegion, confidence: Double)] {
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
            let found = observations[index].boundingBox
            let box = PixelRegion(
                x: found.minX * width, y: (1 - found.maxY) * height, width: found.width * width,
                height: found.height * height)
            return (box, result.map { Double($0.confidence) } ?? 0)
        }
    }
}

enum Tracking {
    static var benchmarks: [Benchmark] {
        Kind.allCases.flatMap { kind in
            [32, 64, 128].flatMap { size in
                // Sixteen of the largest do not fit into the frame beside each other.
                (size < 128 ? [1, 4, 16] : [1, 4]).map { several(kind, size: size, objects: $0) }
            } + [32, 64].map { sixteen(kind, size: $0) }
        } + [
            pair("one-handler") { [VideoTracker(boxes: $0, width: 1920, height: 1080)] },
            pair("two-handlers") { $0.map { VideoTracker(boxes: [$0], width: 1920, height: 1080) } },
        ]
    }

    private enum Kind: String, CaseIterable {
        case fast, accurate, learned

        func tracker(of boxes: [PixelRegion]) -> VideoTracker {
            VideoTracker(
                boxes: boxes, width: 640, height: 480, level: self == .accurate ? .accurate : .fast,
                revision: self == .learned ? VNTrackObjectRequestRevision2 : VNTrackObjectRequestRevision1)
        }
    }

    private static func several(_ kind: Kind, size: Int, objects: Int) -> Benchmark {
        let name = kind.rawValue
        let targets = "\(objects)-" + (objects == 1 ? "target" : "targets")
        return Benchmark(name: "tracking/\(name)/\(size)x\(size)/\(targets)", unit: .frame) { inputs in
            let scene = inputs.scene(640, 480, objects: objects, size: size)
            let frames = try scene.frames.map { try PixelBuffers.bgra($0) }
            let tracker = kind.tracker(of: scene.boxes[0])
            var index = 0
            var overlap = 0.0
            var count = 0.0
            keep(try tracker.advance(to: frames[0]))
            return .init(counters: { ["mean overlap with the truth": overlap / max(1, count)] }) {
                index = (index + 1) % frames.count
                for (target, truth) in zip(try tracker.advance(to: frames[index]), scene.boxes[index]) {
                    overlap += target.box.intersectionOverUnion(with: truth)
                    count += 1
                }
            }
        }
    }

    /// A frame with sixteen targets and with each of them alone, alternating; below the line what sixteen cost
    /// (`BatchCost`).
    private static func sixteen(_ kind: Kind, size: Int) -> Benchmark {
        Benchmark(name: "tracking/\(kind.rawValue)/\(size)x\(size)/16-against-1", unit: .frame) { inputs in
            let scene = inputs.scene(640, 480, objects: 16, size: size)
            let frames = scene.frames.map(\.bgra)
            let all = kind.tracker(of: scene.boxes[0])
            // In rotation, so that the result is not that of a single target.
            let alone = scene.boxes[0].map { kind.tracker(of: [$0]) }
            let apart = scene.boxes[0].map { kind.tracker(of: [$0]) }
            for tracker in [all] + alone + apart { keep(try tracker.advance(to: PixelBuffers.bgra(scene.frames[0]))) }
            var index = 0
            var cost = BatchCost()
            return .init(counters: { cost.counters }) {
                index = (index + 1) % frames.count
                try cost.add(
                    frames[index], all: { keep(try all.advance(to: $0)) },
                    alone: alone.map { tracker in { keep(try tracker.advance(to: $0)) } },
                    apart: apart.map { tracker in { keep(try tracker.advance(to: $0)) } })
            }
        }
    }

    /// Two requests that see the same frame in the same form: the handler that has both converts it once.
    private static func pair(_ name: String, _ make: @escaping ([PixelRegion]) -> [VideoTracker]) -> Benchmark {
        Benchmark(name: "tracking/two-requests-\(name)/1920x1080", unit: .frame) { inputs in
            let scene = inputs.scene(1920, 1080, objects: 2, size: 64)
            let frames = try scene.frames.prefix(8).map { try PixelBuffers.bgra($0) }
            let step = try roundTrip(frames, make(scene.boxes[0]))
            return .init { keep(try step()) }
        }
    }

    /// A step advances all trackers by a frame: forwards through the frames, then backwards, so that nothing jumps.
    private static func roundTrip(
        _ frames: [CVPixelBuffer], _ trackers: [VideoTracker]
    ) throws -> () throws -> [(box: PixelRegion, confidence: Double)] {
        let path = Array(frames.indices) + frames.indices.dropFirst().dropLast().reversed()
        var step = 0
        for tracker in trackers { keep(try tracker.advance(to: frames[0])) }
        return {
            step = (step + 1) % path.count
            return try trackers.flatMap { try $0.advance(to: frames[path[step]]) }
        }
    }

    static var cases: [ServedCase] {
        [
            // Loops through a video that ends where it begins. Answers the number of the frame, then the box.
            ServedCase(name: "tracking-one") { file, parameters in
                let raw = try RawFile(path: file)
                let frames = try raw.frames.map { try PixelBuffers.make($0, of: raw) }
                let tracker = VideoTracker(
                    boxes: try boxes(parameters), width: raw.width, height: raw.height,
                    level: parameters["level"] == "accurate" ? .accurate : .fast,
                    revision: VNTrackObjectRequestRevision1)
                keep(try tracker.advance(to: frames[0]))
                var index = 0
                return {
                    index = (index + 1) % frames.count
                    let found = try tracker.advance(to: frames[index])[0]
                    return [
                        Double(index), found.box.x, found.box.y, found.box.width, found.box.height, found.confidence,
                    ]
                }
            },
            // Several targets in one video, played forwards and backwards, in one handler together or in one each.
            ServedCase(name: "trackers-one-handler") { file, parameters in
                let raw = try RawFile(path: file)
                let tracker = VideoTracker(boxes: try boxes(parameters), width: raw.width, height: raw.height)
                let step = try roundTrip(try raw.frames.map { try PixelBuffers.make($0, of: raw) }, [tracker])
                return { try step().map(\.confidence) }
            },
            ServedCase(name: "trackers-two-handlers") { file, parameters in
                let raw = try RawFile(path: file)
                let trackers = try boxes(parameters).map {
                    VideoTracker(boxes: [$0], width: raw.width, height: raw.height)
                }
                let step = try roundTrip(try raw.frames.map { try PixelBuffers.make($0, of: raw) }, trackers)
                return { try step().map(\.confidence) }
            },
        ]
    }

    /// "x,y,w,h" of each target, one after the other.
    private static func boxes(_ parameters: [String: String]) throws -> [PixelRegion] {
        let numbers = (parameters["boxes"] ?? "").split(separator: ",").compactMap { Double($0) }
        guard !numbers.isEmpty, numbers.count % 4 == 0 else {
            throw ServedCase.Unknown(description: "tracking needs boxes x,y,w,h")
        }
        return stride(from: 0, to: numbers.count, by: 4).map {
            PixelRegion(x: numbers[$0], y: numbers[$0 + 1], width: numbers[$0 + 2], height: numbers[$0 + 3])
        }
    }
}
