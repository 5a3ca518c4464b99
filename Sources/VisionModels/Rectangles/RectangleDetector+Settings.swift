extension RectangleDetector {
    /// How much is looked at, and what is believed.
    package struct Settings: Sendable {
        /// Quads of lines that are looked at, the best ones; none switches the search of lines off.
        package var mostFromLines = 40
        /// Quads of the proposal network that are verified, and the least logarithm of the odds of each.
        package var mostFromNetwork = 32
        package var leastFromNetwork = -2.4
        /// It sees the image as a whole, and squares of it of this side that overlap by half; 0 for none of these.
        package var tileSide = 400
        /// Quads that the refinement network moves, the most and their least logarithm of the odds of an outline being
        /// near, and where they are one.
        package var mostStrays = 12
        package var leastStray = -4.0
        package var sameStray = 0.1
        /// Times that quads are moved to where the verifier believes the outline, and how many are moved each time.
        package var rounds = 4
        package var mostMoved = 24
        /// Of an outline being near a quad that is moved, as a logarithm of the odds.
        package var leastNear = -2.0
        /// Quads are one quad where their corners are, in the mean, no farther apart than this part of the mean side:
        /// among quads of lines, of the proposal network, quads that were moved, and results.
        package var sameFromLines = 0.015
        package var sameFromNetwork = 0.08
        package var sameMoved = 0.01
        package var sameResult = 0.035
        /// The confidence that a quad needs that lies much like a surer one, as the rim of a screen and its inside.
        package var leastSecond = 0.7
        /// What an inner quad needs whose lines are clear: as a quad of lines, and of an outline being near.
        package var leastInnerLines = 2.0
        package var leastInnerNear = 3.0
        /// How far sides may move to where the colours change most, as a part of the mean side, and how much surer the
        /// quad has to be then than with sides from near by.
        package var exactReach = 0.03
        package var wideMargin = 0.6
        /// How much less sure than before a quad may be after its sides were made exact, in logarithms of odds.
        package var exactMargin = 1.5

        package init() {}
    }
}
