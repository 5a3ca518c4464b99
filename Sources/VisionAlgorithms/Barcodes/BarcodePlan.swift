import VisionImage

/// The views of an image that are read, their order, and the limits of their cost.
///
/// All passes of a stage are read before a decision, so that the result does not depend on the number of threads; the
/// next stage follows only while no barcode is found. The order was chosen on photographs: each view is in the stage in
/// which it finds most barcodes that earlier views miss.
///
/// The cost is counted in pixels given to the library. It is limited for any image: `wholeLimit` for the first stage,
/// `laterLimit` for the others, which is spent in the order of the plan.
enum BarcodePlan {
    /// One pass of the reader over a view of the image.
    struct Pass: Hashable, Sendable {
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
        /// The formats that are read, limited to those of the kind.
        var formats: BarcodeFormats = .all
        /// Whether the library reads smaller copies as well.
        var shrinks = true
        /// The threshold of rows.
        var threshold = BarcodeReader.RowThreshold.valley
        /// The maximum number of rows that are read; nil for what the size of the view allows.
        var mostRows: Int?

        /// Returns the number of pixels that the library reads, for an image of that size.
        func pixels(width: Int, height: Int) -> Int {
            let size = view.size(width: width, height: height)
            guard kind == .rows else { return size.width * size.height }
            let step = rowStep(width: size.width, height: size.height)
            let rows = step > 1 ? (size.height - step / 2 - 1) / step + 1 : size.height
            return size.width * threshold.pixelsPerPixel * rows
        }

        /// Returns the step between the rows that are read, for a view of that size.
        func rowStep(width: Int, height: Int) -> Int {
            let most =
                mostRows
                ?? (width * height > 2 * BarcodePlan.largeImage ? BarcodePlan.mostRowsOfLarge : BarcodePlan.mostRows)
            return max(
                1, height / most, (width * height + BarcodePlan.rowPixels - 1) / BarcodePlan.rowPixels)
        }

        /// Whether the view is large enough for a code and does not consist mostly of border.
        func isWorthwhile(width: Int, height: Int) -> Bool {
            let size = view.size(width: width, height: height)
            guard max(size.width, size.height) <= BarcodeReader.longestSide else { return false }
            switch kind {
            case .matrix:
                // Only the unaltered view of a very long strip is read: the search for edges takes longer for longer
                // edges.
                let isStrip = max(width, height) > BarcodePlan.longestStrip * min(width, height)
                return min(width, height) >= BarcodePlan.shortestMatrixSide
                    && view.isWorthwhile(width: width, height: height) && (!isStrip || view.isPlain)
            case .rows:
                // The library counts the pixels of a row in 16 bits.
                return size.width >= BarcodePlan.shortestRow
                    && size.width * threshold.pixelsPerPixel <= BarcodeReader.longestSide
                    && view.isWorthwhile(width: width, height: height)
            case .stacked:
                return size.width >= BarcodePlan.shortestRow && view.isWorthwhile(width: width, height: height)
            }
        }
    }

    /// The known direction of linear barcodes.
    enum Rows {
        case both
        /// Bars are vertical, or horizontal: only small rotations remain to be tried.
        case alongRows, alongColumns
        /// The image was rotated so that bars are vertical, and is also read without changes.
        case rotated
    }

    /// The smallest 2-D barcodes have eight rows of modules.
    private static let shortestMatrixSide = 8
    /// The largest aspect ratio of an image whose altered views are read.
    private static let longestStrip = 64
    /// The shortest linear barcodes have more modules than this.
    private static let shortestRow = 32
    /// The maximum number of rows of a view that are read, lower for a large image, and of their pixels in total.
    private static let mostRows = 512
    private static let mostRowsOfLarge = 288
    private static let rowPixels = 4_000_000
    /// The maximum number of rows of a view of a part of a large image: all rows of a band of bars are alike.
    static let mostRowsOfPart = 160

