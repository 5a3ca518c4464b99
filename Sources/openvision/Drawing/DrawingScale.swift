/// The sizes of lines and letters on an image, which grow with it.
struct DrawingScale: Equatable {
    /// The width of lines in pixels.
    let line: Double
    /// The size of letters in pixels.
    let letters: Double

    /// The dark border of lines in pixels.
    var halo: Double { max(1, line / 3) }

    init(width: Int, height: Int) {
        let side = Double(max(width, height))
        line = max(2, (side / 480).rounded())
        letters = min(max(12, side / 64), 64)
    }

    init(_ canvas: Canvas) { self.init(width: canvas.width, height: canvas.height) }
}
