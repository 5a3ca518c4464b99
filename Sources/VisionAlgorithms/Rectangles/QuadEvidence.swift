import VisionImage

/// The evidence that a quad is the outline of an object, as values roughly from 0 to 1.
struct QuadEvidence {
    static let names = [
        "coverage", "leastCoverage", "overshoot", "contrast", "polarity", "evenness", "step", "leastStep", "size",
        "corners", "leastPolarity", "leastContrast", "leastCorner",
    ]

    /// In the order of `names`.
    var values: [Double]

    /// - Parameters:
    ///   - lines: The lines that the candidate's indices refer to.
    ///   - image: The image in which the lines were found.
    init(_ candidate: QuadCandidate, lines: [ImageLine], image: ColourSampler) {
        let corners = candidate.quad.corners
        var strengths: [Double] = [], polarities: [Double] = [], ends: [Double] = []
        for side in 0..<4 {
            let line = lines[Int(candidate.lines[side])]
            let (a, b) = (line.position(of: corners[side]), line.position(of: corners[(side + 1) % 4]))
            let (low, high) = line.range(a, b)
            let seen = Double(line.covered[high] - line.covered[low])
            strengths.append(seen > 0 ? Double(line.strength[high] - line.strength[low]) / seen / 48 : 0)
            polarities.append(seen > 0 ? abs(Double(line.polarity[high] - line.polarity[low])) / seen : 0)
            // The edge coverage of the last sixth before each corner.
            let part = (b - a) / 6
            ends.append(line.coverage(from: a, to: a + part))
            ends.append(line.coverage(from: b - part, to: b))
        }
        let strips = Self.strips(candidate.quad, image)
        let sides = candidate.quad.sides
        // The mean of both sides at each corner.
        var atCorners: [Double] = []
        for index in 0..<4 { atCorners.append((ends[2 * index] + ends[(2 * index + 7) % 8]) / 2) }
        values = [candidate.coverage.sum() / 4, candidate.coverage.min(), candidate.overshoot]
        values += [min(strengths.reduce(0, +) / 4, 60) / 60, polarities.reduce(0, +) / 4]
        values += [strips.evenness, strips.step, strips.leastStep]
        values += [min(sides.width, sides.height) / Double(min(image.width, image.height)), atCorners.reduce(0, +) / 4]
        values += [polarities.min() ?? 0, min(strengths.min() ?? 0, 30) / 30, atCorners.min() ?? 0]
    }

    /// Compares the colours just inside and just outside of each side.
    private static func strips(
        _ quad: PlanarQuad, _ image: ColourSampler
    ) -> (evenness: Double, step: Double, leastStep: Double) {
        let corners = quad.corners
        let sign = quad.area > 0 ? 1.0 : -1
        let steps = 12
        var sum = SIMD3<Float>(), squares: Float = 0, count: Float = 0
        var shares: [Double] = []
        for side in 0..<4 {
            let (a, b) = (corners[side], corners[(side + 1) % 4])
            let length = max(a.distance(to: b), 1)
            // The inside is to the right of a side, for corners in clockwise order.
            let (nx, ny) = (-(b.y - a.y) / length * sign * 3.5, (b.x - a.x) / length * sign * 3.5)
            var seen = 0
            var (inside, outside) = (SIMD3<Float>(), SIMD3<Float>())
            var each: [SIMD3<Float>] = []
            for step in 0..<steps {
                let part = 0.1 + 0.8 * (Double(step) + 0.5) / Double(steps)
                let (x, y) = (a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part)
                let inner = image.colour(x + nx, y + ny), outer = image.colour(x - nx, y - ny)
                inside += inner
                outside += outer
                each.append(inner - outer)
                sum += inner
                squares += (inner * inner).sum()
                count += 1
            }
            // Count the steps that go in the direction of the whole side's.
            let mean = (inside - outside) / Float(steps)
            let size = max((mean * mean).sum().squareRoot(), 1)
            for step in each where (step * mean).sum() / size > 8 { seen += 1 }
            shares.append(Double(seen) / Double(steps))
        }
        let mean = sum / count
        let variance = max(squares / count - (mean * mean).sum(), 0)
        return (
            1 / (1 + Double(variance.squareRoot()) / 30), shares.reduce(0, +) / 4, shares.min() ?? 0
        )
    }
}

/// Reads the colours of an image at pixel positions.
struct ColourSampler {
    private let image: Raster
    private let channels: (red: Int, green: Int, blue: Int)

    init(_ image: Raster) {
        self.image = image
        channels = ColourTable.channels(of: image.format) ?? (0, 0, 0)
    }

    var width: Int { image.width }
    var height: Int { image.height }

    /// Returns the colour of the pixel at a position, clamped to the image.
    func colour(_ x: Double, _ y: Double) -> SIMD3<Float> {
        let column = Int(min(max(x, 0), Double(image.width - 1))), row = Int(min(max(y, 0), Double(image.height - 1)))
        let offset = row * image.rowBytes + column * image.format.bytesPerPixel
        return image.withUnsafePixels { pixels in
            SIMD3(
                Float(pixels.load(fromByteOffset: offset + channels.red, as: UInt8.self)),
                Float(pixels.load(fromByteOffset: offset + channels.green, as: UInt8.self)),
                Float(pixels.load(fromByteOffset: offset + channels.blue, as: UInt8.self)))
        }
    }
}
