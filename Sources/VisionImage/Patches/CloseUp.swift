/// The image around a face, a hand or a body, made once, from which the crops for several networks are cut.
package struct CloseUp {
    /// The region of the image that may be read.
    private let limits: PixelRegion
    /// The part around it, in whole pixels of the image, limited to `limits`.
    private let section: ImageSection

    /// The size of a close-up relative to the crop that it is made for: the next crop has a slightly different
    /// position.
    private static let margin = 1.25
    /// The step between pixels of the close-up relative to that of the crop: below 1, since bilinear interpolation of a
    /// crop rotated by 45° would lose fine detail.
    private static let relativeStep = 0.75

    /// - Returns: nil where the crop lies outside the image.
    package init?(
        around crop: ImagePatch, in limits: PixelRegion, pixels: (Derivative) throws -> Raster
    ) throws {
        self.limits = limits
        guard let part = Self.part(of: crop, reach: crop.reach * Self.margin, in: limits) else { return nil }
        let reduction = max(crop.step * Self.relativeStep, 1)
        section = ImageSection(
            try pixels(
                Derivative(
                    region: part, width: max(Int((part.width / reduction).rounded()), 1),
                    height: max(Int((part.height / reduction).rounded()), 1), format: .rgb8)), of: part)
    }

    /// Returns the part of the image that a crop needs, in whole pixels.
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

    /// Whether the close-up covers the crop at a sufficient resolution.
    package func covers(_ crop: ImagePatch) -> Bool {
        guard let needed = Self.part(of: crop, reach: crop.reach, in: limits) else { return false }
        let part = section.region
        let isInside =
            needed.x >= part.x && needed.y >= part.y && needed.x + needed.width <= part.x + part.width
            && needed.y + needed.height <= part.y + part.height
        let steps = crop.step * Double(section.raster.width) / part.width
        // Where the image itself is coarser than the crop, a new close-up would not be better.
        return isInside && steps < 1.7 && (steps > 0.95 || crop.step < 1)
    }

    /// Returns the pixels of the crop. Pixels outside the image repeat its edge.
    package func pixels(of crop: ImagePatch) throws -> Raster { try section.pixels(of: crop) }
}
