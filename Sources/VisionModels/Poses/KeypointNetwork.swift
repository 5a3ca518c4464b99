import Foundation
import VisionImage
import VisionInference

/// The network that finds the joints of the bodies in an image, from the model store: MoveNet MultiPose Lightning
/// (Google, 2021), a detector in the manner of Zhou et al., "Objects as Points", 2019. It is run on crops, of which the
/// body in the middle counts.
final class KeypointNetwork: Sendable {
    private static let model = "movenet-multipose"
    /// Rows and columns of the input. With 192 the network takes 1.4 times as long and finds hardly more
    /// (Documentation/Accuracy.md).
    static let side = 160
    private static let mapSide = side / MoveNetFile.step
    /// A cell's distance from the middle, and from where the body's centre states a joint, counts against it, beside
    /// this many cells: those of the network's authors.
    private static let (centreReach, jointReach): (Float, Float) = (0.0375 * Float(mapSide), 1.8)
    private let network: StoredNetwork

    /// The network of this process.
    ///
    /// - Parameter others: Models that the caller loads later, if at all. That they are installed is checked when the
    ///   network is loaded, so that a missing one does not show only with some images.
    /// - Throws: `ModelStoreError`.
    static func shared(
        store: InstalledModels = InstalledModels(), alongside others: [String] = []
    ) throws -> KeypointNetwork {
        try ModelRegistry.shared.network(model, in: store) {
            for other in others { _ = try store.installed(other) }
            return try KeypointNetwork(store: store)
        }
    }

    /// - Throws: `ModelStoreError`.
    init(store: InstalledModels = InstalledModels()) throws {
        network = try StoredNetwork(Self.model, store: store) { session in
            session.inputs.map(\.shape) == [[1, Self.side, Self.side, 3]]
                && session.outputs.map(\.shape)
                    == MoveNetFile.heads.map { [1, $0.channels, Self.mapSide, Self.mapSide] }
        }
    }

    /// Returns the pose of the body in the middle of a crop; nil where the network's outputs are not finite.
    ///
    /// - Parameters:
    ///   - pixels: The pixels of the crop, bytes.
    ///   - threads: The maximum number of threads; nil for all. The result does not depend on it.
    /// - Throws: `ModelStoreError`.
    func pose(of crop: ImagePatch, pixels: Raster, threads: Int?) throws -> KeypointPose? {
        precondition(pixels.width == Self.side && pixels.height == Self.side && crop.columns == Self.side)
        return try network.run(threads: threads) { input in
            try pixels.writeInterleaved(to: input.elements(), scale: 2 / 255, bias: -1)
        } read: { outputs in
            let maps = KeypointMaps(outputs.map { $0.elements(Float.self) }, side: Self.mapSide)
            let centre = maps.centre(reach: Self.centreReach)
            let keypoints = (0..<KeypointPose.count).map { joint in
                let (position, confidence) = maps.joint(joint, of: centre, reach: Self.jointReach)
                return KeypointPose.Keypoint(
                    position: crop.imagePoint(position * Double(MoveNetFile.step)),
                    confidence: PoseConfidence.probability(keypoint: Double(confidence)))
            }
            return keypoints.allSatisfy { $0.position.x.isFinite && $0.position.y.isFinite && $0.confidence.isFinite }
                ? KeypointPose(keypoints: keypoints) : nil
        }
    }
}

/// The maps of MoveNet, channels first.
struct KeypointMaps {
    /// As `MoveNetFile.heads` describes them; y before x.
    private let centres, joints, offsets, displacements: UnsafeMutableBufferPointer<Float>
    private let side: Int

    /// - Parameters:
    ///   - maps: those of `MoveNetFile.heads`; must outlive the value.
    ///   - side: Their rows and columns.
    init(_ maps: [UnsafeMutableBufferPointer<Float>], side: Int) {
        precondition(maps.map(\.count) == MoveNetFile.heads.map { $0.channels * side * side })
        (centres, joints, offsets, displacements) = (maps[0], maps[1], maps[2], maps[3])
        self.side = side
    }

    private static func sigmoid(_ value: Float) -> Float { 1 / (1 + exp(-value)) }

    /// Returns the cell in which a body near the middle has its centre.
    func centre(reach: Float) -> SIMD2<Int> {
        let middle = SIMD2<Float>(repeating: Float(side) / 2)
        return best(in: centres, at: 0, near: middle, reach: reach)
    }

    /// Returns a joint of the body with this centre, in cells, and the value of its heat map there, 0…1.
    func joint(_ joint: Int, of centre: SIMD2<Int>, reach: Float) -> (position: SIMD2<Double>, confidence: Float) {
        let cells = side * side
        func pair(_ maps: UnsafeMutableBufferPointer<Float>, _ cell: SIMD2<Int>) -> SIMD2<Float> {
            let index = 2 * joint * cells + cell.y * side + cell.x
            return SIMD2(maps[index + cells], maps[index])
        }
        let expected = SIMD2<Float>(Float(centre.x), Float(centre.y)) + pair(displacements, centre)
        let cell = best(in: joints, at: joint * cells, near: expected, reach: reach)
        let position = SIMD2<Float>(Float(cell.x), Float(cell.y)) + pair(offsets, cell)
        return (SIMD2<Double>(position), Self.sigmoid(joints[joint * cells + cell.y * side + cell.x]))
    }

    /// Returns the cell with the largest value, divided by its distance from a point and `reach`.
    ///
    /// - Parameter start: The index of the map's first cell.
    private func best(
        in maps: UnsafeMutableBufferPointer<Float>, at start: Int, near point: SIMD2<Float>, reach: Float
    ) -> SIMD2<Int> {
        var (most, found) = (-Float.infinity, SIMD2<Int>.zero)
        for y in 0..<side {
            for x in 0..<side {
                let offset = SIMD2<Float>(Float(x), Float(y)) - point
                let distance = (offset * offset).sum().squareRoot() + reach
                let value = Self.sigmoid(maps[start + y * side + x]) / distance
                if value > most { (most, found) = (value, SIMD2(x, y)) }
            }
        }
        return found
    }
}
