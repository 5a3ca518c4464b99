extension Derivative {
    /// The part of the upright image that the derivative shows, and its position in the derivative, both in pixels with
    /// the origin at the top left. Used to convert results to coordinates of the image.
    package var placement: (source: PixelRegion, target: PixelRegion) {
        let all = PixelRegion(width: width, height: height)
        switch fit {
        case .fill: return (region, all)
        case .centerCrop: return (region.centreCropped(toAspectOf: width, height), all)
        case .fit:
            let scale = min(Double(width) / region.width, Double(height) / region.height)
            // Whole pixels, so that the edges of the image stay sharp.
            let innerWidth = min(width, max(1, Int((region.width * scale).rounded())))
            let innerHeight = min(height, max(1, Int((region.height * scale).rounded())))
            let inner = PixelRegion(
                x: Double((width - innerWidth) / 2), y: Double((height - innerHeight) / 2), width: Double(innerWidth),
                height: Double(innerHeight))
            return (region, inner)
        }
    }

    /// Converts a box from pixels of the derivative to pixels of the upright image.
    package func imageRegion(of box: PixelRegion) -> PixelRegion {
        let (source, target) = placement
        let (scaleX, scaleY) = (source.width / target.width, source.height / target.height)
        return PixelRegion(
            x: source.x + (box.x - target.x) * scaleX, y: source.y + (box.y - target.y) * scaleY,
            width: box.width * scaleX, height: box.height * scaleY)
    }
}
