import Vision

/// Draws the outlines of quadrilaterals with their labels.
struct QuadPainter {
    struct Quad {
        let quad: PixelQuad
        /// Below `BoxPainter.solidConfidence` the outline is dashed.
        let confidence: Float
        /// Empty for no label.
        var label = ""
        let colour: Colour
        /// Whether a dot marks the top left corner of the object, wherever it is in the image.
        var hasDot = true
    }

    /// The width of lines, relative to the usual one.
    var weight = 1.0

    /// Draws the outlines, then their labels. Corners that are not finite, or lie far outside the image, draw nothing.
    func draw(_ quads: [Quad], on canvas: Canvas) {
        let scale = DrawingScale(canvas)
        let (limit, width) = (20 * Double(max(canvas.width, canvas.height)), max(1, scale.line * weight))
        let shown = quads.filter { $0.quad.numbers.allSatisfy { $0.isFinite && abs($0) < limit } }
        for quad in shown {
            let corners = quad.quad.corners
            canvas.stroke(
                corners, isClosed: true, width: width, quad.colour,
                dash: quad.confidence >= BoxPainter.solidConfidence ? nil : (6 * width, 5 * width),
                halo: weight < 1 ? 0 : scale.halo)
            guard quad.hasDot else { continue }
            canvas.dot(corners[0], radius: 2 * width + scale.halo, .black, opacity: 0.45)
            canvas.dot(corners[0], radius: 2 * width, quad.colour)
        }
        LabelLayout.draw(
            shown.map { quad in
                // At the top left corner of the object.
                let (box, corner) = (quad.quad.bounds, quad.quad.corners[0])
                let right = CGFloat((box.x ?? 0) + (box.width ?? 0)), bottom = CGFloat((box.y ?? 0) + (box.height ?? 0))
                return LabelLayout.Label(
                    text: quad.label,
                    anchor: CGRect(
                        x: corner.x, y: corner.y, width: max(1, right - corner.x), height: max(1, bottom - corner.y)),
                    colour: quad.colour)
            }, size: scale.letters, on: canvas)
    }
}
