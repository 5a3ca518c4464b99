public import VisionImage

/// A frame of a video.
public struct VideoFrame: Sendable {
    /// The pixels, upright: 420v or 420f.
    public let pixelBuffer: CVPixelBuffer
    /// When the frame is shown, in seconds after the first frame of the video.
    public let seconds: Double
    /// The number of the frame in what was decoded, from 0. Discarded frames count.
    public let number: Int
    /// The size and the rate of the video.
    public let format: VideoFormat

    /// The orientation of the pixels: always `.up`, because the rotation of the video is applied.
    public var orientation: CGImagePropertyOrientation { .up }

    /// The time at which the frame is shown, in units of 1/90000 s. The first frame of a video is at one second, since
    /// some requests take zero for a missing time.
    public var presentationTimeStamp: CMTime {
        CMTime(seconds: seconds + 1, preferredTimescale: 90_000)
    }

    /// The frame with its time, as requests on sequences take it.
    public var sampleBuffer: CMSampleBuffer {
        CMSampleBuffer(
            imageBuffer: pixelBuffer, presentationTimeStamp: presentationTimeStamp,
            duration: CMTime(seconds: 1 / format.rate.value, preferredTimescale: 90_000))
    }
}
