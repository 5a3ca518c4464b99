import VisionImage

/// When an image was taken, if it is a video frame with a time.
struct FrameTime: Sendable {
    /// The presentation time and duration; zero for an image without a time.
    let range: CMTimeRange
    /// The presentation time in seconds or less; nil for an image without one. The first frame of a video has the time
    /// zero.
    let start: CMTime?

    /// The time of an image that is not a video frame.
    static let none = FrameTime(range: .zero, start: nil)

    private init(range: CMTimeRange, start: CMTime?) { (self.range, self.start) = (range, start) }

    init(of sample: CMSampleBuffer) {
        let start = CMSampleBufferGetPresentationTimeStamp(sample)
        let duration = CMSampleBufferGetDuration(sample)
        guard start.isValid else {
            self = .none
            return
        }
        self.init(
            range: CMTimeRange(start: start, duration: duration.isValid ? duration : .zero),
            start: start.isNumeric ? start : nil)
    }
}
