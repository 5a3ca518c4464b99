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
}

/// Finds the faces of an image.
///
/// The whole image is looked at in each of the four quarter turns, since a network knows faces turned by half of that; then
/// tiles of it, where faces would be too small in the whole. What the detection networks take for a face must be one for the
/// mesh network too, which sees it upright and closer.
package struct FaceDetector: Sendable {
    /// What a revision looks for.
    package struct Settings: Hashable, Sendable {
        /// Quarter turns in which the whole is looked at.
        package var turns: [Int]
        /// The largest roll, in radians.
        package var largestRoll: Double
        /// The smallest faces that tiles are made for, in pixels of the image; nil for the whole only.
        package var smallest: Double?
        /// The least confidence. Faces upside down look a little like upright ones.
        package var leastConfidence: Double

        package init(turns: [Int], largestRoll: Double, smallest: Double?, leastConfidence: Double) {
            self.turns = turns
            self.largestRoll = largestRoll
            self.smallest = smallest
            self.leastConfidence = leastConfidence
        }

        /// Near-upright faces, large ones.
        package static let upright = Settings(
            turns: [0], largestRoll: 0.61, smallest: nil, leastConfidence: 0.8)
        /// Faces in any orientation.
        package static let anyOrientation = Settings(
            turns: [0, 1, 2, 3], largestRoll: .infinity, smallest: 20, leastConfidence: 0.55)
    }

    package let settings: Settings
    private let short: FaceNetwork
    private let full: FaceNetwork
    private let meshes: FaceMeshNetwork

    /// The least scores of candidates. The second network is sure of small faces only by the mesh that they have.
    private static let shortThreshold = 0.5
    private static let fullThreshold = 0.3
    /// The least presence of a mesh.
    private static let presence = 0.5
    /// Pixels of a face that the full-range network needs.
    private static let smallestSeen = 10.0
    /// A tile's share that its neighbour sees as well.
    private static let tileOverlap = 0.25
    /// Faces below this many pixels are guesses.
    private static let smallestBelieved = 14.0

    /// - Throws: `ModelStoreError`.
    package init(_ settings: Settings) throws {
        self.settings = settings
        short = try .shared(.shortRange)
        full = try .shared(.fullRange)
        meshes = try .shared()
    }

    /// The faces of a part of an image, most confident first.
    ///
    /// - Parameters:
    ///   - region: the part, in pixels of the image.
    ///   - threads: the most threads that a network uses; nil for all. Results do not depend on it.
    ///   - pixels: makes parts of the image.
    package func faces(
        in region: PixelRegion, threads: Int? = nil, pixels: @escaping (Derivative) throws -> Raster
    ) throws -> [DetectedFace] {
        let tiles = tiles(of: region)
        // As fine as the smallest view wants it.
        let finest = tiles.map { max($0.width, $0.height) }.min() ?? max(region.width, region.height)
        let picture = try FacePicture(region, reduction: finest / Double(full.side), pixels: pixels)
        var candidates: [FaceCandidate] = []
        func look(_ network: FaceNetwork, at part: PixelRegion, turns: Int, _ threshold: Double) throws {
            let view = FaceView(region: part, side: network.side, turns: turns)
            let seen = try network.candidates(in: picture.pixels(of: view), threshold: threshold, threads: threads)
            candidates += seen.map(view.imageCandidate)
        }
        for turns in settings.turns {
            try look(short, at: region, turns: turns, Self.shortThreshold)
            try look(full, at: region, turns: turns, Self.fullThreshold)
        }
        for tile in tiles { try look(full, at: tile, turns: 0, Self.fullThreshold) }
        let faces = try FaceMerging.merged(candidates).compactMap { try face($0, in: picture, threads) }
        let sorted = faces.enumerated()
            .sorted { ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset) }.map(\.element)
        // Candidates that the boxes took for two may be of one face: then the meshes lie on each other.
        return sorted.reduce(into: []) { kept, face in
            if !kept.contains(where: { $0.mesh.isSameFace(as: face.mesh) }) { kept.append(face) }
        }
    }

    /// nil for what is no face when it is looked at closely.
    private func face(_ candidate: FaceCandidate, in picture: FacePicture, _ threads: Int?) throws -> DetectedFace? {
        guard candidate.size.min() >= Self.smallestBelieved,
            var mesh = try meshes.mesh(of: candidate, in: picture, threads: threads), mesh.presence >= Self.presence
        else { return nil }
        // Eyes that a detector saw a little askew turned the crop, too: the second look is straight.
        if abs(angle(candidate.eyeAxis, mesh.eyeAxis)) > 0.1,
            let second = try meshes.mesh(of: candidate, axis: mesh.eyeAxis, in: picture, threads: threads),
            second.presence >= Self.presence
        {
            mesh = second
        }
        let confidence = (candidate.score + mesh.presence) / 2
        guard abs(mesh.angles.roll) <= settings.largestRoll, confidence >= settings.leastConfidence else { return nil }
        return DetectedFace(candidate: candidate, mesh: mesh, confidence: confidence)
    }

    /// Squares that cover the region and overlap, at each scale that the whole does not show.
    private func tiles(of region: PixelRegion) -> [PixelRegion] {
        guard let smallest = settings.smallest else { return [] }
        let whole = max(region.width, region.height)
        // Pixels of the image along a tile in which the smallest faces are seen.
        let finest = smallest * Double(full.side) / Self.smallestSeen
        guard whole > 1.25 * finest else { return [] }
        var sides = [finest]
        // A tile shows faces up to its own size: eight times what the network needs is a scale below the next.
        while let last = sides.last, last * 8 < whole { sides.append(last * 6) }
        return sides.flatMap { side -> [PixelRegion] in
            let (width, height) = (min(side, region.width), min(side, region.height))
            return starts(region.height, height).flatMap { y in
                starts(region.width, width).map { x in
                    PixelRegion(x: region.x + x, y: region.y + y, width: width, height: height)
                }
            }
        }
    }

    private func starts(_ length: Double, _ tile: Double) -> [Double] {
        let rest = length - tile
        guard rest > 0 else { return [0] }
        let count = Int((rest / (tile * (1 - Self.tileOverlap))).rounded(.up))
        return (0...count).map { rest * Double($0) / Double(count) }
    }
}

/// The angle from one direction to another, −π ... π.
private func angle(_ from: SIMD2<Double>, _ to: SIMD2<Double>) -> Double {
    atan2(from.x * to.y - from.y * to.x, (from * to).sum())
}
