import Foundation
import VisionImage
import VisionInference
import VisionThreads

/// Tells faces from what only looks like one to the detection networks: muzzles, wheels, faces seen upside down.
///
/// A small network of our own (Training/Faces) sees the proposal upright by its mesh, with some of what is around it.
/// Its answer and what the other networks said make the confidence.
final class FaceVerifier: Sendable {
    /// Rows and columns of what the network sees, and an edge of it for the longer edge of the mesh.
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

    /// How likely a proposal is a face, 0…1.
    ///
    /// - Parameter pixels: what a crop shows of the image.
    func confidence(
        of proposal: FaceProposal, _ mesh: FaceMesh, threads: Int?, pixels: (ImagePatch) throws -> Raster
    ) throws -> Double {
        let seen = try pixels(mesh.crop(margin: Self.margin, size: Self.side))
        let score = try BuiltInNetwork.faceVerifier.reporting {
            try session.run(shapes: [[1, Self.side, Self.side, 3]], threads: threads) { _, input in
                try seen.writeInterleaved(to: input.elements(), scale: 1 / 128, bias: -1)
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

    /// Of the verifier's score, the better detection score and the presence of the mesh, as logarithms of odds. Fitted
    /// by Training/Faces/fit_confidence.py.
    private static let weights = [1.07, 1.095, 0.701]
    private static let bias = -4.144
}
