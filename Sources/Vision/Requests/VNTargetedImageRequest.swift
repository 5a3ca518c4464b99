/// A request about an image (the handler's) and a second one, the target, that it is made with: an abstract base.
///
/// Each initialiser exists with and without an orientation. An orientation given here supersedes what the image or its
/// options say; see `VNImageRequestHandler` for what counts otherwise. An image that cannot be read makes the perform fail.
public class VNTargetedImageRequest: VNImageBasedRequest {
    let target: HandlerImage

    init(target: HandlerImage, completionHandler: VNRequestCompletionHandler?) {
        self.target = target
        super.init(completionHandler: completionHandler)
    }

    /// A request with a pixel buffer as its target. The buffer must not change while a perform is under way.
    public convenience init(
        targetedCVPixelBuffer pixelBuffer: CVPixelBuffer, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.pixelBuffer(pixelBuffer), orientation: nil, options: options),
            completionHandler: completionHandler)
    }

    /// A request with a pixel buffer of that orientation as its target.
    public convenience init(
        targetedCVPixelBuffer pixelBuffer: CVPixelBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.pixelBuffer(pixelBuffer), orientation: orientation, options: options),
            completionHandler: completionHandler)
    }

    /// A request with an image as its target.
    public convenience init(
        targetedCGImage cgImage: CGImage, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.cgImage(cgImage), orientation: nil, options: options),
            completionHandler: completionHandler)
    }

    /// A request with an image of that orientation as its target.
    public convenience init(
        targetedCGImage cgImage: CGImage, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.cgImage(cgImage), orientation: orientation, options: options),
            completionHandler: completionHandler)
    }

    /// A request with a Core Image image as its target.
    public convenience init(
        targetedCIImage ciImage: CIImage, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.ciImage(ciImage), orientation: nil, options: options),
            completionHandler: completionHandler)
    }

    /// A request with a Core Image image of that orientation as its target.
    public convenience init(
        targetedCIImage ciImage: CIImage, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.ciImage(ciImage), orientation: orientation, options: options),
            completionHandler: completionHandler)
    }

    /// A request with an image file as its target.
    public convenience init(
        targetedImageURL imageURL: URL, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.url(imageURL), orientation: nil, options: options),
            completionHandler: completionHandler)
    }

    /// A request with an image file of that orientation as its target.
    public convenience init(
        targetedImageURL imageURL: URL, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.url(imageURL), orientation: orientation, options: options),
            completionHandler: completionHandler)
    }

    /// A request with the bytes of an image file as its target.
    public convenience init(
        targetedImageData imageData: Data, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.data(imageData), orientation: nil, options: options),
            completionHandler: completionHandler)
    }

    /// A request with the bytes of an image file of that orientation as its target.
    public convenience init(
        targetedImageData imageData: Data, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.data(imageData), orientation: orientation, options: options),
            completionHandler: completionHandler)
    }

    /// A request with a frame of video as its target.
    public convenience init(
        targetedCMSampleBuffer sampleBuffer: CMSampleBuffer, options: [VNImageOption: Any] = [:],
        completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.sampleBuffer(sampleBuffer), orientation: nil, options: options),
            completionHandler: completionHandler)
    }

    /// A request with a frame of video of that orientation as its target.
    public convenience init(
        targetedCMSampleBuffer sampleBuffer: CMSampleBuffer, orientation: CGImagePropertyOrientation,
        options: [VNImageOption: Any] = [:], completionHandler: VNRequestCompletionHandler? = nil
    ) {
        self.init(
            target: HandlerImage(.sampleBuffer(sampleBuffer), orientation: orientation, options: options),
            completionHandler: completionHandler)
    }
}
