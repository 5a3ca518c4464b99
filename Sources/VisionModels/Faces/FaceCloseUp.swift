import VisionImage

/// What is around one face, made once, of which the crops for the networks that look at it are cut.
struct FaceCloseUp {
    /// What there is to see of the image at all.
    private let limits: PixelRegion
    /// The part of it that the pixels show.
    private let part: PixelRegion
    private let raster: Raster

    /// How much further than the crop it is made for a close-up reaches: the next crop will lie a little elsewhere.
    private static let margin = 1.25
    /// Pixels of the image for one of the close-up, in those of the crop: below 1, since the crop is cut by bilinear
    /// interpolation, and a face turned by an eighth would lose what is fine.
    private static let fineness = 0.75

    /// - Returns: nil where the crop shows nothing of the image.
    init?(
        around crop: FaceCrop, in limits: PixelRegion, pixels: (Derivative) throws -> Raster
    ) throws {
        self.limits = limits
        guard let part = Self.part(of: crop, reach: crop.reach * Self.margin, in: limits) else { return nil }
        self.part = part
        let reduction = max(crop.scale * Self.fineness, 1)
        raster = try pixels(
            Derivative(
                region: part, width: max(Int((part.width / reduction).rounded()), 1),
                height: max(Int((part.height / reduction).rounded()), 1), format: .rgb8))
    }

    /// Whole pixels of the image, as far as it goes.
    private static func part(of crop: FaceCrop, reach: Double, in limits: PixelRegion) -> PixelRegion? {
        func span(_ middle: Double, _ low: Double, _ length: Double) -> (start: Double, length: Double)? {
            let first = min(max((middle - reach).rounded(.down), low), low + length)
            let last = max(min((middle + reach).rounded(.up), low + length), low)
            return last - first >= 1 ? (first, last - first) : nil
        }
        guard let x = span(crop.centre.x, limits.x, limits.width), let y = span(crop.centre.y, limits.y, limits.height)
        else { return nil }
        return PixelRegion(x: x.start, y: y.start, width: x.length, height: y.length)
    }

    /// Whether the crop can be cut of this close-up as well as of one of its own.
    func shows(_ crop: FaceCrop) -> Bool {
        guard let needed = Self.part(of: crop, reach: crop.reach, in: limits) else { return false }
        let isInside =
            needed.x >= part.x && needed.y >= part.y && needed.x + needed.width <= part.x + part.width
            && needed.y + needed.height <= part.y + part.height
        let steps = crop.scale * Double(raster.width) / part.width
        // Where the image itself is coarser than the crop there is nothing better.
        return isInside && steps < 1.7 && (steps > 0.95 || crop.scale < 1)
    }

    /// What the crop shows. What lies outside the image repeats its edge.
    func pixels(of crop: FaceCrop) throws -> Raster {
        let (stepX, stepY) = (Double(raster.width) / part.width, Double(raster.height) / part.height)
        let origin = crop.imagePoint(.zero)
        let (across, down) = (crop.axis.x * crop.scale, crop.axis.y * crop.scale)
        return try raster.warped(
            by: CGAffineTransform(
                a: across * stepX, b: down * stepY, c: -down * stepX, d: across * stepY,
                tx: (origin.x - part.x) * stepX, ty: (origin.y - part.y) * stepY),
            width: crop.size, height: crop.size, border: .replicate)
    }
}
