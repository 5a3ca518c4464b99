import VisionImage

/// Performs requests on one image.
///
/// Create a handler for an image, perform all requests about it, in one call or in several, and release it: it caches
/// the image and the scaled and converted forms that the requests need, so that each is made once. Neither the handler
/// nor the caller may change the image meanwhile. An image that cannot be read makes the perform fail (`ioError` or
/// `invalidImage`).
///
/// All requests read the upright image and all coordinates refer to it. An `orientation` given here takes precedence;
/// without one the orientation in the `.properties` of the options is used; without that URL and data follow their
/// file, and the other images are used as they are (a `CIImage` in its own orientation).
///
/// A handler may be used from several threads: it performs one call after another. Different handlers run in parallel.
public final class VNImageRequestHandler: NSObject, Sendable {
    let image: HandlerImage
    let source: Result<ImageSource, NSError>
    /// Performs the requests, and counts for VisionExtras.
    package let core = HandlerCore(isSequence: false)

    init(_ image: HandlerImage) {
        self.image = image
        source = image.makeSource()
        super.init()
    }

    /// Creates a handler for a pixel buffer.
    public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [VNImageOption: Any] = [:]) {
        self.init(HandlerImage(.pixelBuffer(pixelBuffer), orientation: nil, options: options))
    }

    /// Creates a handler for a pixel buffer with the given orientation.
    public convenience init(
        cvPixelBuffer pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:]
    ) {
        self.init(HandlerImage(.pixelBuffer(pixelBuffer), orientation: orientation, options: options))
    }

    /// Creates a handler for an image.
    public convenience init(cgImage image: CGImage, options: [VNImageOption: Any] = [:]) {
        self.init(HandlerImage(.cgImage(image), orientation: nil, options: options))
    }

    /// Creates a handler for an image with the given orientation.
    public convenience init(
        cgImage image: CGImage, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        self.init(HandlerImage(.cgImage(image), orientation: orientation, options: options))
    }

    /// Creates a handler for a Core Image image.
    public convenience init(ciImage image: CIImage, options: [VNImageOption: Any] = [:]) {
        self.init(HandlerImage(.ciImage(image), orientation: nil, options: options))
    }

    /// Creates a handler for a Core Image image with the given orientation.
    public convenience init(
        ciImage image: CIImage, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        self.init(HandlerImage(.ciImage(image), orientation: orientation, options: options))
    }

    /// Creates a handler for an image file. Only file URLs can be read.
    public convenience init(url imageURL: URL, options: [VNImageOption: Any] = [:]) {
        self.init(HandlerImage(.url(imageURL), orientation: nil, options: options))
    }

    /// Creates a handler for an image file with the given orientation. Only file URLs can be read.
    public convenience init(
        url imageURL: URL, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        self.init(HandlerImage(.url(imageURL), orientation: orientation, options: options))
    }

    /// Creates a handler for the bytes of an image file.
    public convenience init(data imageData: Data, options: [VNImageOption: Any] = [:]) {
        self.init(HandlerImage(.data(imageData), orientation: nil, options: options))
    }

    /// Creates a handler for the bytes of an image file with the given orientation.
    public convenience init(
        data imageData: Data, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        self.init(HandlerImage(.data(imageData), orientation: orientation, options: options))
    }

    /// Creates a handler for a video frame.
    public convenience init(cmSampleBuffer sampleBuffer: CMSampleBuffer, options: [VNImageOption: Any] = [:]) {
        self.init(HandlerImage(.sampleBuffer(sampleBuffer), orientation: nil, options: options))
    }

    /// Creates a handler for a video frame with the given orientation.
    public convenience init(
        cmSampleBuffer sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:]
    ) {
        self.init(HandlerImage(.sampleBuffer(sampleBuffer), orientation: orientation, options: options))
    }

    /// The size of the upright image in pixels.
    ///
    /// - Throws: The error of an image that cannot be opened.
    package func uprightImageSize() throws -> (width: Int, height: Int) {
        do {
            let size = try source.get().uprightSize()
            return (size.width, size.height)
        } catch {
            throw visionError(from: error)
        }
    }

    /// Performs different requests and returns what became of each, in the same order, without completion handlers.
    package func outcomes(of requests: [VNRequest]) -> [Result<[VNObservation], NSError>] {
        core.outcomes(of: requests, performs: requests.map { $0.activity.begin() }, on: source, at: image.time)
    }

    /// The image, for results that make others from it.
    func imageSource() throws -> ImageSource { try source.get() }

    /// Performs the requests and returns when all are done.
    ///
    /// Every request is processed even if others fail, and has its own results or none; independent requests run in
    /// parallel. Completion handlers are called on this thread in the order of the requests; they may perform requests
    /// on this handler again. A request that occurs twice in the array is performed once.
    ///
    /// - Throws: The first error, in the order of the requests, of the domain `VNErrorDomain`.
    public func perform(_ requests: [VNRequest]) throws {
        try core.perform(requests, on: source, at: image.time)
    }
}
