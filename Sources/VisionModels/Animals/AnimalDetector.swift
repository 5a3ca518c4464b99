import VisionInference

/// A cat or a dog that was found.
package struct FoundAnimal: Equatable, Sendable {
    /// Within the region, in 0…1 from its top left corner.
    package let box: UnitBox
    /// The score of each species, in the order of `AnimalDetector.Species`.
    package let scores: [Float]
}

/// The network that finds cats and dogs on the maps of EfficientNet-Lite2. `Training/Animals` trains it.
package final class AnimalDetector: Sendable {
    package enum Species: Int, CaseIterable, Sendable {
        case cat, dog
    }

    /// The backbone whose maps the network reads.
    package static let backbone = Backbone.Revision.efficientNetLite2
    /// The input of the backbone has about as many pixels as the square of this side: small animals need more than the
    /// square that classification has. The network was trained at 388; at this size frames of 1920 × 1080 are decoded
    /// as small as for classification.
    package static let squareSide = 356
    /// The lowest score of a result, chosen on photos without animals (Training/Animals).
    package static let leastScore: Float = 0.5
    /// Of two boxes of one species with a larger overlap, the one with the lower score is dropped; so for two species.
    private static let overlapThreshold: Float = 0.5
    private static let mixedOverlapThreshold = 0.7
    private static let maximumCount = 100

    /// Cell j of the map `middle` sees the backbone's input around pixel `cellStep` · j + `firstCell`.
    private static let (firstCell, cellStep) = (3.5, 16.0)

    private let head: BackboneHead

    /// - Throws: `ModelError`.
    private init() throws {
        head = try BackboneHead(.animals, outputs: [[1, nil, 4], [1, nil, Species.allCases.count]])
    }

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    package static func shared() throws -> AnimalDetector {
        try ModelRegistry.shared.network(.animals) { try AnimalDetector() }
    }

    /// Returns the animals of an image, the highest score first.
    ///
    /// - Parameters:
    ///   - features: The features of the backbone `backbone` with maps, of an input of a permitted size.
    ///   - leastScore: The lowest score of a result.
    ///   - threads: The maximum number of threads; nil for all. The result does not depend on it.
    /// - Throws: `ModelStoreError`.
    package func animals(
        in features: BackboneFeatures, leastScore: Float = leastScore, threads: Int? = nil
    ) throws -> [FoundAnimal] {
        guard let cells = features.map(.middle) else { return [] }
        return try head.run(on: features, threads: threads) { outputs in
            let (sides, scores) = (outputs[0].elements(Float.self), outputs[1].elements(Float.self))
            let species = Species.allCases.count
            // Permitted sides are 4 above a multiple of 32: a side of n cells has 16 (n − 1) + 4 pixels.
            func middle(_ index: Int, of count: Int) -> Double {
                (Self.firstCell + Self.cellStep * Double(index)) / (Self.cellStep * Double(count - 1) + 4)
            }
            let count = min(cells.rows * cells.columns, sides.count / 4, scores.count / species)
            let candidates = (0..<count).compactMap { cell -> Candidate? in
                let own = (0..<species).map { scores[cell * species + $0] }
                guard let best = own.max(), best >= leastScore, let index = own.firstIndex(of: best) else { return nil }
                let x = middle(cell % cells.columns, of: cells.columns),
                    y = middle(cell / cells.columns, of: cells.rows)
                let distances = (0..<4).map { Double(sides[4 * cell + $0]) }
                let edges = [x - distances[0], y - distances[1], x + distances[2], y + distances[3]]
                return UnitBox(edges: edges).map { Candidate(box: $0, score: best, classIndex: index, row: cell) }
            }
            let found = Suppression.survivors(
                of: candidates, overlapThreshold: Self.overlapThreshold, maximumCount: Self.maximumCount)
            return found.enumerated().filter { index, animal in
                !found.prefix(index).contains { $0.box.overlap(with: animal.box) > Self.mixedOverlapThreshold }
            }.map { _, animal in
                FoundAnimal(box: animal.box, scores: (0..<species).map { scores[animal.row * species + $0] })
            }
        }
    }
}
