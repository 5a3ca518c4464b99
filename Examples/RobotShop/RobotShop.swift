import CoreML
import Foundation
import Vision

/// swift run -c release RobotShop frames/ [Parts.mlmodel | Parts/]
@main
struct RobotShop {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard (1...2).contains(arguments.count) else {
            print("usage: RobotShop FOLDER-OF-FRAMES [MODEL | FOLDER-OF-PHOTOS]")
            print(
                "From photos, in a folder for each part, a classifier is trained first and written beside their folder."
            )
            exit(64)
        }
        do {
            let model = try arguments.dropFirst().first.map { path -> VNCoreMLModel in
                let url = URL(fileURLWithPath: path)
                guard try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true else {
                    return try VNCoreMLModel(for: MLModel(contentsOf: url))
                }
                return try Retraining(photos: url, model: url.appendingPathExtension("mlmodel")).run()
            }
            let shop = Shop(model: model) { finding in
                if let part = finding.part { print("this is: \(part)") }
                if let barcode = finding.barcode { print("the code says: \(barcode)") }
            }
            let folder = URL(fileURLWithPath: arguments[0])
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .sorted { $0.lastPathComponent < $1.lastPathComponent }
            for file in files {
                guard let frame = pixels(of: file) else { continue }
                shop.captured(frame, orientation: .up)
                // A camera gives thirty frames a second.
                Thread.sleep(forTimeInterval: 1.0 / 30)
            }
            shop.finish()
        } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }

    /// Returns the frame of a file; nil for files that are not images.
    static func pixels(of file: URL) -> CVPixelBuffer? {
        guard let image = CIImage(contentsOf: file) else { return nil }
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(
            nil, Int(image.extent.width), Int(image.extent.height), kCVPixelFormatType_32BGRA, nil, &buffer)
        if let buffer { CIContext().render(image, to: buffer) }
        return buffer
    }
}
