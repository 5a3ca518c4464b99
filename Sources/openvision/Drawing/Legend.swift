import Vision

/// The corner of a video's legend, so that it stays there from frame to frame.
final class LegendPlace {
    /// The number of the corner.
    fileprivate var corner: Int?
}

/// A list of colours and what they mean, in a corner of an image.
struct Legend {
    private(set) var entries: [(name: String, colour: Colour)]

    init(entries: [(name: String, colour: Colour)]) { self.entries = entries }

    /// The widest that a legend may be, as a part of the image.
    private static let widthLimit = 0.6
    /// What a legend may hide more than in another corner before it leaves its own, relative to its area.
    private static let stayingShare: CGFloat = 0.25

    /// Draws the legend in the corner where it hides least; on an image that has no room for it, nothing.
    ///
    /// - Parameters:
    ///   - objects: What should stay visible, in pixels.
    ///   - place: Of the video; it keeps its corner while it hides little more there than in another.
    func draw(avoiding objects: [CGRect], on canvas: Canvas, at place: LegendPlace? = nil) {
        guard !entries.isEmpty else { return }
        let scale = DrawingScale(canvas)
        for size in [scale.letters, scale.letters * 0.75, 9] where size >= 9 {
            var legend = self
            let room = Self.widthLimit * Double(canvas.width) - 2.6 * size
            guard room > 4 * size else { continue }
            legend.entries = entries.map { (canvas.fitted($0.name, size: size, width: room), $0.colour) }
            let panel = legend.panel(size, on: canvas)
            guard Double(panel.height) <= 0.9 * Double(canvas.height) else { continue }
            let corner = Self.corner(panel, avoiding: objects, on: canvas, place)
            return legend.draw(at: corner, panel, size, on: canvas)
        }
    }

    private func panel(_ size: Double, on canvas: Canvas) -> CGSize {
        let width = entries.map { canvas.size(of: $0.name, size: size).width }.max() ?? 0
        return CGSize(width: width + 2.6 * size, height: (Double(entries.count) * 1.3 + 0.8) * size)
    }

    private static func corner(
        _ panel: CGSize, avoiding objects: [CGRect], on canvas: Canvas, _ place: LegendPlace?
    ) -> CGPoint {
        let (right, bottom) = (CGFloat(canvas.width) - panel.width, CGFloat(canvas.height) - panel.height)
        let corners = [(0, bottom), (right, bottom), (0, 0), (right, 0)].map { CGPoint(x: $0.0, y: $0.1) }
        let hidden = corners.map { corner in
            objects.reduce(0) { sum, object in
                let shared = object.intersection(CGRect(origin: corner, size: panel))
                return shared.isNull ? sum : sum + shared.width * shared.height
            }
        }
        let best = corners.indices.min { hidden[$0] < hidden[$1] } ?? 0
        let limit = hidden[best] + stayingShare * panel.width * panel.height
        let chosen = place?.corner.flatMap { hidden[$0] <= limit ? $0 : nil } ?? best
        place?.corner = chosen
        return corners[chosen]
    }

    private func draw(at corner: CGPoint, _ panel: CGSize, _ size: Double, on canvas: Canvas) {
        canvas.fill(CGRect(origin: corner, size: panel), cornerRadius: size * 0.4, .black, opacity: 0.72)
        for (index, entry) in entries.enumerated() {
            let middle = Double(corner.y) + (0.4 + 1.3 * (Double(index) + 0.5)) * size
            canvas.dot(CGPoint(x: Double(corner.x) + size, y: middle), radius: size * 0.38, entry.colour)
            canvas.text(
                entry.name, at: CGPoint(x: Double(corner.x) + 2 * size, y: middle + size * 0.36), size: size, .white)
        }
    }
}
