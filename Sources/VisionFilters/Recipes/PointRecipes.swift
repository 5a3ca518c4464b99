import VisionImage

/// Each pixel changed by itself.
struct ColourRecipe: ImageRecipe {
    let image: CIImage
    let change: @Sendable (FloatImage.Pixel) -> FloatImage.Pixel

    var inputs: [CIImage] { [image] }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        try pass.pixels(of: image, in: bounds).map(change)
    }
}

/// A matrix applied to the colours of each pixel, not multiplied by alpha.
struct MatrixRecipe: ByteRecipe {
    let image: CIImage
    let matrix: ColourMatrix

    var inputs: [CIImage] { [image] }
    var keepsRange: Bool { matrix.keepsRange }

    func gain(ofInput index: Int) -> Float { matrix.gain }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        try pass.pixels(of: image, in: bounds).applying(matrix)
    }

    func renderer(_ sources: [ByteSource], _ visible: PixelRect) -> Renderer? {
        guard let source = sources.first else { return nil }
        return { [matrix] bounds, target in source.apply(matrix, bounds, target) }
    }
}

/// Each pixel of several images made one.
struct CompositeRecipe: ByteRecipe {
    /// Compositions that bytes are enough for.
    enum ByteForm: Sendable {
        /// The first image over the second.
        case over
        /// The first image over the second by a channel of the third: 0 for blue, 1 for green, 2 for red, 3 for alpha.
        case mask(channel: Int)
    }

    let inputs: [CIImage]
    var byteForm: ByteForm?
    let combine: @Sendable ([FloatImage.Pixel]) -> FloatImage.Pixel

    var keepsRange: Bool { byteForm != nil }

    func gain(ofInput index: Int) -> Float {
        switch byteForm {
        // What is in front changes its own pixels, and by its alpha those behind.
        case .over: index == 0 ? 2 : 1
        case .mask: 1
        case nil: .infinity
        }
    }

    func renderer(_ sources: [ByteSource], _ visible: PixelRect) -> Renderer? {
        switch byteForm {
        case .over where sources.count == 2:
            return { bounds, target in
                sources[1].copy(bounds, target)
                sources[0].draw(over: bounds, target)
            }
        case .mask(let channel) where sources.count == 3:
            // All three where the result is: what lies around them has no bytes.
            guard !visible.isEmpty, sources.allSatisfy({ $0.covers(visible) }) else { return nil }
            return { bounds, target in
                sources[0].blend(over: sources[1], by: sources[2], channel: channel, bounds, target)
            }
        default: return nil
        }
    }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        let sources = try inputs.map { try pass.pixels(of: $0, in: bounds) }
        guard var result = sources.first else { return try FloatImage(bounds: bounds) }
        var pixels = [FloatImage.Pixel](repeating: .zero, count: sources.count)
        for index in result.pixels.indices {
            for source in sources.indices { pixels[source] = sources[source].pixels[index] }
            result.pixels[index] = combine(pixels)
        }
        return result
    }
}

/// One colour everywhere.
struct ConstantRecipe: ImageRecipe {
    let pixel: FloatImage.Pixel

    var inputs: [CIImage] { [] }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        try FloatImage(bounds: bounds, filledWith: pixel)
    }
}

/// Pixels that are there already.
struct PixelsRecipe: ImageRecipe {
    let pixels: FloatImage

    var inputs: [CIImage] { [] }

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage { try pixels.placed(in: bounds) }
}

/// The mean, the largest or the smallest value of each component over a rectangle, as one pixel at the origin.
struct ReductionRecipe: ImageRecipe {
    enum Kind: Sendable { case mean, largest, smallest }

    let image: CIImage
    let area: PixelRect
    let kind: Kind

    var inputs: [CIImage] { [image] }

    /// Rows are read in bands of at most this many pixels.
    private static let bandLimit = 1 << 20

    func render(_ bounds: PixelRect, _ pass: RenderPass) throws -> FloatImage {
        if kind == .mean, let stored = try pass.storedBytes(of: image), stored.covers(area) {
            let sum = stored.sum(over: area) / (255 * Double(area.width) * Double(area.height))
            return try FloatImage(bounds: bounds, filledWith: SIMD4<Float>(SIMD4(sum.z, sum.y, sum.x, sum.w)))
        }
        var sum = SIMD4<Double>.zero
        var extreme: FloatImage.Pixel?
        let rows = max(1, Self.bandLimit / area.width)
        var bottom = area.y
        while bottom < area.maxY {
            let band = PixelRect(
                x: area.x, y: bottom, width: area.width, height: min(rows, area.maxY - bottom))
            for pixel in try pass.pixels(of: image, in: band).pixels {
                switch kind {
                case .mean: sum += SIMD4<Double>(pixel)
                case .largest: extreme = extreme.map { pointwiseMax($0, pixel) } ?? pixel
                case .smallest: extreme = extreme.map { pointwiseMin($0, pixel) } ?? pixel
                }
            }
            bottom = band.maxY
        }
        let mean = sum / (Double(area.width) * Double(area.height))
        return try FloatImage(bounds: bounds, filledWith: extreme ?? SIMD4<Float>(mean))
    }
}
