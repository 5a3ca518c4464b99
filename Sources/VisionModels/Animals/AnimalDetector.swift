package import VisionImage
import VisionInference

/// A cat or a dog that was found.
package struct FoundAnimal: Equatable, Sendable {
    /// Within the region, in 0…1 from its top left corner.
    package let box: UnitBox
    /// The score of each species, in the order of `AnimalDetector.Species`.
    package let scores: [Float]

    /// The score of the likelier species.
    package var bestScore: Float { scores.max() ?? 0 }
}

/// The network that finds cats and dogs. `Training/Animals` trains it.
package final class AnimalDetector: Sendable {
    package enum Species: Int, CaseIterable, Sendable {
        case cat, dog
    }

    /// The lowest score of a result, chosen on photos without animals (Training/Animals).
    package static let leastScore: Float = 0.65
    /// Of two boxes of one species with a larger overlap, the one with the lower score is dropped; so for two species.
    private static let overlapThreshold: Float = 0.5
    private static let mixedOverlapThreshold = 0.7
    private static let maximumCount = 100

    /// Cell j of the outputs sees the input around pixel `cellStep` · j + `firstCell`.
    private static let (firstCell, cellStep) = (3.5, 16.0)

    private let session: Session

    /// - Throws: `ModelError`.
    private init() throws {
        session = try BuiltInNetwork.animals.session(options: .init(preparedLimit: Self.sizes.count))
        guard session.inputs.count == 1, session.outputs.count == 2, let shape = session.inputs[0].shape,
            shape.count == 4, shape[0] == 1, shape[3] == 3
        else { throw ModelError.invalid("its inputs or outputs are not those of the network") }
    }

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    package static func shared() throws -> AnimalDetector {
        try ModelRegistry.shared.network(.animals) { try AnimalDetector() }
    }

    /// The sizes of the input, those of the training (`Training/Animals/sizes.py`). In wider images more is found when
    /// they are stretched to these than at a size nearer to theirs.
    private static let sizes = [(356, 356), (324, 420), (420, 324)].map { Backbone.InputSize(rows: $0, columns: $1) }
    /// Images that are wider or narrower than the input by more than this come in their own aspect ratio, with about as
    /// many pixels as a rectangle of `plainPixels`: frames of 1920 × 1080 are decoded as small as for classification.
    private static let (mostStretch, plainPixels) = (1.25, 124_000.0)

    /// Returns the derivative that the network reads of a region: all of it, scaled independently along both axes to
    /// the size of the input whose aspect ratio is nearest, or in its own aspect ratio where that is far from all.
    static func input(region: PixelRegion) -> Derivative {
        let size = Backbone.InputSize.nearest(to: region, among: sizes)
        let aspect = region.width / region.height
        let stretch = aspect * Double(size.rows) / Double(size.columns)
        var (width, height) = (size.columns, size.rows)
        if max(stretch, 1 / stretch) > mostStretch {
            // Bounded, for regions of a single row or column, or of less.
            width = Int(min(max((plainPixels * aspect).squareRoot(), 64), Double(2 * size.columns)))
            height = Int(min(max((plainPixels / aspect).squareRoot(), 64), Double(2 * size.rows)))
        }
        return Derivative(region: region, width: width, height: height, format: .rgb8, fit: .fill)
    }

    /// The shortest side of the part of an image that a second look is worth, in pixels.
    private static let leastSide = 8.0

    /// Returns the animals of a region of an image, the highest score first. Where the highest score leaves doubts, a
    /// second look goes to the part of the region around them (`AnimalCloseUp`).
    ///
    /// - Parameters:
    ///   - region: In pixels of the image.
    ///   - leastScore: The lowest score of a result.
    ///   - threads: The maximum number of threads; nil for all. The result does not depend on it.
    ///   - willRun: Called before each run of the network; may throw to end the search.
    ///   - pixels: Makes parts of the image.
    /// - Throws: `ModelStoreError`, and what `willRun` and `pixels` throw.
    package func animals(
        in region: PixelRegion, leastScore: Float = leastScore, threads: Int? = nil, willRun: () throws -> Void = {},
        pixels: (Derivative) throws -> Raster
    ) throws -> [FoundAnimal] {
        let floor = min(leastScore, AnimalCloseUp.leastScore)
        func look(at region: PixelRegion) throws -> [FoundAnimal] {
            let image = try pixels(Self.input(region: region))
            try willRun()
            return try animals(in: image, leastScore: floor, threads: threads)
        }
        var found = try look(at: region)
        if let part = AnimalCloseUp.part(around: found) {
            let close = part.placed(in: region)
            if min(close.width, close.height) >= Self.leastSide {
                found = AnimalCloseUp.joined(found, try look(at: close), in: part)
            }
        }
        return found.filter { $0.bestScore >= leastScore }
    }

    /// Returns the animals of one look.
    ///
    /// - Parameter image: The pixels of `input(region:)`.
    private func animals(in image: Raster, leastScore: Float, threads: Int?) throws -> [FoundAnimal] {
        let own = PixelRegion(width: image.width, height: image.height)
        let size = Backbone.InputSize.nearest(to: own, among: Self.sizes)
        return try BuiltInNetwork.animals.reporting {
            let pixels =
                (image.width, image.height) == (size.columns, size.rows)
                ? image : try image.resized(width: size.columns, height: size.rows, filter: .antialiasedBilinear)
            return try session.run(shapes: [[1, size.rows, size.columns, 3]], threads: threads) { _, input in
                try pixels.writeInterleaved(to: input.elements(), scale: 1 / 128, bias: -127 / 128)
            } read: { outputs in
                Self.animals(
                    sides: outputs[0].elements(), scores: outputs[1].elements(), width: size.columns,
                    height: size.rows, leastScore: leastScore)
            }
        }
    }

    /// - Parameters:
    ///   - width: The columns of the input.
    ///   - height: Its rows.
    private static func animals(
        sides: UnsafeMutableBufferPointer<Float>, scores: UnsafeMutableBufferPointer<Float>, width: Int, height: Int,
        leastScore: Float
    ) -> [FoundAnimal] {
        let species = Species.allCases.count
        // Sides of the input are 4 above a multiple of 32.
        let columns = (width - 4) / Int(cellStep) + 1
        let candidates = (0..<min(sides.count / 4, scores.count / species)).compactMap { cell -> Candidate? in
            let own = (0..<species).map { scores[cell * species + $0] }
            guard let best = own.max(), best >= leastScore, let index = own.firstIndex(of: best) else { return nil }
            let x = (firstCell + cellStep * Double(cell % columns)) / Double(width),
                y = (firstCell + cellStep * Double(cell / columns)) / Double(height)
            let distances = (0..<4).map { Double(sides[4 * cell + $0]) }
            let edges = [x - distances[0], y - distances[1], x + distances[2], y + distances[3]]
            return UnitBox(edges: edges).map { Candidate(box: $0, score: best, classIndex: index, row: cell) }
        }
        let found = Suppression.survivors(
            of: candidates, overlapThreshold: overlapThreshold, maximumCount: maximumCount)
        return found.enumerated().filter { index, animal in
            !found.prefix(index).contains { $0.box.overlap(with: animal.box) > mixedOverlapThreshold }
        }.map { _, animal in
            FoundAnimal(box: animal.box, scores: (0..<species).map { scores[animal.row * species + $0] })
        }
    }
}
