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
    /// How likely the thing is there.
    var confidence = 0.0

    /// Samples along the longer side of the level that is judged by: larger ones suffer from blur, smaller ones agree with
    /// anything.
    private static let longest = 64

    /// What tells the thing from other places, as a logistic function of the agreement of the inside and of both borders.
    ///
    /// Fitted to 37,000 alignments that started at the right place or beside it, in made films of photographs, pages and
    /// screens in perspective, under changing light, blur, hands and at the edge of the picture.
    private static let weights = (inside: 12.95, narrow: 15.9, wide: 9.84, border: -4.45, none: -6.03)

    /// - Parameter borders: From wide to narrow strips.
    init(_ template: PlanarTemplate, _ borders: [PlanarBorder], _ pyramid: PlanarPyramid, at map: Homography) {
        self.map = map
        // An outline is told by what lies around it as well.
        let outline = template.levels.last { $0.extent > 1 }
        let level =
            outline ?? template.levels.last { max($0.columns, $0.rows) <= Self.longest } ?? template.levels[0]
        level.sample(pyramid, at: map)
        let cells = PlanarCell.all(of: level)
        visible = cells.visibleShare
        guard visible > 0.05 else { return }
        inside = cells.agreeingShare
        agreement = cells.agreement
        let evidence = cells.reduce(0) { $0 + $1.evidence }
        let (columns, rows) = (level.columns / PlanarPatch.cell, level.rows / PlanarPatch.cell)
        let core = cells.indices.filter { index in
            let (x, y) = (index % columns, index / columns)
            return x > 0 && y > 0 && x < columns - 1 && y < rows - 1
        }
        self.core = core.isEmpty ? cells.agreement : core.map { cells[$0] }.agreement
        var edges = 0.0
        for (index, strip) in borders.enumerated() {
            let isNarrow = index == borders.count - 1
            let sight = strip.look(pyramid, map)
            let known = strip.strength * sight.visible
            edges +=
                known * (sight.agreeing * (isNarrow ? Self.weights.narrow : Self.weights.wide) + Self.weights.border)
            if isNarrow { border = known * sight.agreeing }
        }
        // Hands that hold a thing hide much of its outline, which says nothing against it.
        let sum =
            Self.weights.none + Self.weights.inside * inside * (outline == nil ? min(1, evidence / 2) : 1)
            + (outline == nil ? edges : max(0, edges))
        confidence = 1 / (1 + exp(-sum))
    }
}
