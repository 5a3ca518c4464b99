import Vision
import VisionVideo

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

extension VideoDecoder: FrameSource {}
