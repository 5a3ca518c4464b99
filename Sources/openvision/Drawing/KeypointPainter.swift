import Vision

/// Draws the points of a network: those of COCO's people as skeletons, others as dots with their numbers.
enum KeypointPainter {
    /// A point in pixels of the canvas, y down.
    typealias Point = (point: CGPoint, confidence: Float)

    private static let leastConfidence: Float = 0.2
    /// The points of COCO's people: nose, eyes, ears, shoulders, elbows, wrists, hips, knees, ankles.
    private static let cocoCount = 17

    static func draw(_ objects: [[Point]], on canvas: Canvas) {
        if objects.allSatisfy({ $0.count == cocoCount }) {
            let skeletons = objects.map { points in
                SkeletonPainter<Int>.Joints(uniqueKeysWithValues: points.enumerated().map { ($0, $1) })
            }
            SkeletonPainter.cocoBody.draw(skeletons, on: canvas)
            return
        }
        let scale = DrawingScale(canvas)
        var labels: [LabelLayout.Label] = []
        for points in objects {
            for (number, point) in points.enumerated() where point.confidence >= leastConfidence {
                guard point.point.x.isFinite, point.point.y.isFinite else { continue }
                let colour = Colour.palette[number % Colour.palette.count]
                let radius = 1.5 * scale.line
                canvas.dot(point.point, radius: radius + scale.halo, .black, opacity: 0.5)
                canvas.dot(point.point, radius: radius, colour)
                labels.append(
                    LabelLayout.Label(
                        text: String(number),
                        anchor: CGRect(origin: point.point, size: .zero).insetBy(dx: -radius, dy: -radius),
                        colour: colour, isBeside: true))
            }
        }
        LabelLayout.draw(labels, size: 0.7 * scale.letters, on: canvas)
    }
}
