import VisionImage

extension Raster {
    /// Copies three planes of floats to a network's input in the order blue, green, red.
    ///
    /// - Parameters:
    ///   - width: The columns of the input, at least those of the raster.
    ///   - height: Its rows, at least those of the raster.
    ///   - padding: The value right of and below the raster; nil to repeat its last column and row.
    func copyPlanes(
        to target: UnsafeMutableBufferPointer<Float>, width canvasWidth: Int, height canvasHeight: Int, padding: Float?
    ) {
        precondition(
            format == .planarRGBFloat && canvasWidth >= width && canvasHeight >= height
                && target.count == 3 * canvasWidth * canvasHeight)
        withUnsafePixels { pixels in
            for plane in 0..<3 {
                for row in 0..<canvasHeight {
                    let source = (pixels + (2 - plane) * planeBytes + min(row, height - 1) * rowBytes)
                        .assumingMemoryBound(to: Float.self)
                    let start = (plane * canvasHeight + row) * canvasWidth
                    let isBelow = row >= height
                    for column in 0..<width {
                        target[start + column] = isBelow ? padding ?? source[column] : source[column]
                    }
                    for column in width..<canvasWidth { target[start + column] = padding ?? source[width - 1] }
                }
            }
        }
    }
}
