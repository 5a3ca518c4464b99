import Foundation
import Vision

/// swift run -c release BreakfastFinder frames/ breakfast.onnx
@main
struct BreakfastFinder {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
        guard arguments.count == 2 else {
            print("usage: BreakfastFinder FOLDER-OF-FRAMES MODEL")
            exit(64)
        }
        do {
            let finder = try ObjectFinder(modelURL: arguments[1])
            let files = try FileManager.default.contentsOfDirectory(
                at: arguments[0], includingPropertiesForKeys: nil
            ).sorted { $0.lastPathComponent < $1.lastPathComponent }
            for (number, file) in files.enumerated() {
                // A frame that cannot be read is dropped, as a camera drops frames.
                guard let frame = pixels(of: file) else { continue }
                for object in try finder.objects(in: frame) {
                    let box = object.bounds
                    print(
                        number, String(format: "%.0f,%.0f,%.0f,%.0f", box.minX, box.minY, box.width, box.height),
                        object.text.replacingOccurrences(of: "\n", with: "  "))
                }
            }
        } catch {
            print(error.localizedDescription)
            exit(1)
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
