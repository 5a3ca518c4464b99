/// Which views of an image are looked at, in which order.
///
/// A stage is looked at as a whole before anything is decided, so that the result does not depend on the number of
/// threads; the next one follows only while there is nothing to report. The stages were chosen on photographs: each view
/// stands where it found most of what those before it did not.
enum BarcodePlan {
    struct Look: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            /// Codes in two dimensions.
            case matrix
            /// Codes in lines, along every row of the view.
            case rows
            /// DataBar codes in several rows.
            case stacked
        }

        var kind: Kind
        var view: BarcodeView
    }

    static func stages(for formats: BarcodeFormats, width: Int, height: Int) -> [[Look]] {
        let isLarge = min(width, height) > 500
        var stages: [[Look]] = [[], [], [], []]
        if !formats.isDisjoint(with: .matrix) {
            stages[0] += [look(.matrix, BarcodeView()), look(.matrix, BarcodeView(isInverted: true))]
            stages[1] += [
                look(.matrix, sharpened(2, 8, gain: 5, offset: 60)),
                look(.matrix, sharpened(2, 64, gain: 17, offset: 300)),
            ]
            stages[2] += [
                look(.matrix, sharpened(2, 16, gain: 3)), look(.matrix, BarcodeView(turn: 22)),
                look(.matrix, BarcodeView(turn: -22)), look(.matrix, BarcodeView(scaleX: 0.5, scaleY: 0.5)),
                look(.matrix, BarcodeView(scaleX: 3, scaleY: 3)),
            ]
            stages[3] += [
                look(.matrix, sharpened(3, 8, gain: 5)), look(.matrix, BarcodeView(margin: 20)),
                look(.matrix, BarcodeView(turn: 11)), look(.matrix, BarcodeView(turn: -11)),
                look(.matrix, sharpened(2, 8, gain: 5, turn: -22)), look(.matrix, sharpened(2, 8, gain: 5, turn: 22)),
                look(.matrix, sharpened(2, 8, gain: 5, offset: 60, inverted: true)),
            ]
        }
        if !formats.isDisjoint(with: .lines) {
            stages[0] += rows(BarcodeView())
            if isLarge { stages[0] += rows(BarcodeView(scaleX: 1.0 / 3, scaleY: 1.0 / 3)) }
            if !formats.isDisjoint(with: .dataBars) { stages[0].append(look(.stacked, BarcodeView())) }
            stages[1] += rows(BarcodeView(isInverted: true)) + rows(line(2, 1)) + rows(line(2, 0.5, 8, gain: 3))
            stages[2] +=
                rows(line(4, 0.25, 4, gain: 5)) + rows(line(2, 0.5, 4, gain: 3)) + rows(line(3, 0.5, 12, gain: 5))
                + rows(line(3, 1))
            for turn in [15.0, -15, 30, -30, 45] {
                stages[2] += rows(BarcodeView(scaleX: 1.5, scaleY: 1.5, turn: turn))
            }
            stages[3] +=
                rows(line(3, 0.5, 8, gain: 3)) + rows(line(4, 0.25, 12, gain: 5)) + rows(line(2, 0.5, 20, gain: 5))
                + rows(line(2, 0.5, 20, gain: 9))
            if isLarge { stages[3] += rows(BarcodeView(scaleX: 0.5, scaleY: 0.5)) }
            for turn in [8.0, -8, 22, -22, 38, -38] {
                stages[3] += rows(sharpened(1.5, 6, gain: 3, turn: turn))
            }
        }
        return stages
    }

    /// How much of a picture has to look like squares for a stage's looks at codes in two dimensions: the last stage costs as much
    /// as all others and finds few.
    static func leastSquares(forStage number: Int) -> BarcodeTexture.Amount { number < 3 ? .some : .much }

    private static func look(_ kind: Look.Kind, _ view: BarcodeView) -> Look { Look(kind: kind, view: view) }

    /// Both the rows and the columns.
    private static func rows(_ view: BarcodeView) -> [Look] {
        var columns = view
        columns.isTransposed = true
        if view.turn == 0 { (columns.scaleX, columns.scaleY) = (view.scaleY, view.scaleX) }
        return [look(.rows, view), look(.rows, columns)]
    }

    private static func sharpened(
        _ scale: Double, _ reach: Int, gain: Double, offset: Double = 0, turn: Double = 0, inverted: Bool = false
    ) -> BarcodeView {
        BarcodeView(
            scaleX: scale, scaleY: scale, turn: turn,
            contrast: .init(columns: reach, rows: reach, gain: gain, offset: offset), isInverted: inverted)
    }

    /// Rows stretched, and joined across.
    private static func line(_ scale: Double, _ across: Double, _ reach: Int? = nil, gain: Double = 1) -> BarcodeView {
        BarcodeView(
            scaleX: scale, scaleY: across, contrast: reach.map { .init(columns: $0, rows: 1, gain: gain) })
    }
}
