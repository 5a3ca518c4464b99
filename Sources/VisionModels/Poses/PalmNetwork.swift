import Foundation
import VisionImage
import VisionInference

/// A palm that was found, in pixels of the image.
struct FoundPalm: Equatable, Sendable {
    let centre: SIMD2<Double>
    /// Width and height of the box.
    let size: SIMD2<Double>
    /// The wrist and the base of the middle finger.
    let wrist: SIMD2<Double>
    let middleBase: SIMD2<Double>
    let score: Double

    /// The square around the hand as the landmark network was trained on it: the fingers are above the wrist.
    func crop(size side: Int) -> ImagePatch? {
        let direction = middleBase - wrist
        let length = (direction * direction).sum().squareRoot()
        let extent = size.max()
        guard length > 0, length.isFinite, extent.isFinite, extent >= 1 else { return nil }
        let up = direction / length
        return ImagePatch(
            centre: centre + up * extent * 0.5, side: extent * 2.6, axis: SIMD2(-up.y, up.x), size: side)
    }
}

/// The network that finds palms, from the model store (Zhang et al., "MediaPipe Hands: On-device Real-time Hand
/// Tracking", 2020).
final class PalmNetwork: Sendable {
    private static let model = "palm-detection-full"
    /// Rows and columns of the input.
    static let side = 192
    /// Values of a box: centre, size, and seven points.
    private static let values = 18
    /// The offsets of the points that are used.
    private static let (wristOffset, middleBaseOffset) = (4, 8)
    /// The step of the anchors in pixels, and the number of anchors at each position.
    private static let layers = [(step: 8, anchors: 2), (step: 16, anchors: 6)]
    /// The lowest score of a palm.
    private static let leastScore: Float = 0.5
    /// Boxes with a larger overlap are of one palm.
    private static let overlapThreshold = 0.3
    private let network: StoredNetwork
    /// The centre of the anchor of each row of the output, in pixels.
    private let anchors: [SIMD2<Double>]

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    static func shared(store: InstalledModels = InstalledModels()) throws -> PalmNetwork {
        try ModelRegistry.shared.network(model, in: store) { try PalmNetwork(store: store) }
    }

    /// - Throws: `ModelStoreError`.
    init(store: InstalledModels = InstalledModels()) throws {
        anchors = AnchorGrid.centres(side: Self.side, layers: Self.layers)
        let count = anchors.count
        network = try StoredNetwork(Self.model, store: store) { session in
            session.inputs.map(\.shape) == [[1, Self.side, Self.side, 3]]
                && Set(session.outputs.map(\.shape)) == [[1, count, Self.values], [1, count, 1]]
        }
    }

    /// Returns the palms in pixels of the input, the highest score first. Overlapping boxes are joined to their mean.
    ///
    /// - Parameter pixels: Of the size of the input.
    func palms(in pixels: Raster, threads: Int?) throws -> [FoundPalm] {
        precondition(pixels.width == Self.side && pixels.height == Self.side)
        return try network.run(threads: threads) { input in
            try pixels.writeInterleaved(to: input.elements(), scale: 1 / 255, bias: 0)
        } read: { outputs in
            guard let boxes = outputs.first(where: { $0.shape.last == Self.values })?.elements(Float.self),
                let scores = outputs.first(where: { $0.shape.last == 1 })?.elements(Float.self)
            else { return [] }
            let limit = log(Self.leastScore / (1 - Self.leastScore))
            let found = anchors.indices.compactMap { index -> FoundPalm? in
                guard scores[index] >= limit else { return nil }
                let row = boxes[Self.values * index..<Self.values * (index + 1)]
                guard row.allSatisfy(\.isFinite) else { return nil }
                let numbers = row.map(Double.init)
                func point(_ offset: Int) -> SIMD2<Double> {
                    SIMD2(numbers[offset], numbers[offset + 1]) + anchors[index]
                }
                return FoundPalm(
                    centre: point(0), size: SIMD2(numbers[2], numbers[3]), wrist: point(Self.wristOffset),
                    middleBase: point(Self.middleBaseOffset), score: 1 / (1 + exp(-Double(scores[index]))))
            }
            return Self.joined(found)
        }
    }

    /// Returns a mean palm, weighted by the scores, for each set of overlapping ones.
    static func joined(_ palms: [FoundPalm]) -> [FoundPalm] {
        var rest = palms.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element)
        var joined: [FoundPalm] = []
        while let best = rest.first {
            let same = rest.dropFirst().filter { overlap($0, best) > overlapThreshold } + [best]
            rest = rest.dropFirst().filter { overlap($0, best) <= overlapThreshold }
            let weight = same.reduce(0) { $0 + $1.score }
            func mean(_ value: (FoundPalm) -> SIMD2<Double>) -> SIMD2<Double> {
                same.reduce(SIMD2<Double>.zero) { $0 + $1.score * value($1) } / weight
            }
            joined.append(
                FoundPalm(
                    centre: mean(\.centre), size: mean(\.size), wrist: mean(\.wrist), middleBase: mean(\.middleBase),
                    score: best.score))
        }
        return joined
    }

    /// The area that two boxes share, relative to the area that they cover.
    private static func overlap(_ one: FoundPalm, _ other: FoundPalm) -> Double {
        let low = pointwiseMax(one.centre - one.size / 2, other.centre - other.size / 2)
        let high = pointwiseMin(one.centre + one.size / 2, other.centre + other.size / 2)
        let sides = pointwiseMax(high - low, SIMD2.zero)
        let shared = sides.x * sides.y
        let all = one.size.x * one.size.y + other.size.x * other.size.y - shared
        return all > 0 ? shared / all : 0
    }
}
