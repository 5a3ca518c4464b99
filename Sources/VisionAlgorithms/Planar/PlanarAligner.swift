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
    /// Guesses of which less agrees before the largest level, of the inside and of the border, are given up.
    private static let leastAgreement = 0.35

    /// How far a cell is believed.
    static func trust(in agreement: Double) -> Double {
        let t = Swift.min(Swift.max((agreement - 0.35) / 0.3, 0), 1)
        return t * t * (3 - 2 * t)
    }

    /// The map from the template's square to the frame, starting from `start`. Nil when the alignment leaves what a planar
    /// thing can do.
    ///
    /// - Parameters:
    ///   - borders: From wide to narrow strips; none where the inside holds the plane alone.
    ///   - bordersOnly: Leaves the inside out, as it shows something else by now.
    ///   - isNear: Whether the start is off by a few pixels at most, so that the two largest levels do.
    ///   - isGuess: Whether the start is one of many that are mostly wrong: nil as well, then, for a map by which hardly
    ///     anything agrees before the largest level is looked at.
    ///   - effort: The number of samples that were looked at is added to it, with what the borders took as samples.
    func align(
        _ template: PlanarTemplate, borders: [PlanarBorder], bordersOnly: Bool, to pyramid: PlanarPyramid,
        from start: Homography, isNear: Bool, isGuess: Bool, effort: inout Int
    ) -> Homography? {
        var map = start
        for index in template.levels.indices.suffix(isNear ? 2 : template.levels.count) {
            let level = template.levels[index]
            let isLast = index == template.levels.count - 1
            let steps = isLast ? options.steps.last : options.steps.first
            let pixel = (abs(map.quad.area) / Double(level.columns * level.rows)).squareRoot()
            // From the wide border at the smallest levels to the narrow one.
            let fromEnd = template.levels.count - 1 - index
            let border = borders.isEmpty ? nil : fromEnd < 2 ? borders.last : borders.first
            var seen: (sight: PlanarBorder.Sight, quad: PlanarQuad)?
            for step in 0..<steps {
                if let border, step < 3 {
                    // Looked at anew when it has moved by more than the strips tell apart.
                    if seen.map({ $0.quad.largestDistance(to: map.quad) > $0.sight.unit }) ?? true {
                        seen = (border.look(pyramid, map), map.quad)
                        effort += PlanarBorder.effort
                    }
                }
                if !bordersOnly { effort += level.columns * level.rows }
                let next =
                    bordersOnly
                    ? moved(map, by: PlanarSystem(), seen?.sight, level, home: start)
                    : self.step(
                        level, seen?.sight, pyramid, map, isCoarse: index == 0,
                        mustAgree: isGuess && isLast && index > 0 && step == 0, home: start)
                guard let next else { return nil }
                let move = next.quad.largestDistance(to: map.quad)
                map = next
                if move < (isLast ? options.precision : 0.05 * pixel) { break }
            }
        }
        return map
    }

    /// The same where every start is taken to be good, and nobody counts.
    func align(
        _ template: PlanarTemplate, borders: [PlanarBorder], bordersOnly: Bool, to pyramid: PlanarPyramid,
        from start: Homography
    ) -> Homography? {
        var effort = 0
        return align(
            template, borders: borders, bordersOnly: bordersOnly, to: pyramid, from: start, isNear: false,
            isGuess: false, effort: &effort)
    }

    /// One step at one level.
    private func step(
        _ level: PlanarTemplate.Level, _ sight: PlanarBorder.Sight?, _ pyramid: PlanarPyramid, _ map: Homography,
        isCoarse: Bool, mustAgree: Bool, home: Homography
    ) -> Homography? {
        level.sample(pyramid, at: map)
        let cells = PlanarCell.all(of: level)
        if mustAgree, cells.agreement < Self.leastAgreement, sight?.agreeing ?? 0 < Self.leastAgreement { return nil }
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
        return moved(map, by: system, sight, level, home: home)
    }

    /// The map after the step that the equations and the border ask for.
    private func moved(
        _ map: Homography, by equations: PlanarSystem, _ sight: PlanarBorder.Sight?, _ level: PlanarTemplate.Level,
        home: Homography
    ) -> Homography? {
        var system = equations
        if let sight { system.add(sight, at: map, extent: level.extent) }
        // In the square of a level that shows more the shape's deviation is the same but for its perspective, which is small.
        shape?.add(to: &system, at: map)
        // Where neither texture nor border holds a direction, it stays where it started.
        guard let way = map.inverse.map({ $0 * home }) else { return nil }
        for (x, y) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)] {
            let there = way.apply(x, y)
            guard there.isFinite, abs(there.x) < 5, abs(there.y) < 5 else { continue }
            system.add(
                x: x, y: y, normalX: 1, normalY: 0, distance: (there.x - x) / level.extent, weight: Self.inertia)
            system.add(
                x: x, y: y, normalX: 0, normalY: 1, distance: (there.y - y) / level.extent, weight: Self.inertia)
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
