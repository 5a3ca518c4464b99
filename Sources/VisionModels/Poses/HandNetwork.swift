import Foundation
package import VisionImage
import VisionInference

/// The joints of one hand, in pixels of the image, y down.
package struct HandPose: Hashable, Sendable {
    package static let jointCount = 21

    /// The wrist, then the thumb to the little finger, each from the palm to the tip.
    package let joints: [SIMD2<Double>]
    /// The probability of a hand in the crop, 0…1.
    package let presence: Double
    /// The probability that it is a right hand, 0…1.
    package let rightHand: Double
    /// The crop that the network processed.
    package let crop: ImagePatch

    /// The confidence in a joint, 0…1: the presence, less for a joint outside of what can be seen.
    ///
    /// - Parameter region: What can be seen, in pixels of the image.
    package func confidence(_ joint: Int, within region: PixelRegion) -> Double {
        presence * (region.contains(joints[joint]) ? 1 : 0.2)
    }

    /// The mean distance of the joints of two hands, relative to the larger crop.
    func distance(to other: HandPose) -> Double {
        let sum = zip(joints, other.joints).reduce(0.0) { sum, pair in
            let offset = pair.0 - pair.1
            return sum + (offset * offset).sum().squareRoot()
        }
        return sum / Double(joints.count) / max(crop.extent.x, other.crop.extent.x)
    }
}

/// The network that finds the joints of a hand in an upright crop, from the model store.
final class HandNetwork: Sendable {
    private static let model = "hand-landmark-full"
    /// Rows and columns of the input.
    static let side = 224
    private let network: StoredNetwork

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    static func shared(store: InstalledModels = InstalledModels()) throws -> HandNetwork {
        try ModelRegistry.shared.network(model, in: store) { try HandNetwork(store: store) }
    }

    /// - Throws: `ModelStoreError`.
    init(store: InstalledModels = InstalledModels()) throws {
        let values = 3 * HandPose.jointCount
        network = try StoredNetwork(Self.model, store: store) { session in
            session.inputs.map(\.shape) == [[1, Self.side, Self.side, 3]]
                && session.outputs.map(\.shape) == [[1, values], [1, 1], [1, 1], [1, values]]
        }
    }

    /// Returns the hand in a crop; nil where the network's outputs are not finite.
    ///
    /// - Parameter pixels: The pixels of the crop.
    func hand(of crop: ImagePatch, pixels: Raster, threads: Int?) throws -> HandPose? {
        precondition(pixels.width == Self.side && pixels.height == Self.side && crop.columns == Self.side)
        return try network.run(threads: threads) { input in
            try pixels.writeInterleaved(to: input.elements(), scale: 1 / 255, bias: 0)
        } read: { outputs in
            guard outputs.count == 4, let presence = outputs[1].elements(Float.self).first,
                let right = outputs[2].elements(Float.self).first
            else { return nil }
            let numbers = outputs[0].elements(Float.self)
            guard numbers.allSatisfy(\.isFinite), presence.isFinite, right.isFinite else { return nil }
            let joints = (0..<HandPose.jointCount).map {
                crop.imagePoint(SIMD2(Double(numbers[3 * $0]), Double(numbers[3 * $0 + 1])))
            }
            return HandPose(
                joints: joints, presence: min(1, max(0, Double(presence))), rightHand: min(1, max(0, Double(right))),
                crop: crop)
        }
    }
}
