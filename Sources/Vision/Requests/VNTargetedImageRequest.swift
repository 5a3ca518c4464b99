/// A request about the handler's image and a second one, the target: an abstract base class.
///
/// Each initialiser exists with and without an orientation. An orientation given here takes precedence over that of the
/// image or its options; see `VNImageRequestHandler` for the other cases. An image that cannot be read makes the
/// perform fail.
public class VNTargetedImageRequest: VNImageBasedRequest {
    let target: HandlerImage

    init(target: HandlerImage, completionHandler: VNRequestCompletionHandler?) {
        self.target = target
        super.init(completionHandler: completionHandler)
    }

    /// Creates a request with a pixel buffer as its target. The buffer must not change during a perform.
    public convenience init(
        targetedCVPixelBuffer pixelBuffer: CVPixelBuffer, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.pixelBuffer(pixelBuffer), orientation: nil, options: options),
            completionHandler: completionHandler)
    }

    /// Creates a request with a pixel buffer of the given orientation as its target.
    public convenience init(
        targetedCVPixelBuffer pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.pixelBuffer(pixelBuffer), orientation: orientation, options: options),
            completionHandler: completionHandler)
    }

    /// Creates a request with an image as its target.
    public convenience init(
        targetedCGImage cgImage: CGImage, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.cgImage(cgImage), orientation: nil, options: options),
            completionHandler: completionHandler)
    }

    /// Creates a request with an image of the given orientation as its target.
    public convenience init(
        targetedCGImage cgImage: CGImage, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.cgImage(cgImage), orientation: orientation, options: options),
            completionHandler: completionHandler)
    }

    /// Creates a request with a Core Image image as its target.
    public convenience init(
        targetedCIImage ciImage: CIImage, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.ciImage(ciImage), orientation: nil, options: options),
            completionHandler: completionHandler)
    }

    /// Creates a request with a Core Image image of the given orientation as its target.
    public convenience init(
        targetedCIImage ciImage: CIImage, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.ciImage(ciImage), orientation: orientation, options: options),
            completionHandler: completionHandler)
    }

    /// Creates a request with an image file as its target.
    public convenience init(
        targetedImageURL imageURL: URL, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.url(imageURL), orientation: nil, options: options),
            completionHandler: completionHandler)
    }

    /// Creates a request with an image file of the given orientation as its target.
    public convenience init(
        targetedImageURL imageURL: URL, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.url(imageURL), orientation: orientation, options: options),
            completionHandler: completionHandler)
    }

    /// Creates a request with the bytes of an image file as its target.
    public convenience init(
        targetedImageData imageData: Data, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.data(imageData), orientation: nil, options: options),
            completionHandler: completionHandler)
    }

    /// Creates a request with the bytes of an image file of the given orientation as its target.
    public convenience init(
        targetedImageData imageData: Data, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.data(imageData), orientation: orientation, options: options),
            completionHandler: completionHandler)
    }

    /// Creates a request with a video frame as its target.
    public convenience init(
        targetedCMSampleBuffer sampleBuffer: CMSampleBuffer, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.sampleBuffer(sampleBuffer), orientation: nil, options: options),
            completionHandler: completionHandler)
    }

    /// Creates a request with a video frame of the given orientation as its target.
    public convenience init(
        targetedCMSampleBuffer sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.sampleBuffer(sampleBuffer), orientation: orientation, options: options),
            completionHandler: completionHandler)
    }
}
