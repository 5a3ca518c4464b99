/// Direct alignment of a template with frames.
///
/// Each step solves the normal equations of all samples for the eight parameters of the homography, with the mean gradient of
/// template and frame (Benhimane, Malis, "Real-time image-based tracking of planes using efficient second-order minimization",
/// 2004). Light may change from cell to cell, Tukey's weights leave single samples out and each cell counts as far as it
/// correlates with the template, so that what covers a part of the plane does not pull at it.
struct PlanarAligner {
    struct Options {
        /// Steps at each level, from the smallest level to the largest.
        var steps: (first: Int, last: Int) = (8, 5)
        /// A move of all corners below this many pixels ends the steps of the largest level.
        var precision = 0.015
    }

    var options = Options()

    /// The shape that the thing keeps, if any.
    var shape: PlanarShape?

    /// What keeps a corner where it is: one over the square of a twentieth of the size.
    private static let inertia = 100.0

    /// How far a cell is believed.
    static func trust(in agreement: Double) -> Double {
        let t = Swift.min(Swift.max((agreement - 0.35) / 0.3, 0), 1)
        return t * t * (3 - 2 * t)
    }

    /// The map from the template's square to the frame, starting from `map`. Nil when the alignment leaves what a planar
    /// thing can do.
    ///
    /// - Parameters:
    ///   - borders: From wide to narrow strips; none where the inside holds the plane alone.
    ///   - bordersOnly: Leaves the inside out, as it shows something else by now.
    func align(
        _ template: PlanarTemplate, borders: [PlanarBorder], bordersOnly: Bool, to pyramid: PlanarPyramid,
        from map: Homography
    ) -> Homography? {
        var map = map
        for index in template.levels.indices {
            let level = template.levels[index]
            let isLast = index == template.levels.count - 1
            let steps = isLast ? options.steps.last : options.steps.first
            let pixel = (abs(map.quad.area) / Double(level.columns * level.rows)).squareRoot()
            // From the wide border at the smallest levels to the narrow one.
            let fromEnd = template.levels.count - 1 - index
            let border = borders.isEmpty ? nil : fromEnd < 2 ? borders.last : borders.first
            for _ in 0..<steps {
                let next =
                    bordersOnly
                    ? border.flatMap { moved(map, by: PlanarSystem(), $0, pyramid, level) }
                    : step(level, border: border, pyramid, map, isCoarse: index == 0)
                guard let next else { return nil }
                let move = next.quad.largestDistance(to: map.quad)
                map = next
                if move < (isLast ? options.precision : 0.05 * pixel) { break }
            }
        }
        return map
    }

    /// One step at one level.
    private func step(
        _ level: PlanarTemplate.Level, border: PlanarBorder?, _ pyramid: PlanarPyramid, _ map: Homography,
        isCoarse: Bool
    ) -> Homography? {
        level.sample(pyramid, at: map)
        let cells = PlanarCell.all(of: level)
        // The median residual of the cells: hands over fewer than half of them do not raise it.
        let residuals = cells.filter { $0.visible > 0 }.map(\.residual).sorted()
        guard !residuals.isEmpty else { return nil }
        let spread = max(residuals[residuals.count / 2], PlanarCell.noise / 9)
        let cutoff = Float(4.7 * spread.squareRoot()).clamped(12, 120)
        let trust = cells.map {
            Float(isCoarse ? max(0.2, Self.trust(in: $0.agreement)) : Self.trust(in: $0.agreement))
        }
        let moments = level.comparison.moments(
            of: level.relit, patch: level.patch, model: level.model, cells: trust, cutoff: cutoff)

        var system = PlanarSystem()
        system.add(moments: moments, scale: 1 / spread)
        return moved(map, by: system, border, pyramid, level)
    }

    /// The map after the step that the equations and the border ask for.
    private func moved(
        _ map: Homography, by equations: PlanarSystem, _ border: PlanarBorder?, _ pyramid: PlanarPyramid,
        _ level: PlanarTemplate.Level
    ) -> Homography? {
        var system = equations
        if let border { border.add(to: &system, pyramid, map, extent: level.extent) }
        // In the square of a level that shows more the shape's deviation is the same but for its perspective, which is small.
        shape?.add(to: &system, at: map)
        // Where neither texture nor border holds a direction, it stays.
        for (x, y) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)] {
            system.add(x: x, y: y, normalX: 1, normalY: 0, distance: 0, weight: Self.inertia)
            system.add(x: x, y: y, normalX: 0, normalY: 1, distance: 0, weight: Self.inertia)
        }
        guard let solution = system.solution() else { return nil }
        // No step turns a corner inside out, whatever the equations say.
        let largest = solution.map(abs).max() ?? 0
        let limit = 0.3
        let next = level.inner(
            level.outer(map).moved(by: largest > limit ? solution.map { $0 * limit / largest } : solution))
        guard next.isProper else { return nil }
        return next
    }
}

extension Float {
    fileprivate func clamped(_ low: Float, _ high: Float) -> Float { Swift.min(Swift.max(self, low), high) }
}
