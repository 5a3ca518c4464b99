/// Refines the sides of a quad to subpixel precision: moves them to the strongest colour edges of the full-size image.
package struct QuadRefinement {
    /// The number of positions along a side.
    private static let positions = 48
    /// The largest reach of the search on both sides of a side, in steps.
    private static let maximumReach = 8

    private let image: SideColours

    package init(image: SideColours) { self.image = image }

    /// Returns the quad with each side fitted again; a side without an edge, or that would move farther than `reach`
    /// pixels, stays.
    package func refined(_ quad: PlanarQuad, reach: Double) -> PlanarQuad {
        var quad = quad
        for round in 0..<2 {
            let corners = quad.corners
            let wide = max(round == 0 ? reach : min(reach, 2), 1.5)
            let sides = (0..<4).map { side(corners[$0], corners[($0 + 1) % 4], reach: wide) }
            var moved: [PlanarPoint] = []
            for index in 0..<4 {
                let (before, after) = (sides[(index + 3) % 4], sides[index])
                let (d, e) = (before.1 - before.0, after.1 - after.0)
                let determinant = d.cross(e)
                guard abs(determinant) > 1e-6 else { return quad }
                let along = (after.0 - before.0).cross(e) / determinant
                moved.append(PlanarPoint(x: before.0.x + d.x * along, y: before.0.y + d.y * along))
            }
            let next = PlanarQuad(topLeft: moved[0], topRight: moved[1], bottomRight: moved[2], bottomLeft: moved[3])
            guard next.isFinite, next.isConvex, next.largestDistance(to: quad) < 3 * wide else { return quad }
            quad = next
        }
        return quad
    }

    /// Returns two points of the fitted line.
    private func side(_ a: PlanarPoint, _ b: PlanarPoint, reach: Double) -> (PlanarPoint, PlanarPoint) {
        let length = a.distance(to: b)
        guard length > 4 else { return (a, b) }
        let (ux, uy) = ((b.x - a.x) / length, (b.y - a.y) / length)
        let half = min(Int(reach.rounded(.up)), Self.maximumReach)
        let unit = reach / Double(half)
        var peaks: [(along: Double, across: Double, weight: Double)] = []
        let band = image.across(
            from: a, to: b, positions: Self.positions, ends: 0.05, samples: 2 * half + 3, step: unit)
        for position in 0..<Self.positions {
            let along = (0.05 + 0.9 * (Double(position) + 0.5) / Double(Self.positions)) * length
            let (x, y) = (a.x + ux * along, a.y + uy * along)
            guard x > 1, y > 1, x < Double(image.width) - 1, y < Double(image.height) - 1 else { continue }
            // Differences over two samples.
            let changes = (1...(2 * half + 1)).map { index -> Float in
                let change = band.colour(position, index + 1) - band.colour(position, index - 1)
                return (change * change).sum()
            }
            guard
                let best = changes.indices.dropFirst().dropLast().max(by: {
                    weighted(changes, $0, half) < weighted(changes, $1, half)
                }),
                changes[best] > 16, changes[best] >= changes[best - 1], changes[best] >= changes[best + 1]
            else { continue }
            let (p, q, r) = (changes[best - 1].squareRoot(), changes[best].squareRoot(), changes[best + 1].squareRoot())
            let curve = 2 * q - p - r
            let offset = curve > 0 ? Double(0.5 * (r - p) / curve) : 0
            peaks.append((along, (Double(best - half) + offset) * unit, Double(min(q, 60))))
        }
        guard peaks.count >= Self.positions / 4 else { return (a, b) }
        // Tukey's weights, with a cutoff that falls from all of the reach to a pixel.
        var (start, slope) = (0.0, 0.0)
        for cutoff in [reach * 1.2, max(reach * 0.6, 1.2), 1.2, 0.8] {
            var sums = LineSums()
            var count = 0
            for peak in peaks {
                let part = (peak.across - start - slope * peak.along) / cutoff
                guard abs(part) < 1 else { continue }
                let tukey = (1 - part * part) * (1 - part * part)
                sums.add(peak.along, peak.across, weight: peak.weight * tukey)
                count += 1
            }
            guard count >= Self.positions / 5 else { return (a, b) }
            (start, slope) = sums.line(prior: slope, strength: 1)
        }
        let end = start + slope * length
        return (
            PlanarPoint(x: a.x - uy * start, y: a.y + ux * start), PlanarPoint(x: b.x - uy * end, y: b.y + ux * end)
        )
    }

    /// Weights changes less towards the ends of the reach.
    private func weighted(_ changes: [Float], _ index: Int, _ half: Int) -> Float {
        let part = Float(index - half) / Float(half + 1)
        return changes[index] * (1 - 0.6 * part * part)
    }
}
