package import VisionImage
import VisionInference

/// The network that turns an upright face into numbers which are near those of other faces of the same person, from the
/// model store (Davis King, "High Quality Face Recognition with Deep Metric Learning", 2017).
package final class FacePrintNetwork: Sendable {
    /// How many numbers a face has.
    package static let count = DlibFaceNetwork.outputCount
    private let network: StoredNetwork

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    package static func shared(store: InstalledModels = InstalledModels()) throws -> FacePrintNetwork {
        try ModelRegistry.shared.network(ModelCatalogue.facePrint, in: store) { try FacePrintNetwork(store: store) }
    }

    /// - Throws: `ModelStoreError`.
    package init(store: InstalledModels = InstalledModels()) throws {
        let side = DlibFaceNetwork.side
        network = try StoredNetwork(ModelCatalogue.facePrint, store: store) { session in
            session.inputs.map(\.shape) == [[1, 3, side, side]] && session.outputs.map(\.shape) == [[1, Self.count]]
        }
    }

    /// Returns the numbers of a face.
    ///
    /// - Parameter chip: `FaceChip.patch`'s pixels, RGB.
    /// - Throws: `ModelStoreError`, `ImageError`.
    package func print(of chip: Raster, threads: Int?) throws -> [Float] {
        let side = DlibFaceNetwork.side
        let planes = try chip.normalised(
            to: .planarRGBFloat, scale: SIMD3(repeating: 1 / 256), bias: -DlibFaceNetwork.means / 256)
        return try network.run(threads: threads) { input in
            planes.copyPlanes(to: input.elements(), width: side, height: side, padding: 0)
        } read: { outputs in
            outputs.first.map { Array($0.elements(Float.self)) } ?? []
        }
    }
}
