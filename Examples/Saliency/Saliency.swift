import Foundation
import Vision

/// swift run -c release Saliency photo.jpg attention mask.png crop.png
@main
struct Saliency {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 4, let kind = SaliencyViewer.Kind(rawValue: arguments[1]) else {
            print("usage: Saliency PHOTO attention|objectness MASK CROP")
            exit(64)
        }
        let photo = URL(fileURLWithPath: arguments[0])
        guard let source = CGImageSourceCreateWithURL(photo as CFURL, nil),
            let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
        else {
            print("\(arguments[0]) is not an image.")
            exit(1)
        }
        do {
            let viewer = try SaliencyViewer(image: image, kind: kind)
            for (picture, path) in [(viewer.masked(), arguments[2]), (viewer.cropped(), arguments[3])] {
                guard let picture, write(picture, to: URL(fileURLWithPath: path)) else {
                    print("\(path) could not be written.")
                    exit(1)
                }
            }
            for object in viewer.observation.salientObjects ?? [] {
                let box = object.boundingBox
                print(String(format: "%.3f,%.3f,%.3f,%.3f", box.minX, box.minY, box.width, box.height))
            }
        } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }

    private static func write(_ image: CGImage, to url: URL) -> Bool {
        guard let file = CGImageDestinationCreateWithURL(url as CFURL, "public.png" as CFString, 1, nil) else {
            return false
        }
        CGImageDestinationAddImage(file, image, nil)
        return CGImageDestinationFinalize(file)
    }
}
