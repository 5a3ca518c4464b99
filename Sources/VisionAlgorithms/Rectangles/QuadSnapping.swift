package import VisionImage

/// Looks for clear straight lines near the sides of a quad that is about right, and for the quads that they make.
///
/// What `QuadRefinement` does for a quad that is right to some pixels, without deciding: a line printed within, a rim and the edge
/// itself are all found, for others to choose from.
package struct QuadSnapping {
    /// Places along a side, without its ends, where other sides and what hides corners disturb.
    private static let (places, ends) = (32, 0.05)
    /// Rows of a side's surroundings: the most on each side of it.
    private static let mostRows = 14
    /// Changes of colour over two rows beyond which an edge is as clear as can be.
    private static let clearest: Float = 24
    /// What a line loses at the end of the reach, in the unit of changes.
    private static let distanceLoss: Float = 0.3

    private let image: ColourSampler

    package init(image: Raster) { self.image = ColourSampler(image) }

    /// The quads of the clearest lines, the clearest first.
    ///
    /// - Parameters:
    ///   - reach: How far the ends of a side may move, as a part of the mean side.
    ///   - lines: The most lines for each side.
    ///   - most: The most quads.
    package func quads(near quad: PlanarQuad, reach: Double, lines: Int, most: Int) -> [PlanarQuad] {
        let corners = quad.corners, sides = quad.sides
        let reach = max(reach * (sides.width + sides.height) / 2, 4)
        guard quad.isFinite, reach < 4096 else { return [] }
        let found = (0..<4).map {
            clearLines(from: corners[$0], to: corners[($0 + 1) % 4], reach: reach, most: lines)
        }
        var result: [(value: Float, quad: PlanarQuad)] = []
        for top in found[0] {
            for right in found[1] {
                guard let second = top.crossing(right) else { continue }
                for bottom in found[2] {
                    guard let third = right.crossing(bottom) else { continue }
                    for left in found[3] {
                        guard let fourth = bottom.crossing(left), let first = left.crossing(top) else { continue }
                        let quad = PlanarQuad(topLeft: first, topRight: second, bottomRight: third, bottomLeft: fourth)
                        guard quad.isFinite, quad.isConvex else { continue }
                        result.append((top.value + right.value + bottom.value + left.value, quad))
                    }
                }
            }
        }
        let order = result.indices.sorted {
            result[$0].value != result[$1].value ? result[$0].value > result[$1].value : $0 < $1
        }
        return order.prefix(most).map { result[$0].quad }
    }

    /// How much the colours change across the sides, in one sense along each: the mean of the sides and the least, 0 … 1.
    package func clarity(of quad: PlanarQuad) -> (mean: Double, least: Double) {
        let corners = quad.corners
        guard quad.isFinite, corners.allSatisfy({ abs($0.x) < 1e6 && abs($0.y) < 1e6 }) else { return (0, 0) }
        let sides = (0..<4).map { index -> Double in
            let (a, b) = (corners[index], corners[(index + 1) % 4])
            let length = max(a.distance(to: b), 1)
            let normal = PlanarPoint(x: -(b.y - a.y) / length, y: (b.x - a.x) / length)
            let sum = changes(from: a, to: b, normal: normal, half: 0, step: 1).reduce(0, +)
            return Double(abs(sum) / (Float(Self.places) * Self.clearest))
        }
        return (sides.reduce(0, +) / 4, sides.min() ?? 0)
    }

    private struct Line {
        var from: PlanarPoint
        var to: PlanarPoint
        /// How clear it is.
        var value: Float

        func crossing(_ other: Line) -> PlanarPoint? {
            let (d, e) = (to - from, other.to - other.from)
            let turn = d.cross(e)
            guard abs(turn) > 1e-6 else { return nil }
            let along = (other.from - from).cross(e) / turn
            return PlanarPoint(x: from.x + d.x * along, y: from.y + d.y * along)
        }
    }

    /// Each end of the side is moved across it in steps; a line is as clear as the colours change across it, all along and in the
    /// same sense.
    private func clearLines(from a: PlanarPoint, to b: PlanarPoint, reach: Double, most: Int) -> [Line] {
        let length = max(a.distance(to: b), 1)
        let normal = PlanarPoint(x: -(b.y - a.y) / length, y: (b.x - a.x) / length)
        let half = min(max(Int(reach.rounded(.up)), 4), Self.mostRows), rows = 2 * half + 1
        let step = reach / Double(half)
        let changes = changes(from: a, to: b, normal: normal, half: half, step: step)
        var values = [(value: Float, first: Int, second: Int)]()
        values.reserveCapacity(rows * rows)
        for first in 0..<rows {
            for second in 0..<rows {
                var (size, sum): (Float, Float) = (0, 0)
                for place in 0..<Self.places {
                    let row = Float(first) + Float(second - first) * Self.part(place)
                    let change = changes[place * rows + Int(row + 0.5)]
                    size += abs(change)
                    sum += change
                }
                let away = Float(abs(first - half) + abs(second - half)) / Float(half)
                let value = (size + abs(sum)) / Float(2 * Self.places) - Self.distanceLoss * away
                values.append((value, first, second))
            }
        }
        values.sort { $0.value != $1.value ? $0.value > $1.value : ($0.first, $0.second) < ($1.first, $1.second) }
        // Neighbours of a line are the same one.
        let apart = max(2, 1.5 * step)
        var result: [(value: Float, first: Int, second: Int)] = []
        for entry in values {
            let isNew = result.allSatisfy {
                Double(max(abs($0.first - entry.first), abs($0.second - entry.second))) * step > apart
            }
            if isNew { result.append(entry) }
            if result.count == most { break }
        }
        func moved(_ point: PlanarPoint, _ row: Int) -> PlanarPoint {
            let way = Double(row - half) * step
            return PlanarPoint(x: point.x + way * normal.x, y: point.y + way * normal.y)
        }
        return result.map { Line(from: moved(a, $0.first), to: moved(b, $0.second), value: $0.value) }
    }

    private static func part(_ place: Int) -> Float {
        Float(ends) + Float(1 - 2 * ends) * (Float(place) + 0.5) / Float(places)
    }

    /// For each place along the side a row of changes across it, of the channel that changes most.
    private func changes(
        from a: PlanarPoint, to b: PlanarPoint, normal: PlanarPoint, half: Int, step: Double
    ) -> [Float] {
        let rows = 2 * half + 1
        var result = [Float](repeating: 0, count: Self.places * rows)
        var colours = [SIMD3<Float>](repeating: .zero, count: rows + 2)
        for place in 0..<Self.places {
            let part = Double(Self.part(place))
            let (x, y) = (a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part)
            for row in colours.indices {
                let across = Double(row - half - 1) * step
                colours[row] = image.smoothColour(x + normal.x * across, y + normal.y * across)
            }
            for row in 0..<rows {
                let change = colours[row + 2] - colours[row]
                var most = change.x
                if abs(change.y) > abs(most) { most = change.y }
                if abs(change.z) > abs(most) { most = change.z }
                result[place * rows + row] = min(max(most, -Self.clearest), Self.clearest)
            }
        }
        return result
    }
}
