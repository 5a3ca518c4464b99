/// A key of the options of image handlers and of targeted requests.
public struct VNImageOption: RawRepresentable, Hashable, Sendable {
    /// The name of the key.
    public let rawValue: String

    /// Creates a key with that name. Names that Vision does not know are ignored.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The image's properties as a dictionary of ImageIO keys.
    ///
    /// The orientation among them (`"Orientation"`, an EXIF number 1…8) is used if the call gives no orientation; it
    /// then takes precedence over the file's. Any other number makes the perform fail with `invalidOption`.
    public static let properties = VNImageOption(rawValue: "VNImageOptionProperties")

    /// `Data` with the camera's 3 × 3 intrinsic matrix of 32-bit floats in column-major order: focal lengths fx and fy
    /// and the principal point, in pixels from the upper-left corner. Accepted; no request here needs it.
    public static let cameraIntrinsics = VNImageOption(rawValue: "VNImageOptionCameraIntrinsics")

    /// A `CIContext` to render with. Accepted; there is only one renderer, which needs no context.
    public static let ciContext = VNImageOption(rawValue: "VNImageOptionCIContext")
}
