import Foundation
package import VisionImage

/// Measures what tells the outline of a whole page from that of a part of it, or of several sheets: how much of each
/// side has an edge, though things may lie across it, and how quiet it is beyond the sides.
package struct PageEvidence: Sendable {
    /// The values for a quad.
    package struct Values: Equatable, Sendable {
        /// The part of each side that has an edge of one direction: the least, and the mean of the four.
        package var leastCoverage: Double
        package var meanCoverage: Double
        /// The area as a share of the image.
        package var area: Double
        /// The typical strongest change of colour in a band beyond a side, in grey levels a pixel: the largest of the
        /// four, and the mean.
        package var mostBeyond: Double
        package var meanBeyond: Double
    }

    /// The part left out at both ends of a side, and the longest number of positions along it.
    private static let (ends, mostPositions) = (0.02, 400)
    /// The samples across a side, on either side of it, and the first one that counts as beyond it.
    private static let (reach, beyond) = (15, 4)
    /// The largest change that counts, in grey levels a pixel: behind that the size says nothing.
    private static let largestChange: Float = 20
    /// The least change of an edge: in grey levels a pixel, and relative to the median of the image.
    private static let (leastChange, leastRatio): (Float, Float) = (1, 1.2)

    private let image: SideColours
    private let threshold: Float

    /// - Parameter image: Bytes of one, three or four channels, at least 8 × 8 pixels.
    /// - Throws: `ImageError`.
    package init(_ image: Raster) throws {
        self.image = try SideColours(image)
        threshold = max(Self.leastChange, Self.leastRatio * Self.medianChange(of: image))
    }

    /// Returns the values for a quad whose corners go clockwise.
    package func values(of quad: PlanarQuad) -> Values {
        let corners = quad.corners
        let sides = (0..<4).map { side(from: corners[$0], to: corners[($0 + 1) % 4]) }
        let (coverages, noises) = (sides.map(\.coverage), sides.map(\.beyond))
        return Values(
            leastCoverage: coverages.min() ?? 0, meanCoverage: coverages.reduce(0, +) / 4,
            area: abs(quad.area) / Double(image.width * image.height), mostBeyond: noises.max() ?? 0,
            meanBeyond: noises.reduce(0, +) / 4)
    }

    private func side(from a: PlanarPoint, to b: PlanarPoint) -> (coverage: Double, beyond: Double) {
        let length = a.distance(to: b)
        let count = min(max(Int(length), 8), Self.mostPositions)
        // Samples go from left to right of the direction; the inside of a clockwise quad is to its right in an image
        // with y down, where the normal of `SideColours` points.
        let samples = 2 * Self.reach + 1
        let band = image.across(from: a, to: b, positions: count, ends: Self.ends, samples: samples, step: 1)
        let spacing = Float(max(length * (1 - 2 * Self.ends) / Double(count), 1e-3))
        func smoothed(_ position: Int, _ sample: Int) -> SIMD3<Float> {
            let (before, after) = (max(position - 1, 0), min(position + 1, count - 1))
            return (band.colour(before, sample) + 2 * band.colour(position, sample) + band.colour(after, sample)) / 4
        }
        var (rising, falling) = (0, 0)
        var noises: [Float] = []
        for position in 0..<count {
            var (up, down) = (false, false)
            for sample in (Self.reach - 1)...(Self.reach + 1) {
                let across = (smoothed(position, sample + 1) - smoothed(position, sample - 1)) / 2
                let channel = Self.strongest(across)
                let (first, last) = (max(position - 1, 0), min(position + 1, count - 1))
                let along = (band.colour(last, sample) - band.colour(first, sample)) / (Float(last - first) * spacing)
                guard abs(along[channel]) < 0.5 * abs(across[channel]) else { continue }
                if across[channel] > threshold { up = true }
                if across[channel] < -threshold { down = true }
            }
            if up { rising += 1 }
            if down { falling += 1 }
            var most: Float = 0
            for sample in 1...(Self.reach - Self.beyond) {
                let across = (smoothed(position, sample + 1) - smoothed(position, sample - 1)) / 2
                most = max(most, abs(across[Self.strongest(across)]))
                let (first, last) = (max(position - 1, 0), min(position + 1, count - 1))
                let along = (band.colour(last, sample) - band.colour(first, sample)) / (Float(last - first) * spacing)
                most = max(most, abs(along[Self.strongest(along)]))
            }
            noises.append(min(most, Self.largestChange))
        }
        noises.sort()
        return (Double(max(rising, falling)) / Double(count), Double(noises[count / 2]))
    }

    /// The channel that changes most.
    private static func strongest(_ change: SIMD3<Float>) -> Int {
        let sizes = [abs(change.x), abs(change.y), abs(change.z)]
        return sizes[0] >= sizes[1] && sizes[0] >= sizes[2] ? 0 : sizes[1] >= sizes[2] ? 1 : 2
    }

    /// The median of the gradient's length, in grey levels a pixel, over a grid of pixels.
    private static func medianChange(of image: Raster) -> Float {
        let sampler = ColourSampler(image)
        var changes: [Float] = []
        for y in stride(from: 2, to: image.height - 2, by: 5) {
            for x in stride(from: 2, to: image.width - 2, by: 5) {
                let (u, v) = (Double(x), Double(y))
                func row(_ offset: Double) -> SIMD3<Float> {
                    (sampler.colour(u + 1, v + offset) - sampler.colour(u - 1, v + offset)) / 2
                }
                func column(_ offset: Double) -> SIMD3<Float> {
                    (sampler.colour(u + offset, v + 1) - sampler.colour(u + offset, v - 1)) / 2
                }
                let across = (row(-1) + 2 * row(0) + row(1)) / 4, down = (column(-1) + 2 * column(0) + column(1)) / 4
                let sizes = across * across + down * down
                changes.append(sizes.max().squareRoot())
            }
        }
        guard !changes.isEmpty else { return 0 }
        changes.sort()
        return changes[changes.count / 2]
    }
}
