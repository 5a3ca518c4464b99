import Vision

/// Draws the sides of a rectangle: solid, or dashed at a low confidence.
struct QuadPainter {
    let thickness: Int

    /// Creates a painter whose lines are visible at any size of the video.
    init(videoHeight: Int) { thickness = max(2, videoHeight / 270) }

    init(thickness: Int) { self.thickness = thickness }

    /// Draws one target. Corners that are not finite, or lie far outside the image, draw nothing.
    func draw(_ quad: PixelQuad, confidence: Float, target: Int, on canvas: Canvas) {
        let limit = 20 * Double(max(canvas.width, canvas.height))
        guard quad.numbers.allSatisfy({ $0.isFinite && abs($0) < limit }) else { return }
        let colour = Colour.forTarget(target)
        for index in 0..<4 {
            line(
                from: quad.corners[index], to: quad.corners[(index + 1) % 4],
                isDashed: confidence < BoxPainter.solidConfidence, colour, on: canvas)
        }
        // The top left corner of the object, wherever it is in the image.
        dot(quad.corners[0], size: 3 * thickness, colour, on: canvas)
    }

    private func line(from start: CGPoint, to end: CGPoint, isDashed: Bool, _ colour: Colour, on canvas: Canvas) {
        let (dx, dy) = (Double(end.x - start.x), Double(end.y - start.y))
        let steps = max(1, Int(max(abs(dx), abs(dy)).rounded(.up)))
        let dash = 6 * thickness
        for step in 0...steps {
            // Dashes start at both ends, so that the corners are always drawn.
            if isDashed, min(step, steps - step) / dash % 2 == 1 { continue }
            let part = Double(step) / Double(steps)
            dot(
                CGPoint(x: Double(start.x) + part * dx, y: Double(start.y) + part * dy), size: thickness, colour,
                on: canvas)
        }
    }

    private func dot(_ point: CGPoint, size: Int, _ colour: Colour, on canvas: Canvas) {
        let (x, y) = (Int(Double(point.x).rounded(.down)), Int(Double(point.y).rounded(.down)))
        canvas.fill(PixelRectangle(x: x - size / 2, y: y - size / 2, width: size, height: size), colour)
    }
}
