import Vision

/// The format of a video, known before its frames are read.
struct VideoFormat: Equatable {
    /// The size of the upright frames in pixels.
    var width: Int
    var height: Int
    /// Frames per second.
    var rate: Ratio
    /// The ratio of a pixel's width to its height.
    var pixelAspect = Ratio(1, 1)
    /// The number of frames in the header, if it has one. It may be wrong.
    var statedFrameCount: Int?
}

/// A rational number, such as a frame rate (30000/1001).
struct Ratio: Equatable {
    var numerator: Int
    var denominator: Int

    init(_ numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    var value: Double { Double(numerator) / Double(denominator) }
}

/// A sequence of frames: a video, or a folder of images.
protocol FrameSource: AnyObject {
    var path: String { get }
    var format: VideoFormat { get }
    /// Problems that did not end the video, to be shown to the user.
    var warnings: [String] { get }

    /// Skips a frame without converting it to a buffer. Returns false after the last one.
    func skip() throws -> Bool
    /// Returns the next frame, upright, in the pixel format that costs least; nil after the last.
    func next() throws -> CVPixelBuffer?
    /// The presentation time of the frame that `next` returned last, in seconds from the first frame of the video.
    var currentTime: Double { get }
    /// Returns the frame that `next` returned last, as 32BGRA pixels that the caller may draw on.
    func currentFrameForDrawing() throws -> CVPixelBuffer
}

extension CVPixelBuffer {
    /// Creates a buffer of zeros.
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
