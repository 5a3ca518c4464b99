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

    /// The region of a whole image.
    package init(width: Int, height: Int) {
        self.init(x: 0, y: 0, width: Double(width), height: Double(height))
    }

    package var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }

    /// Whether a point lies in the region or on its edge.
    package func contains(_ point: SIMD2<Double>) -> Bool {
        point.x >= x && point.y >= y && point.x <= x + width && point.y <= y + height
    }

    /// Converts the region to an image that was resampled from one size to another.
    ///
    /// Scaling by a quotient of sizes can move an edge beyond the image by a rounding error. So each edge is multiplied
    /// before it is divided, which keeps the image's own edges exact, and is then clamped.
    package func scaled(from source: (width: Int, height: Int), to target: (width: Int, height: Int)) -> PixelRegion {
        PixelRegion(
            x: x * Double(target.width) / Double(source.width), y: y * Double(target.height) / Double(source.height),
            width: width * Double(target.width) / Double(source.width),
            height: height * Double(target.height) / Double(source.height)
        ).clamped(toWidth: target.width, height: target.height)
    }

    /// Returns the intersection with an image of this size. A region without any becomes empty at the nearest edge.
    package func clamped(toWidth imageWidth: Int, height imageHeight: Int) -> PixelRegion {
        func span(_ start: Double, _ length: Double, _ limit: Double) -> (start: Double, length: Double) {
            let first = min(max(start, 0), limit)
            // limit - first, added to first, rounds to the limit again, because the limit is an integer.
            return (first, min(max(start + length - first, 0), limit - first))
        }
        let (columns, rows) = (span(x, width, Double(imageWidth)), span(y, height, Double(imageHeight)))
        return PixelRegion(x: columns.start, y: rows.start, width: columns.length, height: rows.length)
    }

    /// Returns the largest part of the region, about its centre, that has the aspect ratio `width` : `height`.
    package func centreCropped(toAspectOf width: Int, _ height: Int) -> PixelRegion {
        let scale = min(self.width / Double(width), self.height / Double(height))
        let (w, h) = (Double(width) * scale, Double(height) * scale)
        return PixelRegion(x: x + (self.width - w) / 2, y: y + (self.height - h) / 2, width: w, height: h)
    }
}
