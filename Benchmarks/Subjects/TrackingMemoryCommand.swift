import ArgumentParser
import Foundation
import Vision

/// Tracks for a long time and says whether the memory of the process stays as it is.
struct TrackingMemoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracking-memory",
        abstract: "Track through many frames and print the memory of the process.",
        discussion: """
            Four targets in 160×120 frames, in runs of 50 frames that end with the last frame; every tenth run drops the \
            handler with its trackers in it instead.
            """)

    @Option(help: ArgumentHelp("How many frames.", valueName: "count"))
    var frames = 100_000

    @Flag(help: "Track at the accurate level.")
    var accurate = false

    func run() throws {
        let scene = Scene(width: 160, height: 120, objects: 4, size: 24, frames: 50, seed: 5)
        let film = try scene.frames.map { try PixelBuffers.bgra($0) }
        let size = CGSize(width: 160, height: 120)
        let starts = scene.boxes[0].map { box in
            CGRect(
                x: box.x / size.width, y: 1 - (box.y + box.height) / size.height, width: box.width / size.width,
                height: box.height / size.height)
        }
        var handler = VNSequenceRequestHandler()
        var done = 0
        let step = max(frames / 10, 1)
        print("frames  resident KiB")
        for run in 0... where done < frames {
            if run % 10 == 0 { handler = VNSequenceRequestHandler() }
            var observations = starts.map { VNDetectedObjectObservation(boundingBox: $0) }
            for index in film.indices {
                let requests = observations.map { observation in
                    let request = VNTrackObjectRequest(detectedObjectObservation: observation)
                    request.revision = VNTrackObjectRequestRevision1
                    request.trackingLevel = accurate ? .accurate : .fast
                    request.isLastFrame = run % 10 != 9 && index == film.count - 1
                    return request
                }
                try handler.perform(requests, on: film[index])
                observations = requests.compactMap { $0.results?.first }
                done += 1
                if done % step == 0 || done == 1000 {
                    print(done, try residentKibibytes(), separator: "  ")
                    fflush(nil)
                }
            }
            if done >= frames { break }
        }
    }

    private func residentKibibytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
    }
}
