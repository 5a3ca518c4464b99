import Foundation
package import VisionImage

/// A face in an image.
package struct DetectedFace: Hashable, Sendable {
    /// The place of the face and of its parts, in pixels of the image, y down.
    package let candidate: FaceCandidate
    package let mesh: FaceMesh
    /// 0…1.
    package let confidence: Double

    /// From about the brows to the chin and from ear to ear.
    package var box: PixelRegion {
        let corner = candidate.centre - candidate.size / 2
        return PixelRegion(x: corner.x, y: corner.y, width: candidate.size.x, height: candidate.size.y)
    }

    /// The shares of the smaller box that another face may cover: one whose eyes point elsewhere, and any.
    private static let largestCovers = (askew: 0.25, any: 0.6)
    private static let cosineOfAskew = cos(1.0)

    /// Whether a less confident face cannot be there beside this one: their meshes lie on each other, or its box covers
    /// this one's further than two faces can. A face seen at a wrong angle often lies half beside the face itself.
    func excludes(_ other: DetectedFace) -> Bool {
        if mesh.isSameFace(as: other.mesh) { return true }
        let (a, b) = (mesh.eyeAxis, other.mesh.eyeAxis)
        let isAskew = (a * b).sum() < Self.cosineOfAskew * ((a * a).sum() * (b * b).sum()).squareRoot()
        let cover = candidate.coverOfSmaller(with: other.candidate)
        return cover > (isAskew ? Self.largestCovers.askew : Self.largestCovers.any)
    }
}

