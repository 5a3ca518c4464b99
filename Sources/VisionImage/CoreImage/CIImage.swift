public import Foundation

/// An option for creating a `CIImage`.
public struct CIImageOption: RawRepresentable, Hashable, Sendable {
    /// The option's name.
    public let rawValue: String
    /// Creates an option from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Whether the image is rotated as its file states; a Bool, false by default.
    public static let applyOrientationProperty = CIImageOption(rawValue: "CIImageApplyOrientationProperty")
    /// The colour space of the pixels; it has no effect, because colours are not converted.
    public static let colorSpace = CIImageOption(rawValue: "CIImageColorSpace")
}

/// An image as a recipe: a source of pixels, transforms and filters. It is rendered on demand.
///
/// The origin of the coordinates is at the lower left, y up, unlike that of the pixels in memory.
///
/// Images are equal if they are the same object: whether two recipes give the same pixels is known only when they are
/// rendered. Apple documents no other equality. `CIVector` and `CIColor` are equal by value.
public final class CIImage: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because of NSObject: everything is constant.

    /// The source of the pixels.
    package enum Base: Sendable {
        case pixelBuffer(CVPixelBuffer)
        case image(CGImage)
        case encoded(EncodedImage)
        /// A step of filters, which has no transform.
        case recipe(any ImageRecipe)

        package var width: Int {
            switch self {
            case .pixelBuffer(let buffer): buffer.width
            case .image(let image): image.width
            case .encoded(let image): image.width
            case .recipe: 0
            }
        }

        package var height: Int {
            switch self {
            case .pixelBuffer(let buffer): buffer.height
            case .image(let image): image.height
            case .encoded(let image): image.height
            case .recipe: 0
            }
        }
    }

    package let base: Base
    /// The transform from the base's coordinates (lower left) to this image's.
    package let transform: CGAffineTransform

    /// The rectangle in which the image has pixels. Its origin need not be zero, and its edges may lie between pixels.
    public let extent: CGRect

    /// The number of steps to the image that has the most of them.
    let depth: Int

    /// The largest number of steps that are rendered at once; each needs some of the thread's stack.
    package static let longestRecipe = 256

    private init(base: Base, transform: CGAffineTransform, extent: CGRect, depth: Int = 0) {
        self.base = base
        self.transform = transform
        self.extent = extent
        self.depth = depth
        super.init()
    }

    /// Creates an image of a step.
    ///
    /// - Parameter extent: Where the image has pixels; it may be infinite.
    package convenience init(_ recipe: any ImageRecipe, extent: CGRect) {
        let depth = 1 + (recipe.inputs.map(\.depth).max() ?? 0)
        let isEndless = depth > Self.longestRecipe
        self.init(
            base: .recipe(isEndless ? EndlessRecipe() : recipe), transform: .identity, extent: extent,
            depth: isEndless ? 0 : depth)
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
    public convenience init(cvImageBuffer imageBuffer: CVImageBuffer, options: [CIImageOption: Any]? = nil) {
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

    /// Returns the image itself, which cannot change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// The base without transforms.
    package static func whole(_ base: Base) -> CIImage { CIImage(base: base) }

    /// Whether no operation has been applied to the base.
    package var isWholeBase: Bool {
        if case .recipe = base { return false }
        return transform.isIdentity && extent == CGRect(x: 0, y: 0, width: base.width, height: base.height)
    }

    /// Returns the image under a transform of the plane. The extent is the smallest axis-aligned rectangle around the
    /// result; the rectangle is black outside of the image.
    public func transformed(by matrix: CGAffineTransform) -> CIImage {
        let extent = extent.isInfinite ? extent : extent.applying(matrix)
        if case .recipe = base { return CIImage(TransformRecipe(image: self, matrix: matrix), extent: extent) }
        return CIImage(base: base, transform: transform.concatenating(matrix), extent: extent)
    }

    /// Returns the part of the image inside the rectangle, at its original position: the origin of the result is not
    /// moved to zero.
    ///
    /// If the result is then rotated by an angle other than a multiple of 90°, the corners of its extent show the
    /// surroundings of the crop.
    public func cropped(to rect: CGRect) -> CIImage {
        CIImage(base: base, transform: transform, extent: extent.overlap(with: rect), depth: depth)
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
        guard !extent.isInfinite else { return turn }
        let moved = extent.applying(turn)
        return turn.concatenating(CGAffineTransform(translationX: -moved.minX, y: -moved.minY))
    }
}
