import Vision

/// Draws boxes with their labels.
struct BoxPainter {
    /// The confidence from which a box is drawn solid; below it, dashed.
    static let solidConfidence: Float = 0.5

    struct Box {
        let region: PixelRegion
        let confidence: Float
        /// What stands before the confidence.
        let name: String
        let colour: Colour
    }

    /// Draws the boxes, then their labels. Boxes that are not finite, or lie outside the image, are left out.
    func draw(_ boxes: [Box], on canvas: Canvas) {
        let scale = DrawingScale(canvas)
        let shown = boxes.filter { box in
            let edges = [
                box.region.x, box.region.y, box.region.x + box.region.width, box.region.y + box.region.height,
            ]
            return edges.allSatisfy { $0.isFinite && abs($0) < 1e6 } && box.region.width > 0 && box.region.height > 0
                && edges[0] < Double(canvas.width) && edges[1] < Double(canvas.height) && edges[2] > 0 && edges[3] > 0
        }
        for box in shown {
            // The line lies inside the box.
            let inset = scale.line / 2
            let outline = CGRect(
                x: box.region.x.rounded() + inset, y: box.region.y.rounded() + inset,
                width: max(1, box.region.width.rounded() - 2 * inset),
                height: max(1, box.region.height.rounded() - 2 * inset))
            canvas.stroke(
                outline.corners, isClosed: true, width: scale.line, box.colour,
                dash: box.confidence >= Self.solidConfidence ? nil : (5 * scale.line, 4 * scale.line), halo: scale.halo)
        }
        LabelLayout.draw(
            shown.map { box in
                LabelLayout.Label(
                    text: [box.name, Self.percent(box.confidence)].filter { !$0.isEmpty }.joined(separator: " "),
                    anchor: CGRect(
                        x: box.region.x, y: box.region.y, width: box.region.width, height: box.region.height),
                    colour: box.colour)
            }, size: scale.letters, on: canvas)
    }

    static func percent(_ confidence: Float) -> String {
        confidence.isFinite ? "\(Int((max(0, min(confidence, 1)) * 100).rounded()))%" : "–"
    }
}

extension CGRect {
    /// Clockwise from the top left one, with y down.
    var corners: [CGPoint] {
        [
            CGPoint(x: minX, y: minY), CGPoint(x: maxX, y: minY), CGPoint(x: maxX, y: maxY), CGPoint(x: minX, y: maxY),
        ]
    }
}
