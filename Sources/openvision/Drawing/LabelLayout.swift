import Vision

/// Labels of objects, laid out so that they lie inside the image and avoid each other.
struct LabelLayout {
    struct Label {
        let text: String
        /// The bounding box of the object in pixels.
        let anchor: CGRect
        let colour: Colour
        /// Whether the label is better beside the object than above it.
        var isBeside = false
    }

    /// With more labels, the later ones are not moved out of the way of others.
    private static let limit = 300
    /// How wide the label of a small object may be, in sizes of the letters.
    private static let longestOfSmall = 24.0

    /// Draws the labels on plates of their colours.
    static func draw(_ labels: [Label], size: Double, on canvas: Canvas) {
        let padding = (size * 0.25).rounded()
        let image = CGSize(width: canvas.width, height: canvas.height)
        let shown = labels.filter { label in
            let numbers = [label.anchor.minX, label.anchor.minY, label.anchor.maxX, label.anchor.maxY]
            return !label.text.isEmpty && numbers.allSatisfy { $0.isFinite && abs($0) < 1e6 }
                && label.anchor.intersects(CGRect(origin: .zero, size: image))
        }
        let texts = shown.map { label in
            // Not much wider than its object, but for the labels of small ones.
            let limit = max(Double(label.anchor.width) * 1.2, longestOfSmall * size)
            return canvas.fitted(label.text, size: size, width: min(limit, max(1, Double(canvas.width) - 2 * padding)))
        }
        let sizes = texts.map { canvas.size(of: $0, size: size) }
        let plates = plates(
            sizes: sizes.map { CGSize(width: $0.width + 2 * padding, height: $0.height + padding) },
            anchors: shown.map(\.anchor), isBeside: shown.map(\.isBeside), in: image)
        for (index, plate) in plates.enumerated() {
            canvas.fill(plate, cornerRadius: padding, shown[index].colour, opacity: 0.92)
            canvas.text(
                texts[index],
                at: CGPoint(x: plate.minX + padding, y: plate.minY + padding / 2 + sizes[index].ascent), size: size,
                shown[index].colour.ink)
        }
    }

    /// Returns where the labels go: near their anchors, inside the image, and where there is room beside each other.
    ///
    /// - Parameter isBeside: Whether each label is better beside its object than above it; empty for none.
    static func plates(sizes: [CGSize], anchors: [CGRect], isBeside: [Bool] = [], in image: CGSize) -> [CGRect] {
        var placed: [CGRect] = []
        for (index, size) in sizes.enumerated() {
            let isBeside = isBeside.indices.contains(index) && isBeside[index]
            let candidates = candidates(size, anchors[index], isBeside: isBeside, image)
            let chosen =
                index < limit
                ? candidates.min { cost($0, among: placed) < cost($1, among: placed) } : candidates.first
            if let chosen { placed.append(chosen.plate) }
        }
        return placed
    }

    /// A place for a label, and how little it is liked.
    private typealias Candidate = (plate: CGRect, penalty: Double)

    private static func cost(_ candidate: Candidate, among placed: [CGRect]) -> Double {
        let area = Double(candidate.plate.width * candidate.plate.height)
        return placed.reduce(candidate.penalty) { sum, other in
            let shared = candidate.plate.intersection(other)
            guard !shared.isNull, !shared.isEmpty else { return sum }
            // Touching another label is worse than any place without.
            return sum + 100 + 1000 * Double(shared.width * shared.height) / max(area, 1)
        }
    }

    /// Above the object, below it, inside it and beside it, then further and further above and below.
    private static func candidates(
        _ size: CGSize, _ box: CGRect, isBeside: Bool, _ image: CGSize
    ) -> [Candidate] {
        let visible = box.intersection(CGRect(origin: .zero, size: image))
        let box = visible.isNull ? box : visible
        var places: [(x: CGFloat, y: CGFloat, penalty: Double)] = [
            (box.minX, box.minY - size.height, 0), (box.minX, box.maxY, 2), (box.minX, box.minY, 3),
            (box.maxX - size.width, box.minY - size.height, 1), (box.maxX - size.width, box.maxY, 2.5),
            (box.minX, box.maxY - size.height, 3.5), (box.maxX, box.minY, 4), (box.minX - size.width, box.minY, 4),
            (box.midX - size.width / 2, box.minY - size.height, 1.5),
        ]
        if isBeside { places.append((box.minX - size.width, box.midY - size.height / 2, -1)) }
        for step in 1...8 {
            let shift = CGFloat(step) * size.height
            places.append((box.minX, box.minY - size.height - shift, 5 + Double(step)))
            places.append((box.minX, box.maxY + shift, 5.5 + Double(step)))
            places.append((box.minX, box.minY + shift, 6 + Double(step)))
        }
        return places.map { place in
            let x = min(max(0, place.x), max(0, image.width - size.width))
            let y = min(max(0, place.y), max(0, image.height - size.height))
            // Where the image ends, a place is not the one that was meant.
            let moved = Double(abs(x - place.x) * 0.2 + abs(y - place.y)) / Double(max(size.height, 1))
            return (CGRect(x: x, y: y, width: size.width, height: size.height), place.penalty + 4 * moved)
        }
    }
}
