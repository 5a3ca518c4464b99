/// The order in which the lines of a page are read: from top to bottom, a column of running text as a whole before the
/// next one, the cells of a table row by row.
///
/// The page is cut at horizontal gaps, and what has none at vertical ones (recursive X-Y cuts; Nagy and Seth,
/// "Hierarchical representation of optically scanned documents", 1984). Everything is measured along the direction in
/// which most of the text runs, so that turned pages and vertical lines, which follow each other from right to left,
/// need no case of their own.
package enum ReadingOrder {
    /// A horizontal gap cuts if it is this share of the usual height of a line.
    private static let rowGap = 0.9
    /// A vertical gap between columns has this share of the usual height of a line.
    private static let columnGap = 0.8
    /// Running text has lines this many times as long as they are high; what is shorter is a table or a list.
    private static let columnAspect = 6.0
    /// A column has at least this many lines.
    private static let columnLines = 3

    private struct Item {
        let index: Int
        let left, right, top, bottom: Double
        var middle: Double { (top + bottom) / 2 }
        var height: Double { bottom - top }
    }

    /// Returns the indices of boxes in the order of reading.
    package static func indices(of boxes: [RotatedBox]) -> [Int] {
        guard !boxes.isEmpty else { return [] }
        var axis = boxes.reduce(SIMD2<Double>.zero) { $0 + $1.axis * $1.length }
        let length = (axis * axis).sum().squareRoot()
        axis = length > 1e-9 && length.isFinite ? axis / length : SIMD2(1, 0)
        let down = SIMD2(-axis.y, axis.x)
        let items = boxes.enumerated().map { index, box in
            let corners = [box.quad.topLeft, box.quad.topRight, box.quad.bottomRight, box.quad.bottomLeft]
                .map { SIMD2($0.x, $0.y) }
            let (xs, ys) = (corners.map { ($0 * axis).sum() }, corners.map { ($0 * down).sum() })
            return Item(
                index: index, left: xs.min() ?? 0, right: xs.max() ?? 0, top: ys.min() ?? 0, bottom: ys.max() ?? 0)
        }
        return ordered(items, usual: median(boxes.map(\.height))).map(\.index)
    }

    private static func ordered(_ items: [Item], usual: Double) -> [Item] {
        guard items.count > 1 else { return items }
        let blocks = parts(items, gap: rowGap * usual, start: \.top, end: \.bottom)
        if blocks.count > 1 { return blocks.flatMap { ordered($0, usual: usual) } }
        let columns = parts(items, gap: columnGap * usual, start: \.left, end: \.right)
        if columns.count > 1, columns.allSatisfy(isRunningText) {
            return columns.flatMap { ordered($0, usual: usual) }
        }
        return rows(items)
    }

    private static func isRunningText(_ items: [Item]) -> Bool {
        items.count >= columnLines
            && median(items.map { ($0.right - $0.left) / max($0.height, 1e-9) }) >= columnAspect
    }

    /// Cuts at gaps, in the order of the axis.
    private static func parts(
        _ items: [Item], gap: Double, start: KeyPath<Item, Double>, end: KeyPath<Item, Double>
    ) -> [[Item]] {
        var parts: [[Item]] = []
        var reach = -Double.infinity
        for item in items.sorted(by: { ($0[keyPath: start], $0.index) < ($1[keyPath: start], $1.index) }) {
            if item[keyPath: start] > reach + gap || parts.isEmpty { parts.append([]) }
            parts[parts.count - 1].append(item)
            reach = max(reach, item[keyPath: end])
        }
        return parts
    }

    /// Returns lines from top to bottom, and those of one row from left to right.
    private static func rows(_ items: [Item]) -> [Item] {
        var rows: [[Item]] = []
        for item in items.sorted(by: { ($0.middle, $0.left, $0.index) < ($1.middle, $1.left, $1.index) }) {
            // A row is compared with its first line only: a staircase of lines is not one row.
            if let first = rows.last?.first, item.middle - first.middle < 0.5 * min(item.height, first.height) {
                rows[rows.count - 1].append(item)
            } else {
                rows.append([item])
            }
        }
        return rows.flatMap { $0.sorted { ($0.left, $0.index) < ($1.left, $1.index) } }
    }

    private static func median(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count / 2] }
}
