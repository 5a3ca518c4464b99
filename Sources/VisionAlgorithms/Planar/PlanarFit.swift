import Foundation

/// How well a planar thing fits a frame at a place.
struct PlanarFit {
    var map: Homography
    /// The share of the thing's inside that looks as it did, by what it says: 0 ... 1.
    var inside = 0.0
    /// The same without the cells at the rim, which show the frame of a screen whatever it shows within.
    var core = 0.0
    /// The share of the border that is where it was: 0 ... 1.
    var border = 0.0
    /// The part of the thing within the frame.
    var visible = 0.0
    /// Correlation of the inside.
    var agreement = 0.0
    /// What speaks for the place, and the same as a likelihood.
    var score = 0.0
    var confidence = 0.0

    /// How many samples were looked at, about.
    var effort = 0

    /// What the score is made of: the inside, the narrow and the wide border as far as they agree, and what of the borders is
    /// known and can be seen.
    var evidence = SIMD4<Double>()

    /// What tells the thing from other places, as a logistic function of the evidence.
    ///
    /// Fitted to 37,000 alignments that started at the right place or beside it, in made videos of photographs, pages and
    /// screens in perspective, under changing light, blur, hands and at the edge of the picture: `Benchmarks accuracy
    /// rectangles --alignments`, `Training/Tracking/fit_rectangles.py`.
    private static let weights = SIMD4(12.95, 15.9, 9.84, -4.45)
    private static let none = -6.03

    /// - Parameter borders: From wide to narrow strips.
    init(_ template: PlanarTemplate, _ borders: [PlanarBorder], _ pyramid: PlanarPyramid, at map: Homography) {
        self.map = map
        // An outline is told by what lies around it as well.
        let outline = template.levels.last { $0.extent > 1 }
        let level = outline ?? template.judge
        level.sample(pyramid, at: map)
        effort = level.columns * level.rows + borders.count * PlanarBorder.effort
        let cells = PlanarCell.all(of: level)
        visible = cells.visibleShare
        guard visible > 0.05 else { return }
        inside = cells.agreeingShare
        agreement = cells.agreement
        let core = level.core
        self.core = core.isEmpty ? cells.agreement : core.map { cells[$0] }.agreement
        let amount = cells.reduce(0) { $0 + $1.evidence }
        evidence.x = inside * (outline == nil ? min(1, amount / 2) : 1)
        for (index, strip) in borders.enumerated() {
            let sight = strip.look(pyramid, map)
            let known = strip.strength * sight.visible
            let isNarrow = index == borders.count - 1
            evidence[isNarrow ? 1 : 2] = known * sight.agreeing
            evidence.w += known
            if isNarrow { border = known * sight.agreeing }
        }
        let terms = evidence * Self.weights
        let edges = terms.y + terms.z + terms.w
        // Hands that hold a plain thing hide much of its outline, which says nothing against it.
        score = Self.none + terms.x + (outline == nil ? edges : max(0, edges))
        confidence = 1 / (1 + exp(-score))
    }
}