    /// Images with at most this number of pixels are small: altered views are made of the whole image, which a readable
    /// code nearly fills.
    static let smallImage = 131_072
    /// Images with more pixels than this are large: altered views are made of parts only, see `BarcodeRegions`.
    static let largeImage = 786_432
    /// Returns the maximum number of pixels of a part that views are made of; larger parts are reduced.
    static func partLimit(isLarge: Bool) -> Double { isLarge ? 180_000 : 360_000 }
    /// The maximum number of pixels of the unaltered image, lower for Data Matrix, whose search is the slowest on
    /// regular patterns. Larger images are reduced.
    static let wholeLimit = 10_000_000.0
    static let dataMatrixLimit = 4_000_000.0
    /// Returns the maximum number of pixels that all stages after the first give to the library, for 2-D and for linear
    /// barcodes.
    static func laterLimit(width: Int, height: Int) -> (matrix: Int, linear: Int) {
        width * height <= smallImage
            ? (14_000_000, 24_000_000) : width * height <= largeImage ? (4_500_000, 8_000_000) : (1_400_000, 3_400_000)
    }

    /// The first stage for a large image: the image as it is.
    ///
    /// - Parameter hasBands: Whether parts of the image have the texture of linear barcodes.
    static func wholeStage(for formats: BarcodeFormats, width: Int, height: Int, hasBands: Bool = true) -> [Pass] {
        func view(_ limit: Double) -> BarcodeView {
            let scale = min(1, (limit / (Double(width) * Double(height))).squareRoot())
            return BarcodeView(scaleX: scale, scaleY: scale)
        }
        var stage: [Pass] = []
        let matrix = formats.intersection(.matrix)
        if Double(width) * Double(height) <= dataMatrixLimit {
            if !matrix.isEmpty { stage.append(Pass(kind: .matrix, view: BarcodeView(), shrinks: false)) }
        } else {
            if !matrix.subtracting(.dataMatrix).isEmpty {
                stage.append(
                    Pass(
                        kind: .matrix, view: view(wholeLimit), formats: .all.subtracting(.dataMatrix), shrinks: false))
            }
            if matrix.contains(.dataMatrix) {
                stage.append(
                    Pass(kind: .matrix, view: view(dataMatrixLimit), formats: .dataMatrix, shrinks: false))
            }
        }
        if !formats.isDisjoint(with: .linear) {
            stage += rows(BarcodeView())
            if hasBands, !formats.isDisjoint(with: .dataBars) { stage.append(pass(.stacked, view(wholeLimit))) }
        }
        return stage
    }

    /// The passes of the first stage over a copy of a large image at a third of its size.
    static func thirdStage(for formats: BarcodeFormats, hasBands: Bool) -> [Pass] {
        var stage: [Pass] = []
        if !formats.isDisjoint(with: .matrix) { stage.append(pass(.matrix, BarcodeView())) }
        if !formats.isDisjoint(with: .linear) {
            stage += rows(BarcodeView())
            if !hasBands, !formats.isDisjoint(with: .dataBars) { stage.append(pass(.stacked, BarcodeView())) }
        }
        return stage
    }

