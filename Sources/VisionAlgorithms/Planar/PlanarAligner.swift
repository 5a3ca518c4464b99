/// Aligns a template with frames by direct minimisation of the grey differences.
///
/// Each step solves the normal equations of all samples for the eight parameters of the homography, with the mean
/// gradient of template and frame (Benhimane, Malis, "Real-time image-based tracking of planes using efficient
/// second-order minimization", 2004). The illumination may change from cell to cell. Tukey's weights exclude outlying
/// samples, and each cell is weighted by its correlation with the template, so that occluded parts do not pull.
struct PlanarAligner {
    struct Options {
        /// The number of steps at each level except the largest, and at the largest.
        var steps: (first: Int, last: Int) = (8, 5)
        /// The steps of the largest level end when no corner moves by this many pixels.
        var precision = 0.015
    }

    var options = Options()

    /// The shape prior, if any.
    var shape: PlanarShape?

    /// The weight that keeps a corner at its start where nothing else holds it: one over the square of a twentieth of
    /// the size.
    private static let inertia = 100.0
    /// Proposals whose inside and border agree less than this before the largest level are rejected early.
    private static let minimumAgreement = 0.35

    /// Returns the weight of a cell, 0 ... 1, for its correlation with the template.
    static func trust(in agreement: Double) -> Double {
        let t = Swift.min(Swift.max((agreement - 0.35) / 0.3, 0), 1)
        return t * t * (3 - 2 * t)
    }

    /// Returns the map from the template's square to the frame, starting from `start`, or nil if the alignment leaves
    /// what a planar object can do.
    ///
    /// - Parameters:
    ///   - borders: From wide to narrow strips; empty if the inside is enough.
    ///   - bordersOnly: Leaves out the inside, for objects whose content has changed.
    ///   - isNear: Whether the start is off by a few pixels at most, so that the two largest levels are enough.
    ///   - isProposal: Whether the start is one of many proposals, most of which are wrong: those that hardly agree
    ///     before the largest level are rejected with nil.
    ///   - effort: Is increased by the number of samples compared, with the border's cost in the same unit.
    func align(
        _ template: PlanarTemplate, borders: [PlanarBorder], bordersOnly: Bool, to pyramid: PlanarPyramid,
        from start: Homography, isNear: Bool, isProposal: Bool, effort: inout Int
    ) -> Homography? {
        var map = start
        for index in template.levels.indices.suffix(isNear ? 2 : template.levels.count) {
            let level = template.levels[index]
            let isLast = index == template.levels.count - 1
            let steps = isLast ? options.steps.last : options.steps.first
            let pixel = (abs(map.quad.area) / Double(level.columns * level.rows)).squareRoot()
            // The wide border at the smallest levels, then the narrow one.
            let fromEnd = template.levels.count - 1 - index
            let border = borders.isEmpty ? nil : fromEnd < 2 ? borders.last : borders.first
            var seen: (observation: PlanarBorder.Observation, quad: PlanarQuad)?
            for step in 0..<steps {
                if let border, step < 3 {
                    // The border is observed again only after a move larger than its strips resolve.
                    if seen.map({ $0.quad.largestDistance(to: map.quad) > $0.observation.unit }) ?? true {
                        seen = (border.observe(pyramid, map), map.quad)
                        effort += PlanarBorder.effort
                    }
                }
                if !bordersOnly { effort += level.columns * level.rows }
                let next =
                    bordersOnly
                    ? moved(map, by: PlanarSystem(), seen?.observation, level, home: start)
                    : self.step(
                        level, seen?.observation, pyramid, map, isCoarse: index == 0,
                        mustAgree: isProposal && isLast && index > 0 && step == 0, home: start)
                guard let next else { return nil }
                let move = next.quad.largestDistance(to: map.quad)
                map = next
                if move < (isLast ? options.precision : 0.05 * pixel) { break }
            }
        }
        return map
    }

    /// Aligns without early rejection and without counting the effort.
    func align(
        _ template: PlanarTemplate, borders: [PlanarBorder], bordersOnly: Bool, to pyramid: PlanarPyramid,
        from start: Homography
    ) -> Homography? {
        var effort = 0
        return align(
            template, borders: borders, bordersOnly: bordersOnly, to: pyramid, from: start, isNear: false,
            isProposal: false, effort: &effort)
    }

    /// Returns the map after one step at one level.
    private func step(
        _ level: PlanarTemplate.Level, _ observation: PlanarBorder.Observation?, _ pyramid: PlanarPyramid,
        _ map: Homography,
        isCoarse: Bool, mustAgree: Bool, home: Homography
    ) -> Homography? {
        level.sample(pyramid, at: map)
        let cells = PlanarCell.all(of: level)
        if mustAgree, cells.agreement < Self.minimumAgreement, observation?.agreeing ?? 0 < Self.minimumAgreement {
            return nil
        }
        // The median residual of the cells, which occlusion of fewer than half of them does not raise.
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
        return moved(map, by: system, observation, level, home: home)
    }

    /// Returns the map after the step that the equations and the border give.
    private func moved(
        _ map: Homography, by equations: PlanarSystem, _ observation: PlanarBorder.Observation?,
        _ level: PlanarTemplate.Level,
        home: Homography
    ) -> Homography? {
        var system = equations
        if let observation { system.add(observation, at: map, extent: level.extent) }
        // At a level that shows more than the object, the shape's deviation is the same but for its perspective, which
        // is small.
        shape?.add(to: &system, at: map)
        // A direction that neither texture nor border holds stays at its start.
        guard let toStart = map.inverse.map({ $0 * home }) else { return nil }
        for (x, y) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)] {
            let there = toStart.apply(x, y)
            guard there.isFinite, abs(there.x) < 5, abs(there.y) < 5 else { continue }
            system.add(
                x: x, y: y, normalX: 1, normalY: 0, distance: (there.x - x) / level.extent, weight: Self.inertia)
            system.add(
                x: x, y: y, normalX: 0, normalY: 1, distance: (there.y - y) / level.extent, weight: Self.inertia)
        }
        guard let solution = system.solution() else { return nil }
        // The step is limited so that the map stays proper whatever the equations give.
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
