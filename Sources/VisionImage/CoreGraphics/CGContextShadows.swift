public import Foundation

/// What shapes, lines and images cast.
struct Shadow {
    /// In pixels, y up: transforms do not change it.
    let offset: CGSize
    /// The standard deviation of the blur in pixels.
    let deviation: Double
    let colour: Colour

    private static let largestDeviation = 500.0

    /// - Parameter blur: Twice the standard deviation.
    init?(offset: CGSize, blur: CGFloat, colour: Colour) {
        guard offset.width.magnitude < 1e6, offset.height.magnitude < 1e6, blur.isFinite, colour.alpha > 0 else {
            return nil
        }
        (self.offset, self.colour) = (offset, colour)
        deviation = min(max(Double(blur) / 2, 0), Self.largestDeviation)
    }
}

extension CGContext {
    /// Lets everything that is drawn cast a black shadow of a third of the opacity.
    ///
    /// - Parameters:
    ///   - offset: From what is drawn to its shadow, in pixels, y up, whatever the transform is.
    ///   - blur: Twice the standard deviation of the shadow's edges in pixels.
    public func setShadow(offset: CGSize, blur: CGFloat) {
        state.shadow = Shadow(offset: offset, blur: blur, colour: Colour(0, 0, 0, 1.0 / 3))
    }

    /// Lets everything that is drawn cast a shadow; nothing does if the colour is nil. See `setShadow(offset:blur:)`.
    /// What lies outside of the context casts none.
    public func setShadow(offset: CGSize, blur: CGFloat, color: CGColor?) {
        state.shadow = color.flatMap { Shadow(offset: offset, blur: blur, colour: $0.colour) }
    }

    /// Draws with the shadow of what is drawn below it.
    func withShadow(_ draw: () -> Void) {
        guard let shadow = state.shadow, state.blendMode != .clear, castMask == nil, !isDocument else { return draw() }
        let clip = state.clip
        // The clip cuts the shadow, not what casts it.
        state.clip = ClipArea(width: width, height: height)
        castMask = [Float](repeating: 1, count: width * height)
        draw()
        let mask = (castMask ?? []).map { 1 - $0 }
        castMask = nil
        state.clip = clip
        cast(mask, shadow)
        state.shadow = nil
        draw()
        state.shadow = shadow
    }

    private func cast(_ mask: [Float], _ shadow: Shadow) {
        let (shiftX, shiftY) = (Int(shadow.offset.width.rounded()), Int(shadow.offset.height.rounded()))
        let blurred = ShadowBlur(deviation: shadow.deviation).blur(mask, width: width, height: height, shiftX, shiftY)
        let (clip, source) = (state.clip, shadow.colour.components)
        for row in clip.rows {
            for x in clip.columns {
                let share = blurred[row * width + x]
                if share > 0 { blend(source, coverage: min(share, 1) * clip.coverage(x, row), x: x, row: row) }
            }
        }
    }
}

/// A normal distribution by three means, each of a running sum.
private struct ShadowBlur {
    private let radii: [Int]

    init(deviation: Double) {
        // A mean of 2 r + 1 pixels has a variance of r (r + 1) / 3, that of the next size 2 (r + 1) / 3 more.
        let variance = deviation * deviation
        let radius = Int(((4 * variance + 1).squareRoot() - 1) / 2)
        let rest = variance - Double(radius * (radius + 1))
        let wider = Int((rest * 3 / Double(2 * (radius + 1))).rounded())
        radii = (0..<3).map { $0 < wider ? radius + 1 : radius }
    }

    /// Returns a blurred and shifted mask, of which row 0 is the lowest.
    func blur(_ mask: [Float], width: Int, height: Int, _ shiftX: Int, _ shiftY: Int) -> [Float] {
        // The means reach so far beyond the edges.
        let margin = radii.reduce(0, +)
        var result = [Float](repeating: 0, count: mask.count)
        for row in 0..<height {
            let line = means((0..<width).map { mask[row * width + $0] }, margin)
            for x in 0..<width {
                let from = x - shiftX + margin
                if line.indices.contains(from) { result[row * width + x] = line[from] }
            }
        }
        for x in 0..<width {
            let line = means((0..<height).map { result[$0 * width + x] }, margin)
            for row in 0..<height {
                let from = row - shiftY + margin
                result[row * width + x] = line.indices.contains(from) ? line[from] : 0
            }
        }
        return result
    }

    /// The means of a line with as many zeros on both sides as the margin says.
    private func means(_ values: [Float], _ margin: Int) -> [Float] {
        let zeros = [Float](repeating: 0, count: margin)
        var line = zeros + values + zeros
        for radius in radii where radius > 0 {
            // In double precision, so that nothing is left of what was added and taken away.
            var sum = line[0..<min(radius, line.count)].reduce(0) { $0 + Double($1) }
            let source = line
            for x in line.indices {
                if x + radius < source.count { sum += Double(source[x + radius]) }
                line[x] = Float(max(0, sum) / Double(2 * radius + 1))
                if x >= radius { sum -= Double(source[x - radius]) }
            }
        }
        return line
    }
}
