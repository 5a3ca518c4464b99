public import Foundation
public import VisionImage

extension CIImage {
    /// Creates an image of one colour without edges: its extent is infinite.
    public convenience init(color: CIColor) {
        let pixel = FilterValues(values: [kCIInputColorKey: color], defaults: [:]).colour(kCIInputColorKey)
        self.init(ConstantRecipe(pixel: pixel), extent: .infinite)
    }

    /// Returns an image without pixels: its extent is null.
    public class func empty() -> CIImage { CIImage(ConstantRecipe(pixel: .zero), extent: .null) }

    /// Opaque black without edges.
    public static let black = CIImage(color: .black)
    /// Opaque white without edges.
    public static let white = CIImage(color: .white)
    /// Opaque red without edges.
    public static let red = CIImage(color: .red)
    /// Opaque green without edges.
    public static let green = CIImage(color: .green)
    /// Opaque blue without edges.
    public static let blue = CIImage(color: .blue)
    /// Transparent black without edges.
    public static let clear = CIImage(color: .clear)

    /// Returns the image with the pixels of its edges repeated without end, so that blurs do not darken the edges.
    public func clampedToExtent() -> CIImage {
        guard !extent.isInfinite, let area = PixelRect(extent) else { return self }
        return CIImage(ClampRecipe(image: self, area: area), extent: .infinite)
    }

    /// Returns the image under a rectangle, with the pixels of the rectangle's edges repeated without end.
    public func clamped(to rect: CGRect) -> CIImage { cropped(to: rect).clampedToExtent() }

    /// Returns the image drawn over another one.
    public func composited(over dest: CIImage) -> CIImage {
        applyingFilter("CISourceOverCompositing", parameters: [kCIInputBackgroundImageKey: dest])
    }

    /// Returns the image blurred by a normal distribution.
    ///
    /// - Parameter sigma: The standard deviation in pixels, at most 500.
    public func applyingGaussianBlur(sigma: Double) -> CIImage {
        applyingFilter("CIGaussianBlur", parameters: [kCIInputRadiusKey: sigma])
    }

    /// Returns the image with its colours multiplied by alpha.
    public func premultiplyingAlpha() -> CIImage {
        CIImage(ColourRecipe(image: self) { $0.premultiplied }, extent: extent)
    }

    /// Returns the image with its colours divided by alpha.
    public func unpremultiplyingAlpha() -> CIImage {
        CIImage(ColourRecipe(image: self) { $0.unpremultiplied }, extent: extent)
    }

    /// Returns the image, opaque in a rectangle and transparent outside of it. Colours are those over black.
    public func settingAlphaOne(in extent: CGRect) -> CIImage {
        CIImage(
            ColourRecipe(image: self) { FloatImage.Pixel($0.x, $0.y, $0.z, 1) }, extent: self.extent
        ).cropped(to: extent)
    }

    /// Returns the image itself: results are not kept from one rendering to the next.
    public func insertingIntermediate() -> CIImage { self }

    /// Returns the image under a transform of the plane; both qualities are bilinear.
    public func transformed(by matrix: CGAffineTransform, highQualityDownsample: Bool) -> CIImage {
        transformed(by: matrix)
    }
}
