/// The values of a buffer of one 32-bit float per pixel, such as a saliency map.
package struct FloatMap: Sendable {
    package let width: Int
    package let height: Int
    /// Row by row from the top; values that are not finite are 0.
    package let values: [Float]

    package init(width: Int, height: Int, values: [Float]) {
        precondition(values.count == width * height)
        (self.width, self.height, self.values) = (width, height, values)
    }

    /// - Parameter buffer: A buffer of another format gives an empty map.
    package init(_ buffer: CVPixelBuffer) {
        guard CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_OneComponent32Float else {
            (width, height, values) = (0, 0, [])
            return
        }
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
        var values = [Float](repeating: 0, count: width * height)
        if let address = CVPixelBufferGetBaseAddress(buffer) {
            for index in values.indices {
                let (row, column) = index.quotientAndRemainder(dividingBy: width)
                let value = address.load(fromByteOffset: row * rowBytes + 4 * column, as: Float.self)
                values[index] = value.isFinite ? value : 0
            }
        }
        (self.width, self.height, self.values) = (width, height, values)
    }

    package subscript(x: Int, y: Int) -> Float { values[y * width + x] }

    /// Returns the value at a point by bilinear interpolation; the map's edge is repeated beyond it.
    ///
    /// - Parameters:
    ///   - x: From the left, 0…1 over the whole map.
    ///   - y: From the top, 0…1.
    package func value(x: Double, y: Double) -> Float {
        guard width > 0, height > 0 else { return 0 }
        func place(_ position: Double, _ count: Int) -> (Int, Int, Float) {
            let exact = min(max(position * Double(count) - 0.5, 0), Double(count - 1))
            let first = Int(exact)
            return (first, min(first + 1, count - 1), Float(exact - Double(first)))
        }
        let (left, right, across) = place(x, width)
        let (top, bottom, down) = place(y, height)
        let upper = self[left, top] * (1 - across) + self[right, top] * across
        let lower = self[left, bottom] * (1 - across) + self[right, bottom] * across
        return upper * (1 - down) + lower * down
    }
}
