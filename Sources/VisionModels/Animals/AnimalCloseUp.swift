import VisionImage

/// A second look at animals that the first one is not sure of: at the part of the image around them, where they are
/// larger. What both looks find is averaged.
enum AnimalCloseUp {
    /// Boxes with a lower score have no part in it.
    static let leastScore: Float = 0.1
    /// The highest scores of a first look that ask for a second one (Training/Animals): below there is likely no
    /// animal, above it is clear.
    private static let doubtfulScores: Range<Float> = 0.2..<0.9
    /// The space around the animals, relative to their width and height.
    private static let margin = 0.15
    /// In a larger part of the image they are no larger.
    private static let largestArea = 0.8
    /// Boxes of both looks that overlap so much are of one animal.
    private static let sameOverlap = 0.5

    /// Returns the part of the image around animals for a second look; nil where none is needed.
    ///
    /// - Parameter animals: What the first look found, down to `leastScore`.
    static func part(around animals: [FoundAnimal]) -> UnitBox? {
        guard let best = animals.map(\.bestScore).max(), doubtfulScores.contains(best) else { return nil }
        let boxes = animals.filter { $0.bestScore >= leastScore }.map(\.box)
        let (left, top) = (boxes.map(\.x).min() ?? 0, boxes.map(\.y).min() ?? 0)
        let (right, bottom) = (boxes.map { $0.x + $0.width }.max() ?? 1, boxes.map { $0.y + $0.height }.max() ?? 1)
        let (aside, above) = ((right - left) * margin, (bottom - top) * margin)
        let part = UnitBox(edges: [left - aside, top - above, right + aside, bottom + above])
        return part.flatMap { $0.width * $0.height < largestArea ? $0 : nil }
    }

    /// Returns the animals of both looks, the highest score first: those of both with the means of boxes and scores,
    /// those of one with half of their scores.
    ///
    /// - Parameters:
    ///   - first: The highest score first: of two that overlap an animal of the second look, it is the first one.
    ///   - second: In 0…1 from the top left corner of the part.
    static func joined(_ first: [FoundAnimal], _ second: [FoundAnimal], in part: UnitBox) -> [FoundAnimal] {
        let close = second.map { FoundAnimal(box: $0.box.placed(in: part), scores: $0.scores) }
        var rest = close.indices.map { $0 }
        let seen = first.map { animal in
            func overlap(_ index: Int) -> Double { close[index].box.overlap(with: animal.box) }
            guard let index = rest.max(by: { overlap($0) < overlap($1) }), overlap(index) >= sameOverlap else {
                return animal.halved
            }
            rest.removeAll { $0 == index }
            return animal.averaged(with: close[index])
        }
        return (seen + rest.map { close[$0].halved }).stablySorted { $0.bestScore > $1.bestScore }
    }
}

extension FoundAnimal {
    fileprivate var halved: FoundAnimal { FoundAnimal(box: box, scores: scores.map { $0 / 2 }) }

    fileprivate func averaged(with other: FoundAnimal) -> FoundAnimal {
        let mean = UnitBox(
            x: (box.x + other.box.x) / 2, y: (box.y + other.box.y) / 2, width: (box.width + other.box.width) / 2,
            height: (box.height + other.box.height) / 2)
        return FoundAnimal(box: mean, scores: zip(scores, other.scores).map { ($0 + $1) / 2 })
    }
}

extension UnitBox {
    /// The box in the whole image of one within a part of it.
    fileprivate func placed(in part: UnitBox) -> UnitBox {
        UnitBox(
            x: part.x + x * part.width, y: part.y + y * part.height, width: width * part.width,
            height: height * part.height)
    }
}
