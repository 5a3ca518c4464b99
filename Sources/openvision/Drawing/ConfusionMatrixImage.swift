import Vision

/// Draws a confusion matrix: a row for each true label, a column for each predicted one. The larger a cell's share of
/// its row, the darker it is; correct predictions are blue, wrong ones red.
struct ConfusionMatrixImage {
    /// The most classes; with more, the image is too large for viewers.
    static let classLimit = 200

    let labels: [String]
    let counts: [[Int]]

    private let margin = 16
    private let letters = 2

    /// Returns the column name of a class: A, B, … Z, AA, AB, …
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

    func render() throws -> CVPixelBuffer {
        let names = labels.enumerated().map { "\(BitmapFont.drawable($1)) \(Self.shortName($0))" }
        let line = BitmapFont.height * letters
        let left = margin * 2 + (names.map { BitmapFont.width(of: $0, scale: letters) }.max() ?? 0)
        let largest = counts.joined().max() ?? 0
        let cell = max(
            line + margin, BitmapFont.width(of: String(largest), scale: letters) + margin,
            (names.indices.map { BitmapFont.width(of: Self.shortName($0), scale: letters) }.max() ?? 0) + 6)
        let top = margin * 2 + line
        let buffer = try CVPixelBuffer.make(
            width: left + labels.count * cell + margin, height: top + labels.count * cell + margin,
            format: kCVPixelFormatType_32BGRA, path: "confusion matrix")
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: canvas.width, height: canvas.height), .white)
            for index in labels.indices {
                let middle = (cell - line) / 2
                let width = BitmapFont.width(of: names[index], scale: letters)
                BitmapFont.draw(
                    names[index], x: left - margin - width, y: top + index * cell + middle, scale: letters, .black,
                    on: canvas)
                let short = Self.shortName(index)
                BitmapFont.draw(
                    short, x: left + index * cell + (cell - BitmapFont.width(of: short, scale: letters)) / 2, y: margin,
                    scale: letters, .black, on: canvas)
            }
            for (row, line) in counts.enumerated() {
                let sum = max(1, line.reduce(0, +))
                for (column, count) in line.enumerated() {
                    draw(
                        count, share: Double(count) / Double(sum), isHit: row == column,
                        x: left + column * cell, y: top + row * cell, cell, on: canvas)
                }
            }
        }
        return buffer
    }

    private func draw(
        _ count: Int, share: Double, isHit: Bool, x: Int, y: Int, _ cell: Int, on canvas: Canvas
    ) {
        // The square root keeps small shares visible.
        let strength = share.squareRoot()
        func mixed(_ full: Double) -> UInt8 { UInt8(max(0, min(255, 242 + (full - 242) * strength))) }
        let colour =
            isHit
            ? Colour(red: mixed(30), green: mixed(90), blue: mixed(170))
            : Colour(red: mixed(190), green: mixed(50), blue: mixed(40))
        canvas.fill(PixelRectangle(x: x + 1, y: y + 1, width: cell - 2, height: cell - 2), colour)
        guard count > 0 else { return }
        let text = String(count)
        BitmapFont.draw(
            text, x: x + (cell - BitmapFont.width(of: text, scale: letters)) / 2,
            y: y + (cell - BitmapFont.height * letters) / 2, scale: letters, strength > 0.5 ? .white : .black,
            on: canvas
        )
    }
}
