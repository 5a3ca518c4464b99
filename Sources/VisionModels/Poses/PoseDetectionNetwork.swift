import Foundation
import VisionImage
import VisionInference

/// The network that finds a person by the face and the hips and states the circle around the body, from the store.
final class PoseDetectionNetwork: Sendable {
    static let model = "pose-detection"
    /// Rows and columns of the input.
    static let side = 224
    /// Values of a box: its edges, and four points.
    private static let values = 12
    /// The step of the anchors in pixels, and the number of anchors at each position.
    private static let layers = [(step: 8, anchors: 2), (step: 16, anchors: 2), (step: 32, anchors: 6)]
    private let network: StoredNetwork
    /// The centre of the anchor of each row of the output, in pixels.
    private let anchors: [SIMD2<Double>]

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    static func shared(store: InstalledModels = InstalledModels()) throws -> PoseDetectionNetwork {
        try ModelRegistry.shared.network(model, in: store) { try PoseDetectionNetwork(store: store) }
    }

    /// - Throws: `ModelStoreError`.
    init(store: InstalledModels = InstalledModels()) throws {
        anchors = AnchorGrid.centres(side: Self.side, layers: Self.layers)
        let count = anchors.count
        network = try StoredNetwork(Self.model, store: store, calibration: "pose-detection.table") { session in
            session.inputs.map(\.shape) == [[1, Self.side, Self.side, 3]]
                && Set(session.outputs.map(\.shape)) == [[1, count, Self.values], [1, count, 1]]
        }
    }

    /// Returns the crop for `PoseNetwork` around what looks most like a person, and the probability that it is one; nil
    /// where the numbers are not finite.
    ///
    /// - Parameters:
    ///   - view: The part of the image that the network processes.
    ///   - pixels: Its pixels.
    func crop(
        in view: ImagePatch, pixels: Raster, threads: Int?
    ) throws -> (crop: ImagePatch, score: Double)? {
        precondition(pixels.width == Self.side && pixels.height == Self.side && view.columns == Self.side)
        return try network.run(threads: threads) { input in
            try pixels.writeInterleaved(to: input.elements(), scale: 2 / 255, bias: -1)
        } read: { outputs in
            guard let boxes = outputs.first(where: { $0.shape.last == Self.values })?.elements(Float.self),
                let scores = outputs.first(where: { $0.shape.last == 1 })?.elements(Float.self),
                let best = anchors.indices.max(by: { scores[$0] < scores[$1] })
            else { return nil }
            func point(_ offset: Int) -> SIMD2<Double> {
                let index = Self.values * best + offset
                return view.imagePoint(SIMD2(Double(boxes[index]), Double(boxes[index + 1])) + anchors[best])
            }
            let (centre, up) = (point(4), point(6) - point(4))
            let side = 2 * 1.25 * (up * up).sum().squareRoot()
            guard side.isFinite, side >= 1, centre.x.isFinite, centre.y.isFinite, scores[best].isFinite else {
                return nil
            }
            let crop = ImagePatch(centre: centre, side: side, axis: SIMD2(-up.y, up.x), size: PoseNetwork.side)
            return (crop, 1 / (1 + exp(-Double(scores[best]))))
        }
    }
}

/// The anchors of single-shot detectors.
enum AnchorGrid {
    /// Returns the centres of anchors in pixels of a square input, layer by layer and row by row.
    ///
    /// - Parameter layers: The distance of neighbouring anchors, and how many anchors share each position.
    static func centres(side: Int, layers: [(step: Int, anchors: Int)]) -> [SIMD2<Double>] {
        layers.flatMap { layer in
            (0..<side / layer.step).flatMap { row in
                (0..<side / layer.step).flatMap { column in
                    [SIMD2<Double>](
                        repeating: (SIMD2(Double(column), Double(row)) + 0.5) * Double(layer.step),
                        count: layer.anchors)
                }
            }
        }
    }
}
