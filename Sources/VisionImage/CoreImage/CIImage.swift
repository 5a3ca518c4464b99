public import Foundation

/// An option for creating a `CIImage`.
public struct CIImageOption: RawRepresentable, Hashable, Sendable {
    /// The option's name.
    public let rawValue: String
    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Whether the image is rotated as its file states; a Bool, false by default.
    public static let applyOrientationProperty = CIImageOption(rawValue: "CIImageApplyOrientationProperty")
}

/// An image as a recipe: a source of pixels and transforms. It is rendered on demand.
///
/// The origin of the coordinates is at the lower left, y up, unlike that of the pixels in memory.
public final class CIImage: Sendable {
    /// The source of the pixels.
    package enum Base: Sendable {
        case pixelBuffer(CVPixelBuffer)
        case image(CGImage)
        case encoded(EncodedImage)

        package var width: Int {
            switch self {
            case .pixelBuffer(let buffer): buffer.width
            case .image(let image): image.width
            case .encoded(let image): image.width
            }
        }

        package var height: Int {
            switch self {
            case .pixelBuffer(let buffer): buffer.height
            case .image(let image): image.height
            case .encoded(let image): image.height
            }
        }
    }

    package let base: Base
    /// The transform from the base's coordinates (lower left) to this image's.
    package let transform: CGAffineTransform

    /// The rectangle in which the image has pixels. Its origin need not be zero, and its edges may lie between pixels.
    public let extent: CGRect

    private init(base: Base, transform: CGAffineTransform, extent: CGRect) {
        self.base = base
        self.transform = transform
        self.extent = extent
    }

    private convenience init(base: Base) {
        self.init(
            base: base, transform: .identity, extent: CGRect(x: 0, y: 0, width: base.width, height: base.height))
    }

    /// Creates an image of a pixel buffer, which must not change while the image is in use. The options have no effect.
    public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [CIImageOption: Any]? = nil) {
        self.init(base: .pixelBuffer(pixelBuffer))
    }

    /// Creates an image of a pixel buffer, which must not change while the image is in use.
    public convenience init(cvImageBuffer imageBuffer: CVImageBuffer) {
        self.init(base: .pixelBuffer(imageBuffer))
    }

    /// Creates an image of a CGImage. The options have no effect.
    public convenience init(cgImage image: CGImage, options: [CIImageOption: Any]? = nil) {
        self.init(base: .image(image))
    }

    /// Creates an image from a file; nil if it cannot be read. The image keeps the orientation in which it is stored
    /// unless the option `applyOrientationProperty` is true.
    public convenience init?(contentsOf url: URL, options: [CIImageOption: Any]? = nil) {
        guard let encoded = try? EncodedImage(contentsOf: url) else { return nil }
        self.init(encoded: encoded, options: options)
    }

    /// Creates an image from the bytes of a file; nil if they cannot be read. The image keeps the orientation in which
    /// it is stored unless the option `applyOrientationProperty` is true.
    public convenience init?(data: Data, options: [CIImageOption: Any]? = nil) {
        guard let encoded = try? EncodedImage(data: data) else { return nil }
        self.init(encoded: encoded, options: options)
    }

    private convenience init(encoded: EncodedImage, options: [CIImageOption: Any]?) {
        let stored = CIImage.whole(.encoded(encoded))
        let wanted = options?[.applyOrientationProperty] as? Bool ?? false
        let image = wanted ? stored.oriented(forExifOrientation: Int32(encoded.orientation)) : stored
        self.init(base: image.base, transform: image.transform, extent: image.extent)
    }

    /// The properties of the image from its file: the same keys as `CGImageSourceCopyPropertiesAtIndex`. Empty for
    /// other sources.
    public var properties: [String: Any] {
        guard case .encoded(let image) = base else { return [:] }
        return image.properties
    }

    /// The pixel buffer that the image was made of, if no operation has been applied.
    public var pixelBuffer: CVPixelBuffer? {
        guard case .pixelBuffer(let buffer) = base, isWholeBase else { return nil }
        return buffer
    }

    /// The CGImage that the image was made of, if no operation has been applied.
    public var cgImage: CGImage? {
        guard case .image(let image) = base, isWholeBase else { return nil }
        return image
    }

    /// The base without transforms.
    package static func whole(_ base: Base) -> CIImage { CIImage(base: base) }

    /// Whether no operation has been applied to the base.
    package var isWholeBase: Bool {
        transform.isIdentity && extent == CGRect(x: 0, y: 0, width: base.width, height: base.height)
    }

    /// Returns the image under a transform of the plane. The extent is the smallest axis-aligned rectangle around the
    /// result; the rectangle is black outside of the image.
    public func transformed(by matrix: CGAffineTransform) -> CIImage {
        CIImage(base: base, transform: transform.concatenating(matrix), extent: extent.applying(matrix))
    }

    /// Returns the part of the image inside the rectangle, at its original position: the origin of the result is not
    /// moved to zero.
    ///
    /// If the result is then rotated by an angle other than a multiple of 90°, the corners of its extent show the
    /// surroundings of the crop.
    public func cropped(to rect: CGRect) -> CIImage {
        CIImage(base: base, transform: transform, extent: extent.overlap(with: rect))
    }

    /// Returns the image rotated upright from the given orientation, its lower left corner at zero.
    public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
        transformed(by: orientationTransform(for: orientation))
    }

    /// Returns the image rotated upright from an EXIF orientation, 1…8; unchanged for other numbers.
    public func oriented(forExifOrientation orientation: Int32) -> CIImage {
        guard let value = UInt32(exactly: orientation), let known = CGImagePropertyOrientation(rawValue: value) else {
            return self
        }
        return oriented(known)
    }

    /// Returns the transform that `oriented` applies: it rotates the image upright and moves its lower left corner to
    /// zero.
    public func orientationTransform(for orientation: CGImagePropertyOrientation) -> CGAffineTransform {
        let turn: CGAffineTransform =
            switch orientation {
            case .up: .identity
            case .upMirrored: CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
            case .down: CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
            case .downMirrored: CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
            case .leftMirrored: CGAffineTransform(a: 0, b: -1, c: -1, d: 0, tx: 0, ty: 0)
            case .right: CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 0)
            case .rightMirrored: CGAffineTransform(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
            case .left: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
            }
        let moved = extent.applying(turn)
        return turn.concatenating(CGAffineTransform(translationX: -moved.minX, y: -moved.minY))
    }
}
