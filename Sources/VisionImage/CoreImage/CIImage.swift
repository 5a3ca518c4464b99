public import Foundation

/// What can be said when a `CIImage` is made.
public struct CIImageOption: RawRepresentable, Hashable, Sendable {
    /// The option's name.
    public let rawValue: String
    /// An option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Whether the image is turned as its file says; a Bool, false unless given.
    public static let applyOrientationProperty = CIImageOption(rawValue: "CIImageApplyOrientationProperty")
}

/// An image as a recipe: pixels, and what is to be done with them. Nothing is computed before somebody looks.
///
/// Coordinates have their origin at the lower left and y up, unlike those of the pixels in memory.
public final class CIImage: Sendable {
    /// Where the pixels come from.
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
    /// From the base's coordinates (lower left) to this image's.
    package let transform: CGAffineTransform

    /// The part of the plane where the image has pixels. Its origin need not be zero, and its edges may lie between
    /// pixels.
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

    /// An image of a pixel buffer, which must not change while the image is in use. The options have no effect.
    public convenience init(cvPixelBuffer pixelBuffer: CVPixelBuffer, options: [CIImageOption: Any]? = nil) {
        self.init(base: .pixelBuffer(pixelBuffer))
    }

    /// An image of a pixel buffer, which must not change while the image is in use.
    public convenience init(cvImageBuffer imageBuffer: CVImageBuffer) {
        self.init(base: .pixelBuffer(imageBuffer))
    }

    /// An image of a CGImage. The options have no effect.
    public convenience init(cgImage image: CGImage, options: [CIImageOption: Any]? = nil) {
        self.init(base: .image(image))
    }

    /// The image in a file; nil where there is no image that can be read. It stays in the orientation in which it is
    /// stored unless the option `applyOrientationProperty` is true.
    public convenience init?(contentsOf url: URL, options: [CIImageOption: Any]? = nil) {
        guard let encoded = try? EncodedImage(contentsOf: url) else { return nil }
        self.init(encoded: encoded, options: options)
    }

    /// The image in the bytes of a file; nil where there is none that can be read. It stays in the orientation in which
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

    /// What the file says of the image: the same keys as `CGImageSourceCopyPropertiesAtIndex`. Empty for other sources.
    public var properties: [String: Any] {
        guard case .encoded(let image) = base else { return [:] }
        return image.properties
    }

    /// The pixel buffer that the image was made of, where nothing has been done to it since.
    public var pixelBuffer: CVPixelBuffer? {
        guard case .pixelBuffer(let buffer) = base, isWholeBase else { return nil }
        return buffer
    }

    /// The CGImage that the image was made of, where nothing has been done to it since.
    public var cgImage: CGImage? {
        guard case .image(let image) = base, isWholeBase else { return nil }
        return image
    }

    /// The base as it stands.
    package static func whole(_ base: Base) -> CIImage { CIImage(base: base) }

    /// Whether the image is its base as it stands.
    package var isWholeBase: Bool {
        transform.isIdentity && extent == CGRect(x: 0, y: 0, width: base.width, height: base.height)
    }

    /// The image moved through a transform of the plane. The extent is the smallest upright rectangle around the result;
    /// what the rectangle holds beyond the image is black.
    public func transformed(by matrix: CGAffineTransform) -> CIImage {
        CIImage(base: base, transform: transform.concatenating(matrix), extent: extent.applying(matrix))
    }

    /// The part of the image inside the rectangle, where it was: the origin of the result is not moved to zero.
    ///
    /// Turned afterwards by other than quarters, the result shows what lies around the crop in the corners of its extent.
    public func cropped(to rect: CGRect) -> CIImage {
        CIImage(base: base, transform: transform, extent: extent.overlap(with: rect))
    }

    /// The image brought upright from the given orientation, its lower left corner at zero.
    public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage {
        transformed(by: orientationTransform(for: orientation))
    }

    /// The image brought upright from an EXIF orientation, 1…8; unchanged for other numbers.
    public func oriented(forExifOrientation orientation: Int32) -> CIImage {
        guard let value = UInt32(exactly: orientation), let known = CGImagePropertyOrientation(rawValue: value) else {
            return self
        }
        return oriented(known)
    }

    /// The transform that `oriented` applies: it turns the image upright and moves its lower left corner to zero.
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