/// Finds the faces of an image.
///
/// The whole image is looked at in each of the four quarter turns, since a network knows faces turned by half of that;
/// then tiles of it, where faces would be too small in the whole. What the detection networks take for a face must be
/// one for the mesh network too, which sees it upright and closer.
package struct FaceDetector: Sendable {
    /// What a revision looks for.
    package struct Settings: Hashable, Sendable {
        /// Quarter turns in which the whole is looked at.
        package var turns: [Int]
        /// The largest roll, in radians.
        package var largestRoll: Double
        /// The smallest faces that tiles are made for, in pixels of the image; nil for the whole only.
        package var smallest: Double?
        /// The least confidence.
        package var leastConfidence: Double

        package init(turns: [Int], largestRoll: Double, smallest: Double?, leastConfidence: Double) {
            self.turns = turns
            self.largestRoll = largestRoll
            self.smallest = smallest
            self.leastConfidence = leastConfidence
        }

        /// Near-upright faces, large ones.
        package static let upright = Settings(
            turns: [0], largestRoll: 0.61, smallest: nil, leastConfidence: 0.5)
        /// Faces in any orientation.
        package static let anyOrientation = Settings(
            turns: [0, 1, 2, 3], largestRoll: .infinity, smallest: 20, leastConfidence: 0.4)
    }

    package let settings: Settings
    private let short: FaceNetwork
    private let full: FaceNetwork
    private let meshes: FaceMeshNetwork
    private let verifier: FaceVerifier

    /// Pixels of a face that the full-range network needs.
    private static let smallestSeen = 10.0
    /// Faces below this many pixels are guesses.
    private static let smallestBelieved = 14.0

    /// - Throws: `ModelStoreError`.
    package init(_ settings: Settings) throws {
        self.settings = settings
        short = try .shared(.shortRange)
        full = try .shared(.fullRange)
        meshes = try .shared()
        verifier = try .shared()
    }

    /// What the networks must say at least of what is examined as a face.
    package struct Thresholds: Hashable, Sendable {
        /// The scores of candidates. The second network is sure of small faces only by the mesh that they have.
        package var shortRange: Double
        package var fullRange: Double
        /// The presence of a mesh.
        package var presence: Double

        package init(shortRange: Double, fullRange: Double, presence: Double) {
            (self.shortRange, self.fullRange, self.presence) = (shortRange, fullRange, presence)
        }

        package static let detection = Thresholds(shortRange: 0.35, fullRange: 0.2, presence: 0.1)
    }

    /// A proposal with its mesh.
    package struct Examined {
        package let proposal: FaceProposal
        package let mesh: FaceMesh
        /// Pixels of the image, square and turned with the mesh.
        package let pixels: (ImagePatch) throws -> Raster
    }

    /// The faces of a part of an image, most confident first.
    ///
    /// - Parameters:
    ///   - region: the part, in pixels of the image.
    ///   - threads: the most threads that a network uses; nil for all. Results do not depend on it.
    ///   - beforeRun: called before each run of a network; what it throws ends the search.
    ///   - pixels: makes parts of the image.
    package func faces(
        in region: PixelRegion, threads: Int? = nil, beforeRun: () throws -> Void = {},
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> [DetectedFace] {
        let faces = try examined(in: region, .detection, threads: threads, beforeRun: beforeRun, pixels: pixels)
            .compactMap { try face($0, threads) }
        let sorted = faces.enumerated()
            .sorted { ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset) }.map(\.element)
        return sorted.reduce(into: []) { kept, face in
            if !kept.contains(where: { $0.excludes(face) }) { kept.append(face) }
        }
    }

    /// Whatever the networks take for a face, with its mesh, in the order of the scores; parameters as for `faces`.
    package func examined(
        in region: PixelRegion, _ thresholds: Thresholds, threads: Int? = nil, beforeRun: () throws -> Void = {},
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> [Examined] {
        let tiles =
            settings.smallest.map {
                FaceTiles.tiles(
                    of: region, finest: $0 * Double(full.side) / Self.smallestSeen, networkSide: Double(full.side))
            } ?? []
        // As fine as the smallest view wants it.
        let finest = tiles.map { max($0.width, $0.height) }.min() ?? max(region.width, region.height)
        let picture = try FacePicture(region, reduction: finest / Double(full.side), pixels: pixels)
        var candidates: [FaceCandidate] = []
        func look(_ network: FaceNetwork, at part: PixelRegion, turns: [Int], _ threshold: Double) throws {
            let upright = FaceView(region: part, side: network.side, turns: 0)
            let pixels = try picture.pixels(of: upright)
            for turn in turns {
                let view = upright.turned(turn)
                try beforeRun()
                let seen = try network.candidates(
                    in: pixels.oriented(view.orientation), threshold: threshold, threads: threads)
                candidates += seen.map(view.imageCandidate)
            }
        }
        try look(short, at: region, turns: settings.turns, thresholds.shortRange)
        try look(full, at: region, turns: settings.turns, thresholds.fullRange)
        for tile in tiles { try look(full, at: tile, turns: [0], thresholds.fullRange) }
        return try FaceMerging.merged(candidates).compactMap { proposal in
            try mesh(of: proposal.face, in: picture, leastPresence: thresholds.presence, threads, beforeRun).map {
                Examined(proposal: proposal, mesh: $0, pixels: { try picture.pixels(of: $0) })
            }
        }
    }

    /// nil for what is no face when it is looked at closely.
    private func mesh(
        of candidate: FaceCandidate, in picture: FacePicture, leastPresence: Double, _ threads: Int?,
        _ beforeRun: () throws -> Void
    ) throws -> FaceMesh? {
        guard candidate.size.min() >= Self.smallestBelieved else { return nil }
        func seen(axis: SIMD2<Double>? = nil) throws -> FaceMesh? {
            try beforeRun()
            let mesh = try meshes.mesh(of: candidate, axis: axis, in: picture, threads: threads)
            return mesh.flatMap { $0.presence >= leastPresence ? $0 : nil }
        }
        guard let mesh = try seen() else { return nil }
        // Eyes that a detector saw a little askew turned the crop, too: the second look is straight.
        guard abs(angle(candidate.eyeAxis, mesh.eyeAxis)) > 0.1 else { return mesh }
        return try seen(axis: mesh.eyeAxis) ?? mesh
    }

    /// nil for what the verifier does not take for a face.
    private func face(_ examined: Examined, _ threads: Int?) throws -> DetectedFace? {
        let mesh = examined.mesh
        guard abs(mesh.angles.roll) <= settings.largestRoll else { return nil }
        let confidence = try verifier.confidence(
            of: examined.proposal, mesh, threads: threads, pixels: examined.pixels)
        guard confidence >= settings.leastConfidence else { return nil }
        return DetectedFace(candidate: examined.proposal.face, mesh: mesh, confidence: confidence)
    }
}

/// The angle from one direction to another, −π ... π.
private func angle(_ from: SIMD2<Double>, _ to: SIMD2<Double>) -> Double {
    atan2(from.x * to.y - from.y * to.x, (from * to).sum())
}
