/// How clearly the sides of quads are seen.
package struct QuadClarity: Sendable {
    /// Places along a side, without its ends, where other sides and what hides corners disturb.
    private static let (places, ends) = (32, 0.05)
    /// A change of colour over two pixels beyond which an edge is as clear as can be.
    private static let clearest: Float = 24

    private let image: SideColours

    package init(image: SideColours) { self.image = image }

    /// How much the colours change across the sides, in one sense along each: the mean of the sides and the least, 0 … 1.
    package func clarity(of quad: PlanarQuad) -> (mean: Double, least: Double) {
        let corners = quad.corners
        guard quad.isFinite else { return (0, 0) }
        let sides = (0..<4).map { index -> Double in
            let band = image.across(
                from: corners[index], to: corners[(index + 1) % 4], places: Self.places, ends: Self.ends, samples: 3,
                step: 1)
            let sum = (0..<Self.places).reduce(Float(0)) { sum, place in
                let change = band.colour(place, 2) - band.colour(place, 0)
                // Of the channel that changes most.
                var most = change.x
                if abs(change.y) > abs(most) { most = change.y }
                if abs(change.z) > abs(most) { most = change.z }
                return sum + min(max(most, -Self.clearest), Self.clearest)
            }
            return Double(abs(sum) / (Float(Self.places) * Self.clearest))
        }
        return (sides.reduce(0, +) / 4, sides.min() ?? 0)
    }
}
