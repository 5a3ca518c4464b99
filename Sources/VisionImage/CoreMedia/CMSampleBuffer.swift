/// A frame of video with its time.
///
/// Core Media's sample buffers carry compressed media, sound and text too; this one wraps a pixel buffer, which is what
/// Vision takes from it.
public final class CMSampleBuffer: Sendable {
    /// The frame.
    public let imageBuffer: CVImageBuffer?
    /// When the frame is to be shown.
    public let presentationTimeStamp: CMTime
    /// How long the frame is to be shown.
    public let duration: CMTime

    /// A frame of video.
    public init(
        imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime = .invalid, duration: CMTime = .invalid
    ) {
        self.imageBuffer = imageBuffer
        self.presentationTimeStamp = presentationTimeStamp
        self.duration = duration
    }
}

/// The frame of a sample buffer.
public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVImageBuffer? { buffer.imageBuffer }

/// When the frame of a sample buffer is to be shown.
public func CMSampleBufferGetPresentationTimeStamp(_ buffer: CMSampleBuffer) -> CMTime { buffer.presentationTimeStamp }

/// How long the frame of a sample buffer is to be shown.
public func CMSampleBufferGetDuration(_ buffer: CMSampleBuffer) -> CMTime { buffer.duration }
