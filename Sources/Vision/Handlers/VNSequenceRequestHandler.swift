import VisionImage

/// Performs requests on a sequence of frames and keeps the state between them: trackers, and data for registration.
///
/// Use one handler for a whole video; releasing it releases its trackers. A frame is held no longer than the call;
/// registration keeps a grey copy of the last target with its spectrum.
///
/// Orientations are handled as in `VNImageRequestHandler`. A handler may be used from several threads: it performs one
/// call after another. Different handlers run in parallel.
open class VNSequenceRequestHandler: NSObject, @unchecked Sendable {
    // Unchecked because it may be subclassed: all that this class stores is constant and Sendable.
    /// Performs the requests, and counts for VisionExtras.
    package let core = HandlerCore(isSequence: true)

    /// Creates a handler without state.
    public override init() { super.init() }

    private func perform(_ requests: [VNRequest], on image: HandlerImage) throws {
        try core.perform(requests, on: image.makeSource(), at: image.time)
    }

    /// Performs the requests on a pixel buffer and returns when all are done.
    ///
    /// Every request is processed even if others fail, and has its own results or none; independent requests run in
    /// parallel. Completion handlers are called on this thread in the order of the requests; they may perform requests
    /// on this handler again. A request that occurs twice in the array is performed once.
    ///
    /// - Throws: The first error, in the order of the requests, of the domain `VNErrorDomain`.
    open func perform(_ requests: [VNRequest], on pixelBuffer: CVPixelBuffer) throws {
        try perform(requests, on: HandlerImage(.pixelBuffer(pixelBuffer), orientation: nil))
    }

    /// Performs the requests on a pixel buffer with the given orientation.
    open func perform(
        _ requests: [VNRequest], on pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation
    ) throws {
        try perform(requests, on: HandlerImage(.pixelBuffer(pixelBuffer), orientation: orientation))
    }

    /// Performs the requests on an image.
    open func perform(_ requests: [VNRequest], on image: CGImage) throws {
        try perform(requests, on: HandlerImage(.cgImage(image), orientation: nil))
    }

    /// Performs the requests on an image with the given orientation.
    open func perform(
        _ requests: [VNRequest], on image: CGImage, orientation: CGImagePropertyOrientation
    ) throws {
        try perform(requests, on: HandlerImage(.cgImage(image), orientation: orientation))
    }

    /// Performs the requests on a Core Image image.
    open func perform(_ requests: [VNRequest], on image: CIImage) throws {
        try perform(requests, on: HandlerImage(.ciImage(image), orientation: nil))
    }

    /// Performs the requests on a Core Image image with the given orientation.
    open func perform(
        _ requests: [VNRequest], on image: CIImage, orientation: CGImagePropertyOrientation
    ) throws {
        try perform(requests, on: HandlerImage(.ciImage(image), orientation: orientation))
    }

    /// Performs the requests on an image file. Only file URLs can be read.
    open func perform(_ requests: [VNRequest], onImageURL imageURL: URL) throws {
        try perform(requests, on: HandlerImage(.url(imageURL), orientation: nil))
    }

    /// Performs the requests on an image file with the given orientation. Only file URLs can be read.
    open func perform(
        _ requests: [VNRequest], onImageURL imageURL: URL, orientation: CGImagePropertyOrientation
    ) throws {
        try perform(requests, on: HandlerImage(.url(imageURL), orientation: orientation))
    }

    /// Performs the requests on the bytes of an image file.
    open func perform(_ requests: [VNRequest], onImageData imageData: Data) throws {
        try perform(requests, on: HandlerImage(.data(imageData), orientation: nil))
    }

    /// Performs the requests on the bytes of an image file with the given orientation.
    open func perform(
        _ requests: [VNRequest], onImageData imageData: Data, orientation: CGImagePropertyOrientation
    ) throws {
        try perform(requests, on: HandlerImage(.data(imageData), orientation: orientation))
    }

    /// Performs the requests on a video frame.
    open func perform(_ requests: [VNRequest], on sampleBuffer: CMSampleBuffer) throws {
        try perform(requests, on: HandlerImage(.sampleBuffer(sampleBuffer), orientation: nil))
    }

    /// Performs the requests on a video frame with the given orientation.
    open func perform(
        _ requests: [VNRequest], on sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation
    ) throws {
        try perform(requests, on: HandlerImage(.sampleBuffer(sampleBuffer), orientation: orientation))
    }
}
