import Vision

/// Draws the box of a tracked target and its confidence.
struct BoxPainter {
    /// The confidence from which a box is drawn solid; below it, dashed.
    static let solidConfidence: Float = 0.5

    /// The thickness of the lines in pixels; dashes and letters scale with it.
    let thickness: Int

    /// Creates a painter whose lines are visible at any size of the video.
    init(videoHeight: Int) { thickness = max(2, videoHeight / 270) }

    private var dash: Int { 5 * thickness }
    private var gap: Int { 4 * thickness }

    /// Draws one target. A box that is not finite, or lies outside the image, draws nothing.
    ///
    /// - Parameter name: What stands before the confidence; nil for the number of the target.
    func draw(_ box: PixelRegion, confidence: Float, target: Int, name: String? = nil, on canvas: Canvas) {
        guard let frame = wholePixels(box), frame.x < canvas.width, frame.y < canvas.height,
            frame.x + frame.width > 0, frame.y + frame.height > 0
        else { return }
        let colour = Colour.forTarget(target)
        let isSolid = confidence >= Self.solidConfidence
        outline(frame, isDashed: !isSolid, colour, on: canvas)
        let text = name.map { BitmapFont.drawable($0) } ?? String(target + 1)
        label("\(text) \(percent(confidence))", above: frame, colour, on: canvas)
    }

    private func wholePixels(_ box: PixelRegion) -> PixelRectangle? {
        let edges = [box.x, box.y, box.x + box.width, box.y + box.height]
        guard edges.allSatisfy({ $0.isFinite && abs($0) < 1e6 }), box.width > 0, box.height > 0 else { return nil }
        let (left, top) = (Int(edges[0].rounded()), Int(edges[1].rounded()))
        return PixelRectangle(
            x: left, y: top, width: max(1, Int(edges[2].rounded()) - left),
            height: max(1, Int(edges[3].rounded()) - top))
    }

    private func percent(_ confidence: Float) -> String {
        confidence.isFinite ? "\(Int((max(0, min(confidence, 1)) * 100).rounded()))%" : "-"
    }

    private func outline(_ box: PixelRectangle, isDashed: Bool, _ colour: Colour, on canvas: Canvas) {
        let (t, right, bottom) = (thickness, box.x + box.width - thickness, box.y + box.height - thickness)
        // Dashes start at both ends, so that the corners are always drawn.
        for (start, length) in pieces(of: box.width, isDashed: isDashed) {
            canvas.fill(PixelRectangle(x: box.x + start, y: box.y, width: length, height: t), colour)
            canvas.fill(PixelRectangle(x: box.x + start, y: bottom, width: length, height: t), colour)
        }
        for (start, length) in pieces(of: box.height, isDashed: isDashed) {
            canvas.fill(PixelRectangle(x: box.x, y: box.y + start, width: t, height: length), colour)
            canvas.fill(PixelRectangle(x: right, y: box.y + start, width: t, height: length), colour)
        }
    }

    private func pieces(of side: Int, isDashed: Bool) -> [(start: Int, length: Int)] {
        guard isDashed else { return [(0, side)] }
        var pieces: [(start: Int, length: Int)] = []
        for start in stride(from: 0, to: (side + 1) / 2, by: dash + gap) {
            let length = min(dash, side - start)
            pieces.append((start, length))
            pieces.append((side - start - length, length))
        }
        return pieces
    }

    private func label(_ text: String, above box: PixelRectangle, _ colour: Colour, on canvas: Canvas) {
        let scale = max(1, thickness - 1)
        let (width, height) = (BitmapFont.width(of: text, scale: scale), BitmapFont.height * scale)
        let (padding, tag) = (scale * 2, height + scale * 4)
        // Above the box if it fits there, else inside it; never beyond the sides of the image.
        let x = max(0, min(box.x, canvas.width - width - 2 * padding))
        let y = box.y >= tag ? box.y - tag : max(0, box.y)
        canvas.fill(PixelRectangle(x: x, y: y, width: width + 2 * padding, height: tag), colour)
        BitmapFont.draw(text, x: x + padding, y: y + padding, scale: scale, .black, on: canvas)
    }
}
