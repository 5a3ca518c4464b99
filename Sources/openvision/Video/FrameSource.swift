import Vision

/// What is known of a video before its frames are read.
struct VideoFormat: Equatable {
    /// Size of the upright picture in pixels.
    var width: Int
    var height: Int
    /// Frames a second.
    var rate: Ratio
    /// Width of a pixel over its height.
    var pixelAspect = Ratio(1, 1)
    /// The number of frames that the header states, if it does. Only the end of the video tells the truth.
    var statedFrameCount: Int?
}

/// A fraction of whole numbers, as frame rates are stated (30000/1001).
struct Ratio: Equatable {
    var numerator: Int
    var denominator: Int

    init(_ numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    var value: Double { Double(numerator) / Double(denominator) }
}

/// Frames one after the other: a video, or a folder of images.
protocol FrameSource: AnyObject {
    var path: String { get }
    var format: VideoFormat { get }
    /// What went wrong without ending the video, for the user to know.
    var warnings: [String] { get }

    /// Goes past a frame without making a buffer of it. False after the last.
    func skip() throws -> Bool
    /// The next frame, upright, in whichever pixel format costs least; nil after the last.
    func next() throws -> CVPixelBuffer?
    /// When the frame that `next` gave last is to be shown, in seconds after the first of the video.
    var currentTime: Double { get }
    /// The frame that `next` gave last, as 32BGRA pixels that the caller may paint on.
    func currentFrameForDrawing() throws -> CVPixelBuffer
}

extension CVPixelBuffer {
    /// A new buffer of zeros.
    static func make(width: Int, height: Int, format: OSType, path: String) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        let status = CVPixelBufferCreate(nil, width, height, format, nil, &buffer)
        guard status == kCVReturnSuccess, let buffer else {
            throw VideoError(
                kind: .outOfMemory, path: path, reason: "cannot make a buffer of \(width)×\(height) pixels (\(status))")
        }
        return buffer
    }
}
