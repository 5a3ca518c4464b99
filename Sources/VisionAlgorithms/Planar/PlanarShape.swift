/// The prior for the shape of an object that is tracked by its outline, for frames in which a part of the outline is
/// hidden.
struct PlanarShape {
    private let first: Homography
    /// Half the width over half the height.
    private let aspect: Double
    /// The weight of the prior, relative to the evidence of the frame.
    var stiffness: Double

    init(_ first: Homography, stiffness: Double) {
        self.first = first
        self.stiffness = stiffness
        let sides = first.quad.sides
        aspect = sides.width / max(sides.height, 1e-9)
    }

    /// Adds equations that bring `map` back to the first shape, up to a similarity. The system is that of the object's
    /// square.
    func add(to system: inout PlanarSystem, at map: Homography) {
        guard let deviation = deviation(of: map) else { return }
        let weight = stiffness * system.strength
        // A rotation by t moves the square's points to x - t y / aspect, y + t x aspect.
        system.add(row: [1, 0, 0, 0, -1, 0, 0, 0], value: deviation.row1.y - deviation.row0.x, weight: weight)
        system.add(
            row: [0, aspect, 0, 1 / aspect, 0, 0, 0, 0],
            value: -(deviation.row0.y * aspect + deviation.row1.x / aspect), weight: weight)
        system.add(row: [0, 0, 0, 0, 0, 0, 1, 0], value: -deviation.row2.x, weight: 4 * weight)
        system.add(row: [0, 0, 0, 0, 0, 0, 0, 1], value: -deviation.row2.y, weight: 4 * weight)
    }

    /// Returns the deviation of `map` from the first shape after removing the similarity between them, in the square.
    private func deviation(of map: Homography) -> Homography? {
        let (old, new) = (first.affine, map.affine)
        // The axes as complex numbers; their ratios, weighted by their lengths, give rotation and scale.
        var (real, imaginary, total) = (0.0, 0.0, 0.0)
        for (before, after) in [
            ((old.row0.x, old.row1.x), (new.row0.x, new.row1.x)), ((old.row0.y, old.row1.y), (new.row0.y, new.row1.y)),
        ] {
            real += after.0 * before.0 + after.1 * before.1
            imaginary += after.1 * before.0 - after.0 * before.1
            total += before.0 * before.0 + before.1 * before.1
        }
        guard total > 0 else { return nil }
        let (c, s) = (real / total, imaginary / total)
        let (from, to) = (first.apply(0, 0), map.apply(0, 0))
        let similarity = Homography(
            [c, -s, to.x - c * from.x + s * from.y], [s, c, to.y - s * from.x - c * from.y], [0, 0, 1])
        return (similarity * first).inverse.map { $0 * map }
    }
}
