/// A rectangle in pixels with the origin at the top left of an image, x to the right and y down. Edges may lie between
/// pixels.
package struct PixelRegion: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole of an image.
    package init(width: Int, height: Int) {
        self.init(x: 0, y: 0, width: Double(width), height: Double(height))
    }

    package var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }

    /// The largest part of the region, about its centre, that has the aspect ratio of `width` : `height`.
    package func centreCropped(toAspectOf width: Int, _ height: Int) -> PixelRegion {
        let scale = min(self.width / Double(width), self.height / Double(height))
        let (w, h) = (Double(width) * scale, Double(height) * scale)
        return PixelRegion(x: x + (self.width - w) / 2, y: y + (self.height - h) / 2, width: w, height: h)
    }
}
