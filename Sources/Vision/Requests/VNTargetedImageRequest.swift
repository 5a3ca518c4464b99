/// A request about the handler's image and a second one, the target: an abstract base class.
///
/// Each initialiser exists with and without an orientation. An orientation given here takes precedence over that of the
/// image or its options; see `VNImageRequestHandler` for the other cases. An image that cannot be read makes the
/// perform fail.
open class VNTargetedImageRequest: VNImageBasedRequest {
    let target: HandlerImage

    init(target: HandlerImage, completionHandler: VNRequestCompletionHandler?) {
        self.target = target
        super.init(completionHandler: completionHandler)
    }

    private convenience init(
        _ image: HandlerImage.Content, _ orientation: CGImagePropertyOrientation?, _ options: [VNImageOption: Any],
        _ completionHandler: VNRequestCompletionHandler?
    ) {
        self.init(
            target: HandlerImage(image, orientation: orientation, options: options),
            completionHandler: completionHandler)
    }

    /// Creates a request with a pixel buffer as its target. The buffer must not change during a perform.
    public convenience init(
        targetedCVPixelBuffer pixelBuffer: CVPixelBuffer, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(.pixelBuffer(pixelBuffer), nil, options, completionHandler)
    }

    /// Creates a request with a pixel buffer of the given orientation as its target.
    public convenience init(
        targetedCVPixelBuffer pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(.pixelBuffer(pixelBuffer), orientation, options, completionHandler)
    }

    /// Creates a request with an image as its target.
    public convenience init(
        targetedCGImage cgImage: CGImage, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(.cgImage(cgImage), nil, options, completionHandler)
    }

    /// Creates a request with an image of the given orientation as its target.
    public convenience init(
        targetedCGImage cgImage: CGImage, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(.cgImage(cgImage), orientation, options, completionHandler)
    }

    /// Creates a request with a Core Image image as its target.
    public convenience init(
        targetedCIImage ciImage: CIImage, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(.ciImage(ciImage), nil, options, completionHandler)
    }

    /// Creates a request with a Core Image image of the given orientation as its target.
    public convenience init(
        targetedCIImage ciImage: CIImage, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(.ciImage(ciImage), orientation, options, completionHandler)
    }

    /// Creates a request with an image file as its target.
    public convenience init(
        targetedImageURL imageURL: URL, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(.url(imageURL), nil, options, completionHandler)
    }

    /// Creates a request with an image file of the given orientation as its target.
    public convenience init(
        targetedImageURL imageURL: URL, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(.url(imageURL), orientation, options, completionHandler)
    }

    /// Creates a request with the bytes of an image file as its target.
    public convenience init(
        targetedImageData imageData: Data, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(.data(imageData), nil, options, completionHandler)
    }

    /// Creates a request with the bytes of an image file of the given orientation as its target.
    public convenience init(
        targetedImageData imageData: Data, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(.data(imageData), orientation, options, completionHandler)
    }

    /// Creates a request with a video frame as its target.
    public convenience init(
        targetedCMSampleBuffer sampleBuffer: CMSampleBuffer, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(.sampleBuffer(sampleBuffer), nil, options, completionHandler)
    }

    /// Creates a request with a video frame of the given orientation as its target.
    public convenience init(
        targetedCMSampleBuffer sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(.sampleBuffer(sampleBuffer), orientation, options, completionHandler)
    }
}
