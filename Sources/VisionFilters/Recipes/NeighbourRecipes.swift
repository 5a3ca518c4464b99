import VisionImage

/// A convolution with the same weights along both axes. Transparent pixels around the image take part.
struct SeparableRecipe: ImageRecipe {
    let image: CIImage
    /// An odd number of weights with the sum 1.
    let weights: [Float]

    var inputs: [CIImage] { [image] }
    var radius: Int { weights.count / 2 }

    /// A normal distribution, cut off at three standard deviations.
    static func gaussian(_ sigma: Double) -> [Float] {
        let radius = Int((3 * sigma).rounded(.up))
        let values = (-radius...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = values.reduce(0, +)
        return values.map { Float($0 / sum) }
    }

    /// A mean over twice the radius and one; the outermost pixels count by the fraction of the radius.
    static func box(_ radius: Double) -> [Float] {
        let whole = Int(radius.rounded(.up))
        let edge = radius - Double(whole - 1)
        let values = (-whole...whole).map { $0.magnitude == UInt(whole) ? edge : 1 }
        return values.map { Float($0 / (2 * radius + 1)) }
    }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        // What lies outside of the image is transparent and adds nothing.
        let part = bounds.outset(x: radius, y: radius).intersection(image.extent)
        var result = try FloatImage(bounds: bounds)
        guard !part.isEmpty else { return result }
        let source = try pass.pixels(of: image, in: part)
        let width = part.width
        var columns = try FloatImage(
            bounds: PixelRect(x: part.x, y: bounds.y, width: width, height: bounds.height))
        columns.pixels.withUnsafeMutableBufferPointer { target in
            source.pixels.withUnsafeBufferPointer { from in
                weights.withUnsafeBufferPointer { weights in
                    for row in 0..<bounds.height {
                        let first = bounds.y + row - radius
                        for y in max(first, part.y)..<max(first, part.y, min(first + weights.count, part.maxY)) {
                            let (to, line, weight) = (row * width, (y - part.y) * width, weights[y - first])
                            for column in 0..<width { target[to + column] += from[line + column] * weight }
                        }
                    }
                }
            }
        }
        result.pixels.withUnsafeMutableBufferPointer { target in
            columns.pixels.withUnsafeBufferPointer { from in
                weights.withUnsafeBufferPointer { weights in
                    for row in 0..<bounds.height {
                        for column in 0..<bounds.width {
                            let first = bounds.x + column - radius
                            var sum = FloatImage.Pixel.zero
                            for x in max(first, part.x)..<max(first, part.x, min(first + weights.count, part.maxX)) {
                                sum += from[row * width + x - part.x] * weights[x - first]
                            }
                            target[row * bounds.width + column] = sum
                        }
                    }
                }
            }
        }
        return result
    }
}

/// The length of the gradient along both diagonals, for each colour.
struct EdgesRecipe: ImageRecipe {
    let image: CIImage
    let intensity: Float

    var inputs: [CIImage] { [image] }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        let source = try pass.pixels(of: image, in: bounds.outset(x: 1, y: 1))
        return try FloatImage(bounds: bounds) { x, y in
            let rising = source[x + 1, y + 1] - source[x - 1, y - 1]
            let falling = source[x - 1, y + 1] - source[x + 1, y - 1]
            var result = (rising * rising + falling * falling).squareRoot() * intensity
            let alpha = source[x, y].w
            result = pointwiseMin(result, FloatImage.Pixel(repeating: 1)) * alpha
            result.w = alpha
            return result
        }
    }
}
