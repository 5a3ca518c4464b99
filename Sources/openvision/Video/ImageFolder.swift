import Vision
import VisionPhotos
import VisionVideo

/// The images of a folder as the frames of a video, upright, in the natural order of their names.
///
/// All images must have the size of the first.
final class ImageFolder: FrameSource {
    static let extensions = PhotoFile.extensions

    let path: String
    let format: VideoFormat
    let warnings: [String] = []
    private let files: [URL]
    private var position = 0
    private var first: CVPixelBuffer?
    private var current: CVPixelBuffer?

    /// - Parameter rate: The frame rate of a video that is written from the folder.
    /// - Throws: `VideoError` when the folder contains no image, or the first one cannot be read.
    init(path: String, rate: Ratio = Ratio(25, 1)) throws {
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw VideoError(kind: .io, path: path, reason: "the folder cannot be read")
        }
        files =
            names
            .filter {
                !$0.hasPrefix(".") && Self.extensions.contains(URL(fileURLWithPath: $0).pathExtension.lowercased())
            }
            .sorted(by: NaturalOrder.precedes)
            .map { folder.appendingPathComponent($0) }
        guard let file = files.first else {
            throw VideoError(kind: .notAVideo, path: path, reason: "the folder contains no images")
        }
        let frame = try Self.decode(file)
        self.path = path
        first = frame
        format = VideoFormat(
            width: CVPixelBufferGetWidth(frame), height: CVPixelBufferGetHeight(frame), rate: rate,
            statedFrameCount: files.count)
    }

    var currentTime: Double { Double(position - 1) / format.rate.value }

    func skip() throws -> Bool {
        guard position < files.count else { return false }
        position += 1
        first = nil
        current = nil
        return true
    }

    func next() throws -> CVPixelBuffer? {
        current = nil
        guard position < files.count else { return nil }
        let file = files[position]
        let frame = try first ?? Self.decode(file)
        let (width, height) = (CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame))
        guard width == format.width, height == format.height else {
            throw VideoError(
                kind: .damaged, path: file.path,
                reason: "is \(width)×\(height) pixels, the images before it \(format.width)×\(format.height)")
        }
        first = nil
        position += 1
        current = frame
        return frame
    }

    func currentFrameForDrawing() throws -> CVPixelBuffer {
        // No one else uses the pixels of a frame after its analysis.
        guard let current else { throw VideoError(kind: .damaged, path: path, reason: "there is no current frame") }
        return current
    }

    private static func decode(_ file: URL) throws -> CVPixelBuffer {
        guard let source = CGImageSourceCreateWithURL(file, nil),
            let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
        else { throw VideoError(kind: .notAVideo, path: file.path, reason: "is not an image that can be decoded") }
        let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)
        let number = (properties?[kCGImagePropertyOrientation] as? NSNumber)?.uint32Value
        let upright = CIImage(cgImage: image).oriented(
            number.flatMap(CGImagePropertyOrientation.init(rawValue:)) ?? .up)
        let buffer = try CVPixelBuffer.make(
            width: Int(upright.extent.width), height: Int(upright.extent.height), format: kCVPixelFormatType_32BGRA,
            path: file.path)
        CIContext().render(upright, to: buffer)
        return buffer
    }
}
