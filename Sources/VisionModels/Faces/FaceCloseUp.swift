import VisionImage

/// What is around one face, made once, of which the crops for the networks that look at it are cut.
struct FaceCloseUp {
    /// What there is to see of the image at all.
    private let limits: PixelRegion
    /// Whole pixels of the image, as far as it goes.
    private let section: ImageSection

    /// How much further than the crop it is made for a close-up reaches: the next crop will lie a little elsewhere.
    private static let margin = 1.25
    /// Pixels of the image for one of the close-up, in those of the crop: below 1, since the crop is cut by bilinear
    /// interpolation, and a face turned by an eighth would lose what is fine.
    private static let fineness = 0.75

    /// - Returns: nil where the crop shows nothing of the image.
    init?(
        around crop: ImagePatch, in limits: PixelRegion, pixels: (Derivative) throws -> Raster
    ) throws {
        self.limits = limits
        guard let part = Self.part(of: crop, reach: crop.reach * Self.margin, in: limits) else { return nil }
        let reduction = max(crop.step * Self.fineness, 1)
        section = ImageSection(
            try pixels(
                Derivative(
                    region: part, width: max(Int((part.width / reduction).rounded()), 1),
                    height: max(Int((part.height / reduction).rounded()), 1), format: .rgb8)), of: part)
    }

    /// Whole pixels of the image, as far as it goes.
    private static func part(of crop: ImagePatch, reach: Double, in limits: PixelRegion) -> PixelRegion? {
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
    func shows(_ crop: ImagePatch) -> Bool {
        guard let needed = Self.part(of: crop, reach: crop.reach, in: limits) else { return false }
        let part = section.region
        let isInside =
            needed.x >= part.x && needed.y >= part.y && needed.x + needed.width <= part.x + part.width
            && needed.y + needed.height <= part.y + part.height
        let steps = crop.step * Double(section.raster.width) / part.width
        // Where the image itself is coarser than the crop there is nothing better.
        return isInside && steps < 1.7 && (steps > 0.95 || crop.step < 1)
    }

    /// What the crop shows. What lies outside the image repeats its edge.
    func pixels(of crop: ImagePatch) throws -> Raster { try section.pixels(of: crop) }
}
