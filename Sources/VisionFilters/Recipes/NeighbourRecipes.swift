import VisionImage

/// A convolution with the same weights along both axes. Transparent pixels around the image take part.
struct SeparableRecipe: ByteRecipe {
    let image: CIImage
    /// An odd number of weights with the sum 1.
    let weights: [Float]

    var inputs: [CIImage] { [image] }
    var radius: Int { weights.count / 2 }
    // Weights are not negative and have the sum 1.
    var keepsRange: Bool { true }

    func gain(ofInput index: Int) -> Float { 1 }

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
        guard !part.isEmpty else { return try FloatImage(bounds: bounds) }
        return try pass.pixels(of: image, in: part).convolved(weights, bounds)
    }

    func renderer(_ sources: [ByteSource], _ visible: PixelRect) -> Renderer? {
        guard let source = sources.first,
            ByteSource.canConvolve(width: visible.width, radius: radius)
        else { return nil }
        // A mean over whole pixels needs no products.
        let isMean = weights.allSatisfy { $0 == weights[0] }
        return { [weights, radius] bounds, target in
            if isMean {
                source.boxMean(radius: radius, bounds, target)
            } else {
                source.convolve(weights, bounds, target)
            }
        }
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
