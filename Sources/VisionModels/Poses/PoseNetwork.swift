import Foundation
package import VisionImage
import VisionInference

/// The network that finds the landmarks of a body in an upright crop, from the model store (Bazarevsky et al.,
/// "BlazePose: On-device Real-time Body Pose Tracking", 2020).
package final class PoseNetwork: Sendable {
    static let model = "pose-landmark-full"
    /// Rows and columns of the input.
    package static let side = 256
    /// Rows and columns of the heat maps.
    private static let mapSide = 64
    /// Values of a landmark: x, y, z, visibility and presence.
    private static let values = 5
    private let network: StoredNetwork

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    package static func shared(store: InstalledModels = InstalledModels()) throws -> PoseNetwork {
        try ModelRegistry.shared.network(model, in: store) { try PoseNetwork(store: store) }
    }

    /// - Throws: `ModelStoreError`.
    package init(store: InstalledModels = InstalledModels()) throws {
        let count = BodyPose.outputCount
        // The mask is read by `PersonMaskNetwork` alone, and takes time.
        let mask: [Int?] = [1, Self.side, Self.side, 1]
        network = try StoredNetwork(
            Self.model, store: store, calibration: "pose-landmarks.table", reading: { $0 != mask }
        ) { session in
            session.inputs.map(\.shape) == [[1, Self.side, Self.side, 3]]
                && Set(session.outputs.map(\.shape)).isSuperset(of: [
                    [1, Self.values * count], [1, 1], [1, Self.mapSide, Self.mapSide, count], [1, 3 * count],
                ])
        }
    }

    /// Returns the pose of the body in a crop; nil where the network's outputs are not finite.
    ///
    /// - Parameters:
    ///   - pixels: The pixels of the crop, bytes.
    ///   - mirrored: Whether the network processes the mirrored crop. The pose is mirrored back: left and right are the
    ///     person's.
    ///   - threads: The maximum number of threads; nil for all. The result does not depend on it.
    /// - Throws: `ModelStoreError`.
    package func pose(
        of crop: ImagePatch, pixels: Raster, mirrored: Bool = false, threads: Int? = nil
    ) throws -> BodyPose? {
        precondition(pixels.width == Self.side && pixels.height == Self.side && crop.columns == Self.side)
        let pixels = mirrored ? try pixels.oriented(.upMirrored) : pixels
        let count = BodyPose.outputCount
        return try network.run(threads: threads) { input in
            try pixels.writeInterleaved(to: input.elements(), scale: 1 / 255, bias: 0)
        } read: { outputs in
            guard let numbers = outputs.first(where: { $0.elementCount == Self.values * count })?.elements(Float.self),
                let world = outputs.first(where: { $0.elementCount == 3 * count })?.elements(Float.self),
                let presence = outputs.first(where: { $0.elementCount == 1 })?.elements(Float.self).first,
                let maps = outputs.first(where: { $0.shape.last == count && $0.shape.count == 4 })?
                    .elements(Float.self),
                numbers.allSatisfy(\.isFinite), world.allSatisfy(\.isFinite), presence.isFinite
            else { return nil }
            let heat = PoseHeatMaps(maps: maps, side: Self.mapSide, count: count)
            let landmarks = (0..<count).map { landmark in
                let index = mirrored ? PoseMirror.partner[landmark] : landmark
                let value = { (offset: Int) in Double(numbers[Self.values * index + offset]) }
                var position = heat.refined(SIMD2(value(0), value(1)), of: index, inputSide: Double(Self.side))
                if mirrored { position.x = Double(Self.side) - position.x }
                return BodyPose.Landmark(
                    position: crop.imagePoint(position), depth: value(2) * crop.step,
                    presence: Self.sigmoid(value(4)), visibility: Self.sigmoid(value(3)), peak: heat.peak(of: index))
            }
            let metres = (0..<BodyPose.landmarkCount).map { landmark in
                let index = 3 * (mirrored ? PoseMirror.partner[landmark] : landmark)
                let x = mirrored ? -Double(world[index]) : Double(world[index])
                let y = Double(world[index + 1])
                return SIMD3(
                    crop.axis.x * x - crop.axis.y * y, crop.axis.y * x + crop.axis.x * y, Double(world[index + 2]))
            }
            return BodyPose(
                landmarks: landmarks, world: metres, presence: min(1, max(0, Double(presence))), crop: crop)
        }
    }

    private static func sigmoid(_ value: Double) -> Double { 1 / (1 + exp(-value)) }
}

/// The mirror symmetry of the landmarks.
enum PoseMirror {
    /// The index of each landmark in a mirror image.
    static let partner: [Int] = [
        0, 4, 5, 6, 1, 2, 3, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17, 20, 19, 22, 21, 24, 23, 26, 25, 28, 27, 30,
        29, 32, 31, 33, 34, 35, 36, 37, 38,
    ]
}
