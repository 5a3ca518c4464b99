import Foundation

/// How well a planar object fits a frame at `map`.
struct PlanarFit {
    var map: Homography
    /// The share of the object's inside that matches the template, weighted by texture: 0 ... 1.
    var inside = 0.0
    /// The same without the cells at the rim, which show the frame of a screen whatever the screen shows.
    var core = 0.0
    /// The share of the border that was found at its position: 0 ... 1.
    var border = 0.0
    /// The part of the object within the frame.
    var visible = 0.0
    /// The correlation of the inside.
    var agreement = 0.0
    /// The evidence for the alignment as a sum, and as a probability.
    var score = 0.0
    var confidence = 0.0

    /// The approximate number of samples that were compared.
    var effort = 0

    /// The terms of the score: the agreement of the inside, of the narrow and of the wide border, and the visible part
    /// of the borders.
    var evidence = SIMD4<Double>()

    /// The weights of the logistic function that separates the right alignment from others.
    ///
    /// Fitted to 37,000 alignments that started at or near the right position, in generated videos of photographs,
    /// pages and screens in perspective, under changing light, blur, hands and at the edge of the frame: `Benchmarks
    /// accuracy rectangles --alignments`, `Training/Tracking/fit_rectangles.py`.
    private static let weights = SIMD4(12.95, 15.9, 9.84, -4.45)
    private static let none = -6.03

    /// - Parameter borders: From wide to narrow strips.
    init(_ template: PlanarTemplate, _ borders: [PlanarBorder], _ pyramid: PlanarPyramid, at map: Homography) {
        self.map = map
        // An object tracked by its outline is verified with its surroundings.
        let outline = template.levels.last { $0.extent > 1 }
        let level = outline ?? template.verificationLevel
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
            let observation = strip.observe(pyramid, map)
            let known = strip.strength * observation.visible
            let isNarrow = index == borders.count - 1
            evidence[isNarrow ? 1 : 2] = known * observation.agreeing
            evidence.w += known
            if isNarrow { border = known * observation.agreeing }
        }
        let terms = evidence * Self.weights
        let edges = terms.y + terms.z + terms.w
        // Hands that hold a plain object hide much of its outline, which is no evidence against it.
        score = Self.none + terms.x + (outline == nil ? edges : max(0, edges))
        confidence = 1 / (1 + exp(-score))
    }
}
