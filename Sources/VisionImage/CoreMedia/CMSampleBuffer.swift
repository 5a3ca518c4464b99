/// A video frame with its time.
///
/// Core Media's sample buffers can also hold compressed media, sound and text; this one wraps a pixel buffer, which is
/// all that Vision reads from it.
public final class CMSampleBuffer: Sendable {
    /// The frame.
    public let imageBuffer: CVImageBuffer?
    /// The presentation time.
    public let presentationTimeStamp: CMTime
    /// The duration.
    public let duration: CMTime

    /// Creates a sample buffer of a video frame.
    public init(
        imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime = .invalid, duration: CMTime = .invalid
    ) {
        self.imageBuffer = imageBuffer
        self.presentationTimeStamp = presentationTimeStamp
        self.duration = duration
    }
}

/// Returns the frame of a sample buffer.
public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVImageBuffer? { buffer.imageBuffer }

/// Returns the presentation time of a sample buffer.
public func CMSampleBufferGetPresentationTimeStamp(_ buffer: CMSampleBuffer) -> CMTime { buffer.presentationTimeStamp }

/// Returns the duration of a sample buffer.
public func CMSampleBufferGetDuration(_ buffer: CMSampleBuffer) -> CMTime { buffer.duration }
