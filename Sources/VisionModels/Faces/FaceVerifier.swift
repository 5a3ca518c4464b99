import Foundation
import VisionImage
import VisionInference

/// Rejects false positives of the detection networks such as muzzles, wheels and faces found upside down.
///
/// A small network (Training/Faces) scores the proposal, rotated upright by its mesh, with some of its surroundings.
/// Its score and those of the other networks give the confidence.
final class FaceVerifier: Sendable {
    /// The side of the network's input in pixels, and relative to the longer side of the mesh.
    static let side = 64
    private static let margin = 1.8
    private let session: Session

    /// - Throws: `ModelStoreError`, `ModelError`.
    init(_ network: BuiltInNetwork = .faceVerifier) throws {
        session = try network.session()
        try session.expect(inputs: [[1, Self.side, Self.side, 3]], outputs: [[1, 1]])
    }

    /// The verifier of this process.
    ///
    /// - Throws: `ModelStoreError`.
    static func shared() throws -> FaceVerifier {
        try ModelRegistry.shared.network(.faceVerifier) { try FaceVerifier() }
    }

    /// Returns the probability that a proposal is a face, 0…1.
    ///
    /// - Parameter pixels: Returns the pixels of a crop.
    func confidence(
        of proposal: FaceProposal, _ mesh: FaceMesh, threads: Int?, pixels: (ImagePatch) throws -> Raster
    ) throws -> Double {
        let patch = try pixels(mesh.crop(margin: Self.margin, size: Self.side))
        let score = try BuiltInNetwork.faceVerifier.reporting {
            try session.run(shapes: [[1, Self.side, Self.side, 3]], threads: threads) { _, input in
                try patch.writeInterleaved(to: input.elements(), scale: 1 / 128, bias: -1)
            } read: { outputs in
                outputs.first?.elements(Float.self).first.map(Double.init) ?? 0
            }
        }
        return FaceConfidence.value(verifierScore: score, proposal, mesh)
    }
}

/// The confidence in a face: a logistic regression that grows with each of its features.
enum FaceConfidence {
    static func value(verifierScore: Double, _ proposal: FaceProposal, _ mesh: FaceMesh) -> Double {
        let features = [
            verifierScore, logOdds(max(proposal.shortRangeScore, proposal.fullRangeScore)), logOdds(mesh.presence),
        ]
        let sum = zip(features, weights).reduce(bias) { $0 + $1.0 * $1.1 }
        return sum.isFinite ? 1 / (1 + exp(-sum)) : 0
    }

    private static func logOdds(_ share: Double) -> Double {
        let share = min(max(share, 0.01), 0.99)
        return log(share / (1 - share))
    }

    /// The weights of the verifier's score, the better detection score and the presence of the mesh, all as logits.
    /// Fitted by Training/Faces/fit_confidence.py.
    private static let weights = [1.07, 1.095, 0.701]
    private static let bias = -4.144
}
