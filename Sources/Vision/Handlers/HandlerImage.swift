import VisionImage

/// The image of a handler in the form that the user gave, with its orientation.
///
/// An explicit orientation takes precedence; then comes the one in the options' `.properties`; then the image's own
/// (the EXIF entry of a file; upright for pixels in memory).
struct HandlerImage: Sendable {
    enum Content: Sendable {
        case pixelBuffer(CVPixelBuffer)
        case cgImage(CGImage)
        case ciImage(CIImage)
        case url(URL)
        case data(Data)
        case sampleBuffer(CMSampleBuffer)
    }

    private let content: Content
    private let orientation: Result<CGImagePropertyOrientation?, NSError>

    init(_ content: Content, orientation: CGImagePropertyOrientation?, options: [VNImageOption: Any] = [:]) {
        self.content = content
        if let orientation {
            self.orientation = .success(orientation)
        } else {
            self.orientation = Self.orientation(in: options)
        }
    }

    /// Creates a source for the image. Errors of reading are thrown when pixels are requested.
    func makeSource() -> Result<ImageSource, NSError> {
        orientation.flatMap { orientation in
            switch content {
            case .pixelBuffer(let buffer):
                return .success(ImageSource(pixelBuffer: buffer, orientation: orientation))
            case .cgImage(let image):
                return .success(ImageSource(cgImage: image, orientation: orientation))
            case .ciImage(let image):
                return .success(ImageSource(ciImage: image, orientation: orientation))
            case .url(let url):
                return .success(ImageSource(url: url, orientation: orientation))
            case .data(let data):
                return .success(ImageSource(data: data, orientation: orientation))
            case .sampleBuffer(let sample):
                guard let buffer = CMSampleBufferGetImageBuffer(sample) else {
                    return .failure(visionError(.invalidImage, "The sample buffer holds no image."))
                }
                return .success(ImageSource(pixelBuffer: buffer, orientation: orientation))
            }
        }
    }

    /// The time of a video frame.
    var time: FrameTime {
        guard case .sampleBuffer(let sample) = content else { return .none }
        return FrameTime(of: sample)
    }

    /// ImageIO's key for the orientation.
    private static let orientationKey = "Orientation"

    private static func orientation(
        in options: [VNImageOption: Any]
    ) -> Result<CGImagePropertyOrientation?, NSError> {
        guard let properties = options[.properties] else { return .success(nil) }
        guard let properties = properties as? [AnyHashable: Any] else {
            return .failure(visionError(.invalidOption, "The option .properties is not a dictionary of properties."))
        }
        guard let entry = properties[orientationKey] else { return .success(nil) }
        guard let number = exifNumber(entry), let orientation = CGImagePropertyOrientation(rawValue: number) else {
            return .failure(
                visionError(
                    .invalidOption, "The orientation \(entry) of the option .properties is not an EXIF number 1…8."))
        }
        return .success(orientation)
    }

    private static func exifNumber(_ value: Any) -> UInt32? {
        switch value {
        case let value as CGImagePropertyOrientation: value.rawValue
        case let value as UInt32: value
        case let value as Int: UInt32(exactly: value)
        case let value as NSNumber: UInt32(exactly: value.doubleValue)
        default: nil
        }
    }
}
