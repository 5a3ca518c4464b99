import Foundation
import Vision

/// swift run -c release ReadingApp frames/
@main
struct ReadingApp {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            print("usage: ReadingApp FOLDER-OF-FRAMES")
            exit(64)
        }
        do {
            let folder = URL(fileURLWithPath: CommandLine.arguments[1])
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .sorted { $0.lastPathComponent < $1.lastPathComponent }
            let reader = PhoneReader()
            for (number, file) in files.enumerated() {
                // A frame that cannot be read is dropped, as a camera drops frames.
                guard let frame = pixels(of: file), let phone = try reader.read(frame) else { continue }
                print(number, phone)
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
