import Foundation

extension Raster {
    /// Returns the raster at (`x`, `y`) on a black canvas. Formats with one plane only.
    ///
    /// - Precondition: the raster lies within the canvas.
    package func padded(toWidth canvasWidth: Int, height canvasHeight: Int, x: Int, y: Int) throws -> Raster {
        precondition(format.planeCount == 1)
        precondition(x >= 0 && y >= 0 && x + width <= canvasWidth && y + height <= canvasHeight)
        if width == canvasWidth, height == canvasHeight { return self }
        return try Raster(width: canvasWidth, height: canvasHeight, format: format) { target, rowBytes in
            memset(target, 0, rowBytes * canvasHeight)
            withUnsafePixels { source in
                for row in 0..<height {
                    (target + (y + row) * rowBytes + x * format.bytesPerPixel).copyMemory(
                        from: source + row * self.rowBytes, byteCount: width * format.bytesPerPixel)
                }
            }
        }
    }
}