    /// The stages for a small image, and those for the parts of a large one.
    static func stages(for formats: BarcodeFormats, width: Int, height: Int, rows direction: Rows = .both) -> [[Pass]] {
        let isLarge = min(width, height) > 500
        var stages: [[Pass]] = [[], [], [], []]
        if !formats.isDisjoint(with: .matrix) {
            stages[0] += [pass(.matrix, BarcodeView()), pass(.matrix, BarcodeView(isInverted: true))]
            stages[1] += [
                pass(.matrix, sharpened(2, 8, gain: 5, offset: 60)),
                pass(.matrix, sharpened(2, 64, gain: 17, offset: 300)),
            ]
            stages[2] += [
                pass(.matrix, BarcodeView(turn: 22)), pass(.matrix, BarcodeView(turn: -22)),
                pass(.matrix, BarcodeView(scaleX: 0.5, scaleY: 0.5)), pass(.matrix, sharpened(2, 16, gain: 3)),
                pass(.matrix, BarcodeView(scaleX: 3, scaleY: 3)),
            ]
            stages[3] += [
                pass(.matrix, sharpened(3, 8, gain: 5)), pass(.matrix, BarcodeView(margin: 20)),
                pass(.matrix, BarcodeView(turn: 11)), pass(.matrix, BarcodeView(turn: -11)),
                pass(.matrix, sharpened(2, 8, gain: 5, turn: -22)), pass(.matrix, sharpened(2, 8, gain: 5, turn: 22)),
                pass(.matrix, sharpened(2, 8, gain: 5, offset: 60, inverted: true)),
            ]
        }
        if !formats.isDisjoint(with: .linear) {
            func rows(_ view: BarcodeView) -> [Pass] { self.rows(view, direction) }
            stages[0] += rows(BarcodeView())
            if isLarge { stages[0] += rows(BarcodeView(scaleX: 1.0 / 3, scaleY: 1.0 / 3)) }
            if !formats.isDisjoint(with: .dataBars) { stages[0].append(pass(.stacked, BarcodeView())) }
            if direction == .rotated { stages[1] += rows(BarcodeView()) }
            stages[1] +=
                rows(BarcodeView(isInverted: true)) + rows(stretchedRows(2, 1))
                + rows(stretchedRows(2, 0.5, 8, gain: 3))
            if !formats.isDisjoint(with: .dataBars) {
                stages[1] += [
                    pass(.stacked, sharpened(2, 8, gain: 3)), pass(.stacked, BarcodeView(scaleX: 0.5, scaleY: 0.5)),
                ]
            }
            stages[2] +=
                rows(stretchedRows(4, 0.25, 4, gain: 5)) + rows(stretchedRows(2, 0.5, 4, gain: 3))
                + rows(stretchedRows(3, 0.5, 12, gain: 5))
                + rows(stretchedRows(3, 1))
            for turn in direction == .both ? [15.0, -15, 30, -30, 45] : [15, -15] {
                stages[2] += rows(BarcodeView(scaleX: 1.5, scaleY: 1.5, turn: turn))
            }
            stages[3] += rows(BarcodeView()).map { pass in
                var pass = pass
                pass.threshold = .betweenExtremes
                return pass
            }
            stages[3] +=
                rows(stretchedRows(3, 0.5, 8, gain: 3)) + rows(stretchedRows(4, 0.25, 12, gain: 5))
                + rows(stretchedRows(2, 0.5, 20, gain: 5))
                + rows(stretchedRows(2, 0.5, 20, gain: 9))
            if isLarge { stages[3] += rows(BarcodeView(scaleX: 0.5, scaleY: 0.5)) }
            for turn in direction == .both ? [8.0, -8, 22, -22, 38, -38] : [8, -8] {
                stages[3] += rows(sharpened(1.5, 6, gain: 3, turn: turn))
            }
        }
        return stages
    }

    /// Returns the amount of 2-D barcode texture that a small image needs for a stage: the last stage costs as much as
    /// all others and finds few codes.
    static func leastSquares(forStage number: Int) -> BarcodeTexture.Amount { number < 3 ? .some : .much }

    private static func pass(_ kind: Pass.Kind, _ view: BarcodeView) -> Pass { Pass(kind: kind, view: view) }

    /// Returns passes over the rows, the columns or both.
    static func rows(_ view: BarcodeView, _ direction: Rows = .both) -> [Pass] {
        var columns = view
        columns.isTransposed = true
        if view.turn == 0 { (columns.scaleX, columns.scaleY) = (view.scaleY, view.scaleX) }
        switch direction {
        case .both: return [pass(.rows, view), pass(.rows, columns)]
        case .alongRows, .rotated: return [pass(.rows, view)]
        case .alongColumns: return [pass(.rows, columns)]
        }
    }

    private static func sharpened(
        _ scale: Double, _ reach: Int, gain: Double, offset: Double = 0, turn: Double = 0, inverted: Bool = false
    ) -> BarcodeView {
        BarcodeView(
            scaleX: scale, scaleY: scale, turn: turn,
            contrast: .init(columns: reach, rows: reach, gain: gain, offset: offset), isInverted: inverted)
    }

    /// Returns a view with rows stretched along, and merged across.
    private static func stretchedRows(_ scale: Double, _ across: Double, _ reach: Int? = nil, gain: Double = 1)
        -> BarcodeView
    {
        BarcodeView(
            scaleX: scale, scaleY: across, contrast: reach.map { .init(columns: $0, rows: 1, gain: gain) })
    }
}
