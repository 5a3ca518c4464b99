import Foundation
import Vision

/// swift run -c release TrackingApp frames/ accurate 0.4,0.5,0.1,0.2 …
@main
struct TrackingApp {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count > 2, arguments[1] == "fast" || arguments[1] == "accurate" else {
            print("usage: TrackingApp FOLDER-OF-FRAMES fast|accurate X,Y,WIDTH,HEIGHT…")
            print(
                "Boxes are fractions of the picture, origin at the lower left. Eight numbers are the corners of a rectangle:"
            )
            print("top left, top right, bottom right, bottom left.")
            exit(64)
        }
        let things = arguments.dropFirst(2).compactMap { text -> VNDetectedObjectObservation? in
            let numbers = text.split(separator: ",").compactMap { Double($0) }
            if numbers.count == 8 {
                let corners = (0..<4).map { CGPoint(x: numbers[2 * $0], y: numbers[2 * $0 + 1]) }
                return VNRectangleObservation(
                    requestRevision: VNTrackRectangleRequestRevision1, topLeft: corners[0], topRight: corners[1],
                    bottomRight: corners[2], bottomLeft: corners[3])
            }
            guard numbers.count == 4 else { return nil }
            return VNDetectedObjectObservation(
                boundingBox: CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        }
        do {
            let folder = URL(fileURLWithPath: arguments[0])
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .sorted { $0.lastPathComponent < $1.lastPathComponent }
            let tracker = VisionTracker(
                things: things, level: arguments[1] == "fast" ? .fast : .accurate,
                revision: VNTrackObjectRequestRevision1)
            let failure = tracker.track(files.lazy.compactMap(pixels)) { _, drawing in
                for thing in things {
                    guard let drawn = drawing[thing.uuid] else { continue }
                    print(thing.uuid, drawn.style, drawn.confidence, drawn.corners.map { "\($0.x),\($0.y)" })
                }
            }
            if let failure { throw failure }
        } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }

    /// The frame of a file; nil for files that are no images.
    private static func pixels(of file: URL) -> CVPixelBuffer? {
        guard let image = CIImage(contentsOf: file) else { return nil }
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(
            nil, Int(image.extent.width), Int(image.extent.height), kCVPixelFormatType_32BGRA, nil, &buffer)
        if let buffer { CIContext().render(image, to: buffer) }
        return buffer
    }
}
