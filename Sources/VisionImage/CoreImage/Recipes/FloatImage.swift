/// The pixels of a rectangle while a recipe is rendered: red, green, blue and alpha as floats, the colours multiplied
/// by alpha. Rows come from the bottom to the top, as y does.
package struct FloatImage: Sendable {
    package typealias Pixel = SIMD4<Float>

    package let bounds: PixelRect
    package var pixels: [Pixel]

    /// The largest number of pixels that a step may need at once: a GiB of memory. Images are rendered in bands, so
    /// only steps that look far around need more than a band.
    package static let pixelLimit = 1 << 26

    /// An image of one colour.
    package init(bounds: PixelRect, filledWith pixel: Pixel = .zero) throws {
        let (count, overflow) = bounds.width.multipliedReportingOverflow(by: bounds.height)
        guard !overflow, count <= Self.pixelLimit else {
            throw ImageError.tooManyPixels(width: bounds.width, height: bounds.height, limit: Self.pixelLimit)
        }
        self.bounds = bounds
        pixels = [Pixel](repeating: pixel, count: count)
    }

    /// An image whose pixels a function of their coordinates makes.
    package init(bounds: PixelRect, _ pixel: (_ x: Int, _ y: Int) -> Pixel) throws {
        try self.init(bounds: bounds)
        pixels.withUnsafeMutableBufferPointer { target in
            var index = 0
            for y in bounds.y..<bounds.maxY {
                for x in bounds.x..<bounds.maxX {
                    target[index] = pixel(x, y)
                    index += 1
                }
            }
        }
    }

    /// A pixel; transparent outside of the bounds.
    package subscript(x: Int, y: Int) -> Pixel {
        guard x >= bounds.x, x < bounds.maxX, y >= bounds.y, y < bounds.maxY else { return .zero }
        return pixels[(y - bounds.y) * bounds.width + x - bounds.x]
    }

    /// The bilinear mean around a point; the centre of a pixel is at (0.5, 0.5) of it. Transparent for NaN.
    package func sample(_ x: Double, _ y: Double) -> Pixel {
        guard x.magnitude < 1e9, y.magnitude < 1e9 else { return .zero }
        let (left, bottom) = ((x - 0.5).rounded(.down), (y - 0.5).rounded(.down))
        let (u, v) = (Float(x - 0.5 - left), Float(y - 0.5 - bottom))
        let (column, row) = (Int(left), Int(bottom))
        let low = self[column, row] * (1 - u) + self[column + 1, row] * u
        if v == 0 { return low }
        return low * (1 - v) + (self[column, row + 1] * (1 - u) + self[column + 1, row + 1] * u) * v
    }

    /// Returns the pixels of another rectangle, transparent outside of this one.
    package func placed(in other: PixelRect) throws -> FloatImage {
        if other == bounds { return self }
        var result = try FloatImage(bounds: other)
        let part = other.intersection(bounds)
        guard !part.isEmpty else { return result }
        for y in part.y..<part.maxY {
            let from = (y - bounds.y) * bounds.width + part.x - bounds.x
            let to = (y - other.y) * other.width + part.x - other.x
            result.pixels.replaceSubrange(to..<to + part.width, with: pixels[from..<from + part.width])
        }
        return result
    }

    /// Returns the pixels of another rectangle, with those of the edges repeated where there are none. This image has
    /// some.
    package func clamped(in other: PixelRect) throws -> FloatImage {
        var result = try FloatImage(bounds: other)
        let first = min(max(other.x, bounds.x), bounds.maxX)
        let part = first..<max(first, min(other.maxX, bounds.maxX))
        pixels.withUnsafeBufferPointer { pixels in
            result.pixels.withUnsafeMutableBufferPointer { target in
                for y in other.y..<other.maxY {
                    let source = (min(max(y, bounds.y), bounds.maxY - 1) - bounds.y) * bounds.width
                    let row = (y - other.y) * other.width
                    func fill(_ columns: Range<Int>, _ pixel: Pixel) {
                        for x in columns { target[row + x - other.x] = pixel }
                    }
                    fill(other.x..<max(other.x, min(bounds.x, other.maxX)), pixels[source])
                    for x in part { target[row + x - other.x] = pixels[source + x - bounds.x] }
                    fill(
                        min(max(bounds.maxX, other.x), other.maxX)..<other.maxX, pixels[source + bounds.width - 1])
                }
            }
        }
        return result
    }

    /// Returns the image with each pixel changed.
    package func map(_ change: (Pixel) -> Pixel) -> FloatImage {
        var result = self
        result.pixels.withUnsafeMutableBufferPointer { pixels in
            for index in pixels.indices { pixels[index] = change(pixels[index]) }
        }
        return result
    }
}

extension FloatImage.Pixel {
    /// The colours divided by alpha; zero where alpha is.
    package var unpremultiplied: Self {
        guard w > 0 else { return .zero }
        var result = self / w
        result.w = w
        return result
    }

    /// The colours multiplied by alpha.
    package var premultiplied: Self {
        var result = self * w
        result.w = w
        return result
    }
}
