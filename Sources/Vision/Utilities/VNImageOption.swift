/// A key of the options of image handlers and of targeted requests.
public struct VNImageOption: RawRepresentable, Hashable, Sendable {
    /// The name of the key.
    public let rawValue: String

    /// A key of that name. Names that Vision does not know are ignored.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The image's properties as a dictionary of ImageIO keys.
    ///
    /// The orientation among them (`"Orientation"`, an EXIF number 1…8) counts when the call names no orientation of its
    /// own; it then wins over what the file says. Any other number makes the perform fail with `invalidOption`.
    public static let properties = VNImageOption(rawValue: "VNImageOptionProperties")

    /// `Data` with the camera's 3 × 3 matrix of 32-bit floats, column by column: focal lengths fx and fy and the principal
    /// point, in pixels from the upper-left corner. Accepted; no request here needs it.
    public static let cameraIntrinsics = VNImageOption(rawValue: "VNImageOptionCameraIntrinsics")

    /// A `CIContext` to render with. Accepted; there is one renderer and it needs no context.
    public static let ciContext = VNImageOption(rawValue: "VNImageOptionCIContext")
}
