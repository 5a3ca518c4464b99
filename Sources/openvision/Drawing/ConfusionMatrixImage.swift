import Foundation
import Vision
import VisionVideo

/// Draws a confusion matrix: a row for each true label, a column for each predicted one. The larger a cell's share of
/// its row, the darker it is; correct predictions are blue, wrong ones red.
struct ConfusionMatrixImage {
    /// The most classes; with more, the image is too large for viewers.
    static let classLimit = 200

    let labels: [String]
    let counts: [[Int]]

    private let margin = 16.0
    private let letters = 15.0
    /// The widest that a label may be, in pixels; the end of a longer one is left out.
    private let labelLimit = 320.0

    /// Returns the column name of a class in a table of text: A, B, … Z, AA, AB, …
    static func shortName(_ index: Int) -> String {
        var (name, rest) = ("", index + 1)
        while rest > 0 {
            rest -= 1
            name = String(Character(UnicodeScalar(UInt8(ascii: "A") + UInt8(rest % 26)))) + name
            rest /= 26
        }
        return name
    }

    func write(to path: String) throws {
        guard labels.count <= Self.classLimit else {
            throw VideoError(
                kind: .unsupported, path: path,
                reason: "the classifier has \(labels.count) classes; at most \(Self.classLimit) can be drawn")
        }
        try ImageFile.write(try render(), to: path)
    }

    /// Where things are, in pixels.
    private struct Layout {
        var names: [String]
        var cell: Double
        /// The corner of the first cell.
        var left: Double
        var top: Double
        var width: Int
        var height: Int
    }

    func render() throws -> CVPixelBuffer {
        // Texts are measured before the size of the image is known.
        let ruler = try CVPixelBuffer.make(width: 1, height: 1, format: kCVPixelFormatType_32BGRA, path: "ruler")
        var measured: Layout?
        try Canvas.paint(on: ruler) { measured = layout($0) }
        guard let layout = measured else { return ruler }
        let buffer = try CVPixelBuffer.make(
            width: layout.width, height: layout.height, format: kCVPixelFormatType_32BGRA, path: "confusion matrix")
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: canvas.width, height: canvas.height), .white)
            drawLabels(layout, on: canvas)
            for (row, line) in counts.enumerated() {
                let sum = max(1, line.reduce(0, +))
                for (column, count) in line.enumerated() {
                    draw(
                        count, share: Double(count) / Double(sum), isHit: row == column,
                        x: layout.left + Double(column) * layout.cell, y: layout.top + Double(row) * layout.cell,
                        layout.cell, on: canvas)
                }
            }
        }
        return buffer
    }

    private func layout(_ canvas: Canvas) -> Layout {
        let names = labels.map { canvas.fitted($0, size: letters, width: labelLimit) }
        let longest = names.map { canvas.size(of: $0, size: letters).width }.max() ?? 0
        let largest = String(counts.joined().max() ?? 0)
        let cell = max(2.2 * letters, canvas.size(of: largest, size: letters).width + margin).rounded(.up)
        let line = canvas.size(of: "true", size: letters).height
        let (left, top) = (
            (longest + line + 3 * margin).rounded(.up), (longest + line + 3 * margin).rounded(.up)
        )
        let side = Double(labels.count) * cell
        let title = canvas.size(of: "predicted label", size: letters, isBold: true).width
        return Layout(
            names: names, cell: cell, left: left, top: top, width: Int(left + max(side, title) + margin),
            height: Int(top + max(side, canvas.size(of: "true label", size: letters, isBold: true).width) + margin))
    }

    private func drawLabels(_ layout: Layout, on canvas: Canvas) {
        let title = canvas.size(of: "true label", size: letters, isBold: true)
        canvas.text(
            "predicted label", at: CGPoint(x: layout.left, y: margin + title.ascent), size: letters, .grey, isBold: true
        )
        canvas.text(
            "true label", at: CGPoint(x: margin + title.ascent, y: layout.top + title.width), size: letters, .grey,
            isBold: true, angle: -.pi / 2)
        for (index, name) in layout.names.enumerated() {
            let size = canvas.size(of: name, size: letters)
            let middle = (Double(index) + 0.5) * layout.cell + size.ascent / 2 - size.descent / 2
            canvas.text(
                name, at: CGPoint(x: layout.left - margin - size.width, y: layout.top + middle), size: letters, .black)
            // Upwards, so that labels of any length are as they were given.
            canvas.text(
                name, at: CGPoint(x: layout.left + middle, y: layout.top - margin / 2), size: letters, .black,
                angle: -.pi / 2)
        }
    }

    private func draw(
        _ count: Int, share: Double, isHit: Bool, x: Double, y: Double, _ cell: Double, on canvas: Canvas
    ) {
        // The square root keeps small shares visible.
        let strength = share.squareRoot()
        func mixed(_ full: Double) -> UInt8 { UInt8(max(0, min(255, 242 + (full - 242) * strength))) }
        let colour =
            isHit
            ? Colour(red: mixed(30), green: mixed(90), blue: mixed(170))
            : Colour(red: mixed(190), green: mixed(50), blue: mixed(40))
        canvas.fill(
            PixelRectangle(x: Int(x) + 1, y: Int(y) + 1, width: Int(cell) - 2, height: Int(cell) - 2), colour)
        guard count > 0 else { return }
        let size = canvas.size(of: String(count), size: letters)
        canvas.text(
            String(count),
            at: CGPoint(x: x + (cell - size.width) / 2, y: y + (cell + size.ascent - size.descent) / 2), size: letters,
            strength > 0.5 ? .white : .black)
    }
}
