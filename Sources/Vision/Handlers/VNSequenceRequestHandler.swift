import VisionImage

/// Performs requests on one frame after another and keeps what they need from frame to frame: trackers, and what
/// registration can use again.
///
/// Use one handler for a whole video; dropping it releases its trackers. A frame is held no longer than the call; from
/// registration a grey copy of the last target remains with its transform.
///
/// Orientations count as for `VNImageRequestHandler`. A handler may be used from several threads: it performs one call
/// after another. Different handlers work side by side.
public final class VNSequenceRequestHandler: NSObject, Sendable {
    private let core = HandlerCore()

    /// A handler without any state yet.
    public override init() { super.init() }

    private func perform(_ requests: [VNRequest], on image: HandlerImage) throws {
        try core.perform(requests, on: image.makeSource(), timeRange: image.timeRange)
    }

    /// Performs the requests on a pixel buffer and returns when all are done.
    ///
    /// Every request is processed, though others fail, and has its own results or none; those that have nothing to do with
    /// each other run side by side. Completion handlers are called on this thread in the order of the requests; they may
    /// perform on this handler again. A request that the array names twice is performed once.
    ///
    /// - Throws: The first error, in the order of the requests, of the domain `VNErrorDomain`.
    public func perform(_ requests: [VNRequest], on pixelBuffer: CVPixelBuffer) throws {
        try perform(requests, on: HandlerImage(.pixelBuffer(pixelBuffer), orientation: nil))
    }

    /// Performs the requests on a pixel buffer of that orientation.
    public func perform(
        _ requests: [VNRequest], on pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation
    ) throws {
        try perform(requests, on: HandlerImage(.pixelBuffer(pixelBuffer), orientation: orientation))
    }

    /// Performs the requests on an image.
    public func perform(_ requests: [VNRequest], on image: CGImage) throws {
        try perform(requests, on: HandlerImage(.cgImage(image), orientation: nil))
    }

    /// Performs the requests on an image of that orientation.
    public func perform(
        _ requests: [VNRequest], on image: CGImage, orientation: CGImagePropertyOrientation
    ) throws {
        try perform(requests, on: HandlerImage(.cgImage(image), orientation: orientation))
    }

    /// Performs the requests on a Core Image image.
    public func perform(_ requests: [VNRequest], on image: CIImage) throws {
        try perform(requests, on: HandlerImage(.ciImage(image), orientation: nil))
    }

    /// Performs the requests on a Core Image image of that orientation.
    public func perform(
        _ requests: [VNRequest], on image: CIImage, orientation: CGImagePropertyOrientation
    ) throws {
        try perform(requests, on: HandlerImage(.ciImage(image), orientation: orientation))
    }

    /// Performs the requests on an image file. Only file URLs can be read.
    public func perform(_ requests: [VNRequest], onImageURL imageURL: URL) throws {
        try perform(requests, on: HandlerImage(.url(imageURL), orientation: nil))
    }

    /// Performs the requests on an image file of that orientation. Only file URLs can be read.
    public func perform(
        _ requests: [VNRequest], onImageURL imageURL: URL, orientation: CGImagePropertyOrientation
    ) throws {
        try perform(requests, on: HandlerImage(.url(imageURL), orientation: orientation))
    }

    /// Performs the requests on the bytes of an image file.
    public func perform(_ requests: [VNRequest], onImageData imageData: Data) throws {
        try perform(requests, on: HandlerImage(.data(imageData), orientation: nil))
    }

    /// Performs the requests on the bytes of an image file of that orientation.
    public func perform(
        _ requests: [VNRequest], onImageData imageData: Data, orientation: CGImagePropertyOrientation
    ) throws {
        try perform(requests, on: HandlerImage(.data(imageData), orientation: orientation))
    }

    /// Performs the requests on a frame of video.
    public func perform(_ requests: [VNRequest], on sampleBuffer: CMSampleBuffer) throws {
        try perform(requests, on: HandlerImage(.sampleBuffer(sampleBuffer), orientation: nil))
    }

    /// Performs the requests on a frame of video of that orientation.
    public func perform(
        _ requests: [VNRequest], on sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation
    ) throws {
        try perform(requests, on: HandlerImage(.sampleBuffer(sampleBuffer), orientation: orientation))
    }

    // MARK: - For VisionExtras

    package var derivativeStatistics: CacheStatistics? { core.derivativeStatistics }

    package var resultStatistics: CacheStatistics? { core.resultStatistics }

    package var networkRunCount: Int { core.networkRunCount }

    package var objectTrackerCount: Int { core.objectTrackerCount }

    package var rectangleTrackerCount: Int { core.rectangleTrackerCount }
}
