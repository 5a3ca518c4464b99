package import VisionImage
import VisionInference

/// A person who was found.
package struct FoundPerson: Equatable, Sendable {
    /// The part of the body that the box is about.
    package enum Part: Int, CaseIterable, Sendable {
        /// The whole body, as far as it is visible.
        case wholeBody
        /// The head and the torso.
        case upperBody
    }

    /// In pixels of the image.
    package let box: PixelRegion
    /// The network's score, which masks and poses go by.
    package let score: Float
    /// How likely the box is right, with those around it in mind (`PeopleConfidence`).
    package let confidence: Float

    package init(box: PixelRegion, score: Float, confidence: Float = 0) {
        (self.box, self.score, self.confidence) = (box, score, confidence)
    }
}

/// The network that finds people, their whole bodies and their upper bodies. `Training/People` trains it.
package final class PeopleDetector: Sendable {
    /// The lowest score of a person who has a mask of their own, chosen on photos without people (Training/People).
    package static let leastScore: Float = 0.52
    /// Of two boxes with a larger overlap, the one with the lower score is dropped.
    private static let overlapThreshold: Float = 0.6
    private static let maximumCount = 300
    /// The grey around an image that is not square, as in the network's training.
    private static let padding: Float = 114

    /// The sides of inputs are multiples of this, from the first to the last of these numbers of them.
    private static let step = 32
    private static let steps = 7...28
    /// The largest number of pixels of an input.
    private static let pixelLimit = 448 * 448

    private let session: Session

    /// - Throws: `ModelError`.
    private init() throws {
        session = try BuiltInNetwork.people.session()
        guard session.inputs.count == 1, session.outputs.count == 3, let shape = session.inputs[0].shape,
            shape.count == 4, shape[0] == 1, shape[3] == 3
        else { throw ModelError.invalid("its inputs or outputs are not those of the network") }
    }

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    package static func shared() throws -> PeopleDetector {
        try ModelRegistry.shared.network(.people) { try PeopleDetector() }
    }

    /// Returns the size of the input, columns and rows, in which a region is largest; of equal ones the smallest.
    static func inputSize(of region: PixelRegion) -> (columns: Int, rows: Int) {
        var best: (scale: Double, columns: Int, rows: Int) = (0, 0, 0)
        for columns in steps.map({ $0 * step }) {
            for rows in steps.map({ $0 * step }) where columns * rows <= pixelLimit {
                let scale = min(Double(columns) / region.width, Double(rows) / region.height)
                if (scale, -columns * rows) > (best.scale, -best.columns * best.rows) { best = (scale, columns, rows) }
            }
        }
        return (best.columns, best.rows)
    }

    /// Returns the derivative that the network reads of a region: all of it with its aspect ratio kept, as large as the
    /// input allows.
    package func input(region: PixelRegion) -> Derivative {
        let size = Self.inputSize(of: region)
        let scale = min(Double(size.columns) / region.width, Double(size.rows) / region.height)
        func length(_ pixels: Double, _ limit: Int) -> Int { min(limit, max(1, Int((pixels * scale).rounded()))) }
        return Derivative(
            region: region, width: length(region.width, size.columns), height: length(region.height, size.rows),
            format: .rgb8)
    }

    /// Returns the people of an image by part of the body, the highest score first, down to
    /// `PeopleConfidence.leastScore`.
    ///
    /// - Parameters:
    ///   - image: The pixels of `input(region:)`.
    ///   - region: The region, in pixels of the image.
    ///   - threads: The maximum number of threads; nil for all. The result does not depend on it.
    /// - Throws: `ModelStoreError`.
    package func people(
        in image: Raster, of region: PixelRegion, threads: Int? = nil
    ) throws -> [FoundPerson.Part: [FoundPerson]] {
        let size = Self.inputSize(of: region)
        precondition(image.width <= size.columns && image.height <= size.rows)
        return try BuiltInNetwork.people.reporting {
            try session.run(shapes: [[1, size.rows, size.columns, 3]], threads: threads) { _, input in
                let floats: UnsafeMutableBufferPointer<Float> = input.elements()
                for index in floats.indices { floats[index] = Self.padding }
                try image.writeInterleaved(to: floats, rowFloats: 3 * size.columns, scale: 1, bias: 0)
                // The network was trained with blue first.
                for pixel in 0..<floats.count / 3 { floats.swapAt(3 * pixel, 3 * pixel + 2) }
            } read: { outputs in
                Dictionary(
                    uniqueKeysWithValues: FoundPerson.Part.allCases.map { part in
                        (part, Self.people(outputs, width: image.width, height: image.height, region, part))
                    })
            }
        }
    }

    /// - Parameters:
    ///   - width: The columns of the input that show the region.
    ///   - height: Its rows.
    private static func people(
        _ outputs: [TensorView], width: Int, height: Int, _ region: PixelRegion, _ part: FoundPerson.Part
    ) -> [FoundPerson] {
        let boxes = outputs[part == .wholeBody ? 0 : 1].elements(Float.self)
        let scores = outputs[2].elements(Float.self)
        let parts = FoundPerson.Part.allCases.count
        let (columns, rows) = (Double(width), Double(height))
        let candidates = (0..<min(boxes.count / 4, scores.count / parts)).compactMap { row -> Candidate? in
            let score = scores[row * parts + part.rawValue]
            guard score >= PeopleConfidence.leastScore else { return nil }
            let scaled = (0..<4).map { Double(boxes[4 * row + $0]) / ($0 % 2 == 0 ? columns : rows) }
            guard let box = UnitBox(edges: scaled) else { return nil }
            return Candidate(box: box, score: score, classIndex: 0, row: row)
        }
        let people = Suppression.survivors(
            of: candidates, overlapThreshold: overlapThreshold, maximumCount: maximumCount
        ).map { found in
            FoundPerson(box: found.box.placed(in: region), score: found.score)
        }
        return PeopleConfidence.judged(people, part, height: region.height)
    }
}
