import Foundation
package import VisionImage

/// One of the two networks that find faces, from the model store (Bazarevsky et al., "BlazeFace", 2019).
package final class FaceNetwork: Sendable {
    package enum Kind: Sendable, CaseIterable {
        /// Faces of an eighth of the image and larger, in any orientation up to a quarter turn.
        case shortRange
        /// Faces of a twentieth of the image and larger, near-upright ones best.
        case fullRange

        fileprivate var model: String {
            switch self {
            case .shortRange: "face-detection-short-range"
            case .fullRange: "face-detection-full-range-sparse"
            }
        }

        fileprivate var side: Int { self == .shortRange ? 128 : 192 }

        /// The stride of the anchors in pixels, and the number of anchors at each position.
        fileprivate var layers: [(step: Int, anchors: Int)] {
            self == .shortRange ? [(8, 2), (16, 6)] : [(4, 1)]
        }
    }

    package let kind: Kind
    /// Rows and columns of the input.
    package var side: Int { kind.side }
    private let network: StoredNetwork
    /// The centre of the anchor of each row of the output.
    private let anchors: [SIMD2<Float>]

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    package static func shared(_ kind: Kind, store: InstalledModels = InstalledModels()) throws -> FaceNetwork {
        try ModelRegistry.shared.network(kind.model, in: store) { try FaceNetwork(kind, store: store) }
    }

    /// - Throws: `ModelStoreError`.
    package init(_ kind: Kind, store: InstalledModels = InstalledModels()) throws {
        self.kind = kind
        let side = kind.side
        anchors = kind.layers.flatMap { layer in
            (0..<side / layer.step).flatMap { row in
                (0..<side / layer.step).flatMap { column in
                    [SIMD2<Float>](
                        repeating: (SIMD2(Float(column), Float(row)) + 0.5) * Float(layer.step), count: layer.anchors)
                }
            }
        }
        let count = anchors.count
        network = try StoredNetwork(kind.model, store: store) { session in
            session.inputs.map(\.shape) == [[1, side, side, 3]]
                && Set(session.outputs.map(\.shape)) == [[1, count, 16], [1, count, 1]]
        }
    }

    /// Returns the face candidates in the order of the output, without merging.
    ///
    /// - Parameters:
    ///   - image: An image of bytes, `side` pixels wide and high.
    ///   - threshold: The lowest score, 0…1.
    ///   - threads: The maximum number of threads; nil for all. The results do not depend on it.
    package func candidates(in image: Raster, threshold: Double, threads: Int? = nil) throws -> [FaceCandidate] {
        precondition(image.width == side && image.height == side)
        // The outputs are logits, so the threshold is compared as a logit.
        let limit = Float(log(threshold / (1 - threshold)))
        return try network.run(threads: threads) { input in
            try image.writeInterleaved(to: input.elements(), scale: 2 / 255, bias: -1)
        } read: { outputs in
            guard let boxes = outputs.first(where: { $0.shape.last == 16 })?.elements(Float.self),
                let scores = outputs.first(where: { $0.shape.last == 1 })?.elements(Float.self)
            else { return [] }
            return anchors.indices.compactMap { index in
                scores[index] >= limit
                    ? candidate(Array(boxes[16 * index..<16 * index + 16]), index, scores[index]) : nil
            }
        }
    }

    /// Returns nil for numbers that are not a valid box.
    private func candidate(
        _ numbers: [Float], _ index: Int, _ score: Float
    ) -> FaceCandidate? {
        guard numbers.allSatisfy(\.isFinite), numbers[2] > 0, numbers[3] > 0 else { return nil }
        func point(_ offset: Int) -> SIMD2<Double> {
            SIMD2(SIMD2(numbers[offset], numbers[offset + 1]) + anchors[index])
        }
        return FaceCandidate(
            centre: point(0), size: SIMD2(Double(numbers[2]), Double(numbers[3])),
            points: FaceCandidate.Keypoint.allCases.map { point(4 + 2 * $0.rawValue) },
            score: 1 / (1 + exp(-Double(score))), network: kind)
    }
}
