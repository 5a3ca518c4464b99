import Foundation
package import VisionImage

/// A face in an image.
package struct DetectedFace: Hashable, Sendable {
    /// The box and the keypoints of the face, in pixels of the image, y down.
    package let candidate: FaceCandidate
    package let mesh: FaceMesh
    /// 0…1.
    package let confidence: Double

    /// From about the brows to the chin and from ear to ear.
    package var box: PixelRegion {
        let corner = candidate.centre - candidate.size / 2
        return PixelRegion(x: corner.x, y: corner.y, width: candidate.size.x, height: candidate.size.y)
    }

    /// The largest share of the smaller box that another face may cover: one with another roll, and any.
    private static let largestCovers = (askew: 0.25, any: 0.6)
    private static let cosineOfAskew = cos(1.0)

    /// Whether this face suppresses a less confident one: their meshes coincide, or the boxes overlap more than those
    /// of two faces can. A false detection of a face at a wrong angle often overlaps half of the face.
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
/// The detection networks process the whole image in each of the four quarter turns, since they find faces rotated by
/// up to 45°; then tiles of it, for faces that are too small in the whole image. The mesh network and the verifier,
/// which process each proposal upright and at a higher resolution, must confirm it.
package struct FaceDetector: Sendable {
    /// The faces that a revision finds.
    package struct Settings: Hashable, Sendable {
        /// The quarter turns in which the whole image is processed.
        package var turns: [Int]
        /// The largest roll, in radians.
        package var largestRoll: Double
        /// The smallest faces that tiles are made for, in pixels of the image; nil for no tiles.
        package var smallest: Double?
        /// The lowest confidence.
        package var leastConfidence: Double

        package init(turns: [Int], largestRoll: Double, smallest: Double?, leastConfidence: Double) {
            self.turns = turns
            self.largestRoll = largestRoll
            self.smallest = smallest
            self.leastConfidence = leastConfidence
        }

        /// Large, near-upright faces.
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

    /// The size of the smallest faces that the full-range network finds, in pixels of its input.
    private static let smallestDetected = 10.0
    /// The size of the smallest faces that are reported, in pixels of the image: smaller ones are unreliable.
    private static let smallestReported = 14.0

    /// - Throws: `ModelStoreError`.
    package init(_ settings: Settings) throws {
        self.settings = settings
        short = try .shared(.shortRange)
        full = try .shared(.fullRange)
        meshes = try .shared()
        verifier = try .shared()
    }

    /// The lowest outputs of the networks for a candidate to be examined.
    package struct Thresholds: Hashable, Sendable {
        /// The scores of candidates. The full-range threshold is low because the mesh decides on small faces.
        package var shortRange: Double
        package var fullRange: Double
        /// The presence output of the mesh network.
        package var presence: Double

        package static let detection = Thresholds(shortRange: 0.35, fullRange: 0.2, presence: 0.1)
    }

    /// A proposal with its mesh.
    package struct Examined {
        package let proposal: FaceProposal
        package let mesh: FaceMesh
        /// Returns a square crop of the image, rotated with the mesh.
        package let pixels: (ImagePatch) throws -> Raster
    }

    /// Returns the faces in a region of an image, most confident first.
    ///
    /// - Parameters:
    ///   - region: The region, in pixels of the image.
    ///   - threads: The maximum number of threads of a network; nil for all. Results do not depend on it.
    ///   - beforeRun: Called before each run of a network; an error that it throws ends the search.
    ///   - pixels: Makes parts of the image.
    package func faces(
        in region: PixelRegion, threads: Int? = nil, beforeRun: () throws -> Void = {},
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> [DetectedFace] {
        let faces = try examined(in: region, .detection, threads: threads, beforeRun: beforeRun, pixels: pixels)
            .compactMap { try face($0, threads) }
        return faces.stablySorted { $0.confidence > $1.confidence }.reduce(into: []) { kept, face in
            if !kept.contains(where: { $0.excludes(face) }) { kept.append(face) }
        }
    }

    /// Returns all proposals of the networks with their meshes, in the order of the scores; parameters as for `faces`.
    package func examined(
        in region: PixelRegion, _ thresholds: Thresholds, threads: Int? = nil, beforeRun: () throws -> Void = {},
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> [Examined] {
        let tiles =
            settings.smallest.map {
                FaceTiles.tiles(
                    of: region, finest: $0 * Double(full.side) / Self.smallestDetected, networkSide: Double(full.side))
            } ?? []
        // The resolution that the smallest view needs.
        let finest = tiles.map { max($0.width, $0.height) }.min() ?? max(region.width, region.height)
        let image = try FaceSearchImage(region, reduction: finest / Double(full.side), pixels: pixels)
        var candidates: [FaceCandidate] = []
        func detect(_ network: FaceNetwork, in part: PixelRegion, turns: [Int], _ threshold: Double) throws {
            let upright = FaceView(region: part, side: network.side, turns: 0)
            let pixels = try image.pixels(of: upright)
            for turn in turns {
                let view = upright.rotated(turn)
                try beforeRun()
                let found = try network.candidates(
                    in: pixels.oriented(view.orientation), threshold: threshold, threads: threads)
                candidates += found.map(view.imageCandidate)
            }
        }
        try detect(short, in: region, turns: settings.turns, thresholds.shortRange)
        try detect(full, in: region, turns: settings.turns, thresholds.fullRange)
        for tile in tiles { try detect(full, in: tile, turns: [0], thresholds.fullRange) }
        return try FaceMerging.merged(candidates).compactMap { proposal in
            try mesh(of: proposal.face, in: image, leastPresence: thresholds.presence, threads, beforeRun).map {
                Examined(proposal: proposal, mesh: $0, pixels: { try image.pixels(of: $0) })
            }
        }
    }

    /// Returns the mesh of a candidate; nil where the mesh network finds no face.
    private func mesh(
        of candidate: FaceCandidate, in image: FaceSearchImage, leastPresence: Double, _ threads: Int?,
        _ beforeRun: () throws -> Void
    ) throws -> FaceMesh? {
        guard candidate.size.min() >= Self.smallestReported else { return nil }
        func checkedMesh(axis: SIMD2<Double>? = nil) throws -> FaceMesh? {
            try beforeRun()
            let mesh = try meshes.mesh(of: candidate, axis: axis, in: image, threads: threads)
            return mesh.flatMap { $0.presence >= leastPresence ? $0 : nil }
        }
        guard let mesh = try checkedMesh() else { return nil }
        // An inaccurate eye axis of the detector rotates the crop too: the second run uses the axis of the mesh.
        guard abs(angle(candidate.eyeAxis, mesh.eyeAxis)) > 0.1 else { return mesh }
        return try checkedMesh(axis: mesh.eyeAxis) ?? mesh
    }

    /// Returns the face of a proposal; nil where the verifier or the settings reject it.
    private func face(_ examined: Examined, _ threads: Int?) throws -> DetectedFace? {
        let mesh = examined.mesh
        guard abs(mesh.angles.roll) <= settings.largestRoll else { return nil }
        let confidence = try verifier.confidence(
            of: examined.proposal, mesh, threads: threads, pixels: examined.pixels)
        guard confidence >= settings.leastConfidence else { return nil }
        return DetectedFace(candidate: examined.proposal.face, mesh: mesh, confidence: confidence)
    }
}

/// Returns the angle from one direction to another, −π ... π.
private func angle(_ from: SIMD2<Double>, _ to: SIMD2<Double>) -> Double {
    atan2(from.x * to.y - from.y * to.x, (from * to).sum())
}
