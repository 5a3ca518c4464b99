import ArgumentParser
import Foundation
import Vision
import VisionAlgorithms
import VisionImage

/// Tracks for a long time and reports the memory of the process.
struct TrackingMemoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracking-memory",
        abstract: "Track through many frames and print the memory of the process.",
        discussion: """
            Four targets in frames of 160x120 (rectangles: 320x240), in two handlers, alternating. Each target's track \
            ends with its last frame after 38, 43, 48 or 53 frames, and a new one starts in the next frame. In three \
            frames of a hundred the targets are gone. Every 501 frames a handler is dropped with its trackers in it.

            Two figures: the resident memory, and its anonymous part. The rest is the program and its libraries, whose \
            pages the system drops when it needs memory.
            """)

    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case fast, accurate, learned
        case fastRectangles = "fast-rectangles"
        case accurateRectangles = "accurate-rectangles"

        fileprivate var isRectangle: Bool { self == .fastRectangles || self == .accurateRectangles }
    }

    @Option(help: ArgumentHelp("How many frames.", valueName: "count"))
    var frames = 100_000

    @Option(help: "What tracks: \(Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var tracker = Kind.fast

    func validate() throws {
        guard frames > 0 else { throw ValidationError("--frames must be above 0") }
    }

    func run() throws {
        let (width, height) = tracker.isRectangle ? (320, 240) : (160, 120)
        let targets = 4
        let scene = Scene(
            width: width, height: height, objects: targets, size: tracker.isRectangle ? 60 : 24, frames: 50, seed: 5)
        let video = try scene.frames.map { try PixelBuffers.bgra($0) }
        let empty = try PixelBuffers.bgra(RGBImage.texture(width: width, height: height, seed: 99))
        var handlers = [VNSequenceRequestHandler(), VNSequenceRequestHandler()]
        /// For each handler the last observation of each target, nil between tracks.
        var tracks = handlers.map { _ in [VNDetectedObjectObservation?](repeating: nil, count: targets) }
        let lines = Set([1000] + (1...10).map { frames * $0 / 10 })
        print("frames  resident KiB  without files")
        for frame in 0..<frames {
            let handler = frame % 2, index = frame / 2
            if frame % 501 == 500 {
                handlers[handler] = VNSequenceRequestHandler()
                tracks[handler] = tracks[handler].map { _ in nil }
            }
            let requests = (0..<targets).map { target in
                let request = request(
                    tracks[handler][target]
                        ?? start(at: scene.boxes[index % video.count][target], width: width, height: height))
                request.isLastFrame = index % (38 + 5 * target) == 37 + 5 * target
                return request
            }
            try handlers[handler].perform(requests, on: index % 100 >= 97 ? empty : video[index % video.count])
            for (target, request) in requests.enumerated() {
                let found = request.results?.first as? VNDetectedObjectObservation
                tracks[handler][target] = request.isLastFrame ? nil : found
            }
            if lines.contains(frame + 1) {
                print(frame + 1, try kibibytes("VmRSS"), try kibibytes("RssAnon"), separator: "  ")
                fflush(nil)
            }
        }
    }

    private func start(at box: PixelRegion, width: Int, height: Int) -> VNDetectedObjectObservation {
        let (width, height) = (Double(width), Double(height))
        let box = CGRect(
            x: box.x / width, y: 1 - (box.y + box.height) / height, width: box.width / width,
            height: box.height / height)
        return tracker.isRectangle
            ? VNRectangleObservation(boundingBox: box) : VNDetectedObjectObservation(boundingBox: box)
    }

    private func request(_ input: VNDetectedObjectObservation) -> VNTrackingRequest {
        let request: VNTrackingRequest
        if let rectangle = input as? VNRectangleObservation {
            request = VNTrackRectangleRequest(rectangleObservation: rectangle)
        } else {
            let object = VNTrackObjectRequest(detectedObjectObservation: input)
            object.revision = tracker == .learned ? VNTrackObjectRequestRevision2 : VNTrackObjectRequestRevision1
            request = object
        }
        request.trackingLevel = tracker == .accurate || tracker == .accurateRectangles ? .accurate : .fast
        return request
    }

    private func kibibytes(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard let size = line.flatMap({ Int($0.split(whereSeparator: \.isWhitespace).dropFirst().first ?? "") }) else {
            throw NoMemoryFigure(name: name)
        }
        return size
    }
}

private struct NoMemoryFigure: Error, CustomStringConvertible {
    let name: String
    var description: String {
        "the system does not say how much memory the process has: no \(name) in /proc/self/status"
    }
}
