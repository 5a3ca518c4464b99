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
open class VNImageRequestHandler: NSObject, @unchecked Sendable {
    // Unchecked because it may be subclassed: all that this class stores is constant and Sendable.
    let image: HandlerImage
    let source: Result<ImageSource, NSError>
    /// Performs the requests, and counts for VisionExtras.
    package let core = HandlerCore(isSequence: false)

    private static func parts(_ image: HandlerImage) -> (HandlerImage, Result<ImageSource, NSError>) {
        (image, image.makeSource())
    }

    /// Creates a handler for a pixel buffer.
    public init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [VNImageOption: Any] = [:]) {
        (self.image, source) = Self.parts(HandlerImage(.pixelBuffer(pixelBuffer), orientation: nil, options: options))
        super.init()
    }

    /// Creates a handler for a pixel buffer with the given orientation.
    public init(
        cvPixelBuffer pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:]
    ) {
        (self.image, source) = Self.parts(
            HandlerImage(.pixelBuffer(pixelBuffer), orientation: orientation, options: options))
        super.init()
    }

    /// Creates a handler for an image.
    public init(cgImage image: CGImage, options: [VNImageOption: Any] = [:]) {
        (self.image, source) = Self.parts(HandlerImage(.cgImage(image), orientation: nil, options: options))
        super.init()
    }

    /// Creates a handler for an image with the given orientation.
    public init(
        cgImage image: CGImage, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        (self.image, source) = Self.parts(HandlerImage(.cgImage(image), orientation: orientation, options: options))
        super.init()
    }

    /// Creates a handler for a Core Image image.
    public init(ciImage image: CIImage, options: [VNImageOption: Any] = [:]) {
        (self.image, source) = Self.parts(HandlerImage(.ciImage(image), orientation: nil, options: options))
        super.init()
    }

    /// Creates a handler for a Core Image image with the given orientation.
    public init(
        ciImage image: CIImage, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        (self.image, source) = Self.parts(HandlerImage(.ciImage(image), orientation: orientation, options: options))
        super.init()
    }

    /// Creates a handler for an image file. Only file URLs can be read.
    public init(url imageURL: URL, options: [VNImageOption: Any] = [:]) {
        (self.image, source) = Self.parts(HandlerImage(.url(imageURL), orientation: nil, options: options))
        super.init()
    }

    /// Creates a handler for an image file with the given orientation. Only file URLs can be read.
    public init(
        url imageURL: URL, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        (self.image, source) = Self.parts(HandlerImage(.url(imageURL), orientation: orientation, options: options))
        super.init()
    }

    /// Creates a handler for the bytes of an image file.
    public init(data imageData: Data, options: [VNImageOption: Any] = [:]) {
        (self.image, source) = Self.parts(HandlerImage(.data(imageData), orientation: nil, options: options))
        super.init()
    }

    /// Creates a handler for the bytes of an image file with the given orientation.
    public init(
        data imageData: Data, orientation: CGImagePropertyOrientation, options: [VNImageOption: Any] = [:]
    ) {
        (self.image, source) = Self.parts(HandlerImage(.data(imageData), orientation: orientation, options: options))
        super.init()
    }

    /// Creates a handler for a video frame.
    public init(cmSampleBuffer sampleBuffer: CMSampleBuffer, options: [VNImageOption: Any] = [:]) {
        (self.image, source) = Self.parts(HandlerImage(.sampleBuffer(sampleBuffer), orientation: nil, options: options))
        super.init()
    }

    /// Creates a handler for a video frame with the given orientation.
    public init(
        cmSampleBuffer sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:]
    ) {
        (self.image, source) = Self.parts(
            HandlerImage(.sampleBuffer(sampleBuffer), orientation: orientation, options: options))
        super.init()
    }

    /// Creates a handler for an image of any kind.
    convenience init(_ image: HandlerImage.Content, _ orientation: CGImagePropertyOrientation?) {
        // It calls initialisers that subclasses have, too. Without an `orientation` the options' counts.
        let options: [VNImageOption: Any] =
            orientation.map { [.properties: [kCGImagePropertyOrientation: $0.rawValue]] } ?? [:]
        switch image {
        case .pixelBuffer(let buffer): self.init(cvPixelBuffer: buffer, options: options)
        case .cgImage(let image): self.init(cgImage: image, options: options)
        case .ciImage(let image): self.init(ciImage: image, options: options)
        case .url(let url): self.init(url: url, options: options)
        case .data(let data): self.init(data: data, options: options)
        case .sampleBuffer(let buffer): self.init(cmSampleBuffer: buffer, options: options)
        }
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

    /// The number of pixels of the image; 0 for one that cannot be opened.
    package var pixelCount: Int { source.pixelCount }

    /// Performs different requests and returns what became of each, in the same order, without completion handlers.
    ///
    /// - Parameter began: Called when `cancel()` has an effect on the requests, before anything is computed.
    package func outcomes(
        of requests: [VNRequest], began: () -> Void = {}
    ) -> [Result<[VNObservation], NSError>] {
        let performs = requests.map { $0.activity.begin() }
        began()
        return core.outcomes(of: requests, performs: performs, on: source, at: image.time)
    }

    /// The image, for results that make others from it.
    package func imageSource() throws -> ImageSource { try source.get() }

    /// Performs the requests and returns when all are done.
    ///
    /// Every request is processed even if others fail, and has its own results or none; independent requests run in
    /// parallel. Completion handlers are called on this thread in the order of the requests; they may perform requests
    /// on this handler again. A request that occurs twice in the array is performed once.
    ///
    /// - Throws: The first error, in the order of the requests, of the domain `VNErrorDomain`.
    open func perform(_ requests: [VNRequest]) throws {
        try core.perform(requests, on: source, at: image.time)
    }
}
