/// Measures the contrast along the sides of quads.
package struct QuadClarity: Sendable {
    /// The number of positions along a side, and the part left out at its ends, where other sides and occluders
    /// disturb.
    private static let (positions, ends) = (32, 0.05)
    /// The change of colour over two pixels at which the contrast saturates.
    private static let clearest: Float = 24

    private let image: SideColours

    package init(image: SideColours) { self.image = image }

    /// Returns the signed colour contrast across the sides: the mean of the sides and the least, 0 … 1.
    package func clarity(of quad: PlanarQuad) -> (mean: Double, least: Double) {
        let corners = quad.corners
        guard quad.isFinite else { return (0, 0) }
        let sides = (0..<4).map { index -> Double in
            let band = image.across(
                from: corners[index], to: corners[(index + 1) % 4], positions: Self.positions, ends: Self.ends,
                samples: 3,
                step: 1)
            let sum = (0..<Self.positions).reduce(Float(0)) { sum, position in
                let change = band.colour(position, 2) - band.colour(position, 0)
                // The channel that changes most.
                var most = change.x
                if abs(change.y) > abs(most) { most = change.y }
                if abs(change.z) > abs(most) { most = change.z }
                return sum + min(max(most, -Self.clearest), Self.clearest)
            }
            return Double(abs(sum) / (Float(Self.positions) * Self.clearest))
        }
        return (sides.reduce(0, +) / 4, sides.min() ?? 0)
    }
}
