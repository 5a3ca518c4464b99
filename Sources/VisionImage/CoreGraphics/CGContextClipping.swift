public import Foundation

/// The part of a context that is drawn on: rows and columns of pixels, and how much of each counts.
struct ClipArea {
    /// Rows from the bottom.
    var rows: Range<Int>
    var columns: Range<Int>
    /// The share of each pixel of the whole context, row 0 at the bottom; nil if all of them count.
    var mask: [UInt8]?
    let width: Int

    init(width: Int, height: Int) { (rows, columns, self.width) = (0..<height, 0..<width, width) }

    var isEmpty: Bool { rows.isEmpty || columns.isEmpty }

    func coverage(_ x: Int, _ row: Int) -> Float { mask.map { Float($0[row * width + x]) / 255 } ?? 1 }
}

extension CGContext {
    /// Limits drawing to the inside of the path and clears the path. Edges are antialiased.
    public func clip(using rule: CGPathFillRule = .winding) {
        let outline = takePath()
        if isDocument {
            document?.clip(outline, rule)
        } else {
            clip(lines: outline.polylines(tolerance: 0.01), rule)
        }
    }

    /// Limits drawing to a rectangle in user coordinates, and clears the path.
    public func clip(to rect: CGRect) { clip(to: [rect]) }

    /// Limits drawing to the union of rectangles in user coordinates, and clears the path.
    public func clip(to rects: [CGRect]) {
        beginPath()
        addRects(rects.map(\.standardized))
        clip()
    }

    /// Limits drawing by a mask image in a rectangle in user coordinates: pixels get as much as the mask is bright. If
    /// there is no memory for the mask, nothing is drawn from then on.
    public func clip(to rect: CGRect, mask: CGImage) {
        guard !isDocument else { return }
        guard
            let brightness = CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width,
                space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGImageAlphaInfo.none.rawValue)
        else {
            state.clip.columns = 0..<0
            return
        }
        brightness.concatenate(ctm)
        brightness.draw(mask, in: rect)
        intersect { x, row in
            Float(brightness.memory.address.load(fromByteOffset: (height - 1 - row) * width + x, as: UInt8.self)) / 255
        }
    }

    /// Draws everywhere again.
    public func resetClip() { state.clip = ClipArea(width: width, height: height) }

    /// The smallest rectangle around the part that is drawn on, in user coordinates.
    public var boundingBoxOfClipPath: CGRect {
        let clip = state.clip
        guard !clip.isEmpty else { return .null }
        return CGRect(
            x: clip.columns.lowerBound, y: clip.rows.lowerBound, width: clip.columns.count, height: clip.rows.count
        ).applying(ctm.inverted())
    }

    private func clip(lines: [[CGPoint]], _ rule: CGPathFillRule) {
        // Rectangles of whole pixels need no mask.
        if lines.count == 1, let line = lines.first, let bounds = Self.wholePixels(of: line) {
            state.clip.columns = state.clip.columns.overlap(bounds.columns)
            state.clip.rows = state.clip.rows.overlap(bounds.rows)
            return
        }
        var inside = [UInt8](repeating: 0, count: width * height)
        var (rows, columns) = (height..<height, width..<width)
        forEachCoveredRow(lines, rule) { row, touched, coverage in
            rows = min(rows.lowerBound, row)..<row + 1
            columns =
                min(
                    columns.lowerBound, touched.lowerBound)..<max(
                    columns.lowerBound == width ? 0 : columns.upperBound, touched.upperBound)
            for column in touched {
                inside[row * width + column] = UInt8(min(255, (coverage[column] * 255).rounded()))
            }
        }
        (state.clip.rows, state.clip.columns, state.clip.mask) = (rows, columns, inside)
    }

    private func intersect(_ share: (_ x: Int, _ row: Int) -> Float) {
        var mask = [UInt8](repeating: 0, count: width * height)
        for row in state.clip.rows {
            for x in state.clip.columns {
                mask[row * width + x] = UInt8((state.clip.coverage(x, row) * share(x, row) * 255).rounded())
            }
        }
        state.clip.mask = mask
    }

    /// The rows and columns of a polygon, if it is a rectangle of whole pixels.
    static func wholePixels(of line: [CGPoint]) -> (rows: Range<Int>, columns: Range<Int>)? {
        guard line.count == 5, line[0] == line[4] else { return nil }
        let box = PathOutline.box(of: line)
        let isUpright = zip(line, line.dropFirst()).allSatisfy { ($0.x == $1.x) != ($0.y == $1.y) }
        let sides = [box.minX, box.maxX, box.minY, box.maxY]
        // A line that goes back on itself is upright, too.
        let turns = zip(line, line.dropFirst(2)).allSatisfy { $0.x != $1.x && $0.y != $1.y }
        guard isUpright, turns, sides.allSatisfy({ $0 == $0.rounded() && abs($0) < 1e9 }) else { return nil }
        return (Int(box.minY)..<Int(box.maxY), Int(box.minX)..<Int(box.maxX))
    }
}

extension Range<Int> {
    /// The common part; empty where there is none.
    func overlap(_ other: Range<Int>) -> Range<Int> {
        let (low, high) = (Swift.max(lowerBound, other.lowerBound), Swift.min(upperBound, other.upperBound))
        return low < high ? low..<high : 0..<0
    }
}
