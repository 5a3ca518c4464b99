import Foundation
import Vision

/// swift run -c release TrackingApp frames/ accurate 0.4,0.5,0.1,0.2 …
@main
struct TrackingApp {
    static func main() {
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            let files = try FileManager.default.contentsOfDirectory(
                at: arguments.folder, includingPropertiesForKeys: nil
            ).sorted { $0.lastPathComponent < $1.lastPathComponent }
            let frames = files.lazy.compactMap(pixels)
            switch arguments.targets {
            case .picked(let targets): try follow(targets, through: frames, level: arguments.level)
            case .face: try followFace(through: frames, level: arguments.level)
            }
        } catch let error as Arguments.InvalidArguments {
            print(error.localizedDescription)
            exit(64)
        } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }

    private static func follow(
        _ targets: [VNDetectedObjectObservation], through frames: some Sequence<CVPixelBuffer>,
        level: VNRequestTrackingLevel
    ) throws {
        let tracker = VisionTracker(targets: targets, level: level, revision: VNTrackObjectRequestRevision1)
        var number = 0
        let failure = tracker.track(frames) { _, drawing in
            for (index, target) in targets.enumerated() {
                guard let drawn = drawing[target.uuid] else { continue }
                let corners = drawn.corners.map { String(format: "%.4f,%.4f", $0.x, $0.y) }.joined(separator: " ")
                print(number, index, drawn.style, String(format: "%.2f", drawn.confidence), corners)
            }
            number += 1
        }
        if let failure { throw failure }
    }

    private static func followFace(
        through frames: some Sequence<CVPixelBuffer>, level: VNRequestTrackingLevel
    ) throws {
        let track = try Redetection(find: Redetection.face).track(frames, level: level)
        for (number, box) in track.enumerated() {
            guard let box else { continue }
            print(number, String(format: "%.4f,%.4f,%.4f,%.4f", box.minX, box.minY, box.width, box.height))
        }
    }

    /// Returns the frame of a file; nil for files that are not images.
    private static func pixels(of file: URL) -> CVPixelBuffer? {
        guard let image = CIImage(contentsOf: file) else { return nil }
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(
            nil, Int(image.extent.width), Int(image.extent.height), kCVPixelFormatType_32BGRA, nil, &buffer)
        if let buffer { CIContext().render(image, to: buffer) }
        return buffer
    }
}
