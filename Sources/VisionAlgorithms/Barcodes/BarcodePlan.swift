import VisionImage

/// Which views of an image are read, in which order, and how much work they may be.
///
/// A stage is read as a whole before anything is decided, so that the result does not depend on the number of threads;
/// the next one follows only while there is nothing to report. The stages were chosen on photographs: each view stands
/// where it found most of what those before it did not.
///
/// The work is counted in pixels given to the library. It is bounded whatever the image shows: the first stage by
/// `wholeLimit`, the others by `laterLimit`, which are spent in the order of the plan.
enum BarcodePlan {
    struct Look: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            /// 2-D barcodes.
            case matrix
            /// Linear barcodes, along every row of the view.
            case rows
            /// DataBar codes in several rows.
            case stacked
        }

        var kind: Kind
        var view: BarcodeView
        /// What is read, where that is not all of the kind.
        var formats: BarcodeFormats = .all
        /// Whether the library reads smaller copies as well.
        var shrinks = true

        /// Pixels that the library reads, for an image of that size.
        func pixels(width: Int, height: Int) -> Int {
            let size = view.size(width: width, height: height)
            guard kind == .rows else { return size.width * size.height }
            return size.width * BarcodePlan.rowCount(width: size.width, height: size.height)
        }

        /// Whether the view is large enough to show a code at all, and no more border than image.
        func isWorthwhile(width: Int, height: Int) -> Bool {
            let size = view.size(width: width, height: height)
            guard max(size.width, size.height) <= BarcodeReader.longestSide else { return false }
            switch kind {
            case .matrix:
                // Of a very long strip only the image itself is read: the search for edges takes the longer the longer
                // they are.
                let isStrip = max(width, height) > BarcodePlan.longestStrip * min(width, height)
                return min(width, height) >= BarcodePlan.shortestMatrixSide
                    && view.isWorthwhile(width: width, height: height) && (!isStrip || view.isPlain)
            case .rows: return size.width >= BarcodePlan.shortestRow && view.isWorthwhile(width: width, height: height)
            case .stacked:
                return size.width >= BarcodePlan.shortestRow && view.isWorthwhile(width: width, height: height)
            }
        }
    }

    /// What is known of the direction of linear barcodes.
    enum Rows {
        case both
        /// Bars stand upright, or lie: only small turns are left to try.
        case alongRows, alongColumns
        /// The image was turned so that bars stand upright, and is read as it is, too.
        case turned
    }

    /// The smallest 2-D barcodes have eight rows of modules.
    private static let shortestMatrixSide = 8
    /// How many times as long as wide an image may be for its altered views to be read.
    private static let longestStrip = 64
    /// The shortest linear barcodes have more modules than this.
    private static let shortestRow = 32
    /// The most rows of a view that are read, fewer of a large image, and the most pixels of them all.
    private static let mostRows = 512
    private static let mostRowsOfLarge = 288
    private static let rowPixels = 4_000_000

    /// Images with no more pixels than this are small: altered views are made of all of them. A code fills them or is
    /// not clear.
    static let smallImage = 131_072
    /// Images with more pixels than this are large: altered views are made of parts of them only, see `BarcodeRegions`.
    static let largeImage = 786_432
    /// The most pixels of a part of an image that views are made of; larger parts are made smaller.
    static func partLimit(isLarge: Bool) -> Double { isLarge ? 180_000 : 360_000 }
    /// The most pixels of the image that are read as they are, for Data Matrix, whose search is the slowest on regular
    /// patterns, and for the others. Larger images are made smaller.
    static let wholeLimit = 10_000_000.0
    static let dataMatrixLimit = 4_000_000.0
    /// The most pixels that all stages behind the first give to the library, for either kind of codes.
    static func laterLimit(width: Int, height: Int) -> (matrix: Int, lines: Int) {
        width * height <= smallImage
            ? (14_000_000, 24_000_000) : width * height <= largeImage ? (4_500_000, 8_000_000) : (3_000_000, 8_000_000)
    }

    /// Every how many of a view's rows is read.
    static func rowStep(width: Int, height: Int) -> Int {
        let most = width * height > 2 * largeImage ? mostRowsOfLarge : mostRows
        return max(1, height / most, (width * height + rowPixels - 1) / rowPixels)
    }

    private static func rowCount(width: Int, height: Int) -> Int {
        let step = rowStep(width: width, height: height)
        return step > 1 ? (height - step / 2 - 1) / step + 1 : height
    }

    /// The first stage for a large image: the image as it is.
    ///
    /// - Parameter hasBands: parts of the image have the texture of linear barcodes.
    static func wholeStage(for formats: BarcodeFormats, width: Int, height: Int, hasBands: Bool = true) -> [Look] {
        func view(_ limit: Double) -> BarcodeView {
            let scale = min(1, (limit / (Double(width) * Double(height))).squareRoot())
            return BarcodeView(scaleX: scale, scaleY: scale)
        }
        var stage: [Look] = []
        let matrix = formats.intersection(.matrix)
        if Double(width) * Double(height) <= dataMatrixLimit {
            if !matrix.isEmpty { stage.append(Look(kind: .matrix, view: BarcodeView(), shrinks: false)) }
        } else {
            if !matrix.subtracting(.dataMatrix).isEmpty {
                stage.append(
                    Look(
                        kind: .matrix, view: view(wholeLimit), formats: .all.subtracting(.dataMatrix), shrinks: false))
            }
            if matrix.contains(.dataMatrix) {
                stage.append(
                    Look(kind: .matrix, view: view(dataMatrixLimit), formats: .dataMatrix, shrinks: false))
            }
        }
        if !formats.isDisjoint(with: .lines) {
            stage += rows(BarcodeView())
            if hasBands, !formats.isDisjoint(with: .dataBars) { stage.append(look(.stacked, view(wholeLimit))) }
        }
        return stage
    }

    /// What is read in the first stage of a copy of a large image at a third of its size.
    static func thirdStage(for formats: BarcodeFormats, hasBands: Bool) -> [Look] {
        var stage: [Look] = []
        if !formats.isDisjoint(with: .matrix) { stage.append(look(.matrix, BarcodeView())) }
        if !formats.isDisjoint(with: .lines) {
            stage += rows(BarcodeView())
            if !hasBands, !formats.isDisjoint(with: .dataBars) { stage.append(look(.stacked, BarcodeView())) }
        }
        return stage
    }

    /// The stages for a small image, and those for the parts of a large one.
    static func stages(for formats: BarcodeFormats, width: Int, height: Int, rows direction: Rows = .both) -> [[Look]] {
        let isLarge = min(width, height) > 500
        var stages: [[Look]] = [[], [], [], []]
        if !formats.isDisjoint(with: .matrix) {
            stages[0] += [look(.matrix, BarcodeView()), look(.matrix, BarcodeView(isInverted: true))]
            stages[1] += [
                look(.matrix, sharpened(2, 8, gain: 5, offset: 60)),
                look(.matrix, sharpened(2, 64, gain: 17, offset: 300)),
            ]
            stages[2] += [
                look(.matrix, BarcodeView(turn: 22)), look(.matrix, BarcodeView(turn: -22)),
                look(.matrix, BarcodeView(scaleX: 0.5, scaleY: 0.5)), look(.matrix, sharpened(2, 16, gain: 3)),
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
            func rows(_ view: BarcodeView) -> [Look] { self.rows(view, direction) }
            stages[0] += rows(BarcodeView())
            if isLarge { stages[0] += rows(BarcodeView(scaleX: 1.0 / 3, scaleY: 1.0 / 3)) }
            if !formats.isDisjoint(with: .dataBars) { stages[0].append(look(.stacked, BarcodeView())) }
            if direction == .turned { stages[1] += rows(BarcodeView()) }
            stages[1] += rows(BarcodeView(isInverted: true)) + rows(line(2, 1)) + rows(line(2, 0.5, 8, gain: 3))
            if !formats.isDisjoint(with: .dataBars) {
                stages[1] += [
                    look(.stacked, sharpened(2, 8, gain: 3)), look(.stacked, BarcodeView(scaleX: 0.5, scaleY: 0.5)),
                ]
            }
            stages[2] +=
                rows(line(4, 0.25, 4, gain: 5)) + rows(line(2, 0.5, 4, gain: 3)) + rows(line(3, 0.5, 12, gain: 5))
                + rows(line(3, 1))
            for turn in direction == .both ? [15.0, -15, 30, -30, 45] : [15, -15] {
                stages[2] += rows(BarcodeView(scaleX: 1.5, scaleY: 1.5, turn: turn))
            }
            stages[3] +=
                rows(line(3, 0.5, 8, gain: 3)) + rows(line(4, 0.25, 12, gain: 5)) + rows(line(2, 0.5, 20, gain: 5))
                + rows(line(2, 0.5, 20, gain: 9))
            if isLarge { stages[3] += rows(BarcodeView(scaleX: 0.5, scaleY: 0.5)) }
            for turn in direction == .both ? [8.0, -8, 22, -22, 38, -38] : [8, -8] {
                stages[3] += rows(sharpened(1.5, 6, gain: 3, turn: turn))
            }
        }
        return stages
    }

    /// How much of a small image must have the texture of 2-D barcodes for a stage to be read: the last stage costs as
    /// much as all others and finds few.
    static func leastSquares(forStage number: Int) -> BarcodeTexture.Amount { number < 3 ? .some : .much }

    private static func look(_ kind: Look.Kind, _ view: BarcodeView) -> Look { Look(kind: kind, view: view) }

    /// The rows, the columns or both.
    static func rows(_ view: BarcodeView, _ direction: Rows = .both) -> [Look] {
        var columns = view
        columns.isTransposed = true
        if view.turn == 0 { (columns.scaleX, columns.scaleY) = (view.scaleY, view.scaleX) }
        switch direction {
        case .both: return [look(.rows, view), look(.rows, columns)]
        case .alongRows, .turned: return [look(.rows, view)]
        case .alongColumns: return [look(.rows, columns)]
        }
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
