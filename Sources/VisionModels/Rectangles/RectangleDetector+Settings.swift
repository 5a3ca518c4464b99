extension RectangleDetector {
    /// The limits and thresholds of the search. Scores are logits.
    package struct Settings: Sendable {
        /// The maximum number of proposals from line segments that are verified, best first; 0 switches their search
        /// off.
        package var mostFromLines = 40
        /// The maximum number of proposals of the network that are verified, and their lowest score.
        package var mostFromNetwork = 32
        package var leastFromNetwork = -2.4
        /// The proposal network processes the whole image and overlapping tiles of this side, in pixels; 0 for no
        /// tiles.
        package var tileSide = 400
        /// The maximum number of quads that the refinement network processes, their lowest `near` score, and the
        /// distance below which two of them count as one.
        package var mostStrays = 12
        package var leastStray = -4.0
        package var sameStray = 0.1
        /// The number of rounds in which quads are refined by the verifier's offsets, and the maximum number of quads
        /// in each.
        package var rounds = 4
        package var mostMoved = 24
        /// The lowest `near` score of a quad that is refined by the verifier.
        package var leastNear = -2.0
        /// Two quads count as one where the mean distance of their corners is at most this share of the mean side:
        /// among proposals of line segments, proposals of the network, refined quads, and results.
        package var sameFromLines = 0.015
        package var sameFromNetwork = 0.08
        package var sameMoved = 0.01
        package var sameResult = 0.035
        /// The confidence that a quad needs if it is similar to a more confident one, as the rim of a screen and its
        /// inside.
        package var leastSecond = 0.7
        /// The scores that an inner quad needs: of its line segments, and `near`.
        package var leastInnerLines = 2.0
        package var leastInnerNear = 3.0
        /// The maximum distance by which sides move to the strongest colour change, as a share of the mean side, and
        /// the margin by which the score must then exceed that of the short distance.
        package var exactReach = 0.03
        package var wideMargin = 0.6
        /// The maximum loss of score by the refinement of the sides.
        package var exactMargin = 1.5

        package init() {}
    }
}
