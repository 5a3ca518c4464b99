import VisionImage

/// The network that finds the iris of an eye, from the model store (Ablavatski et al., "Real-time Pupil Tracking from
/// Monocular Video for Digital Puppetry", 2020).
final class IrisNetwork: Sendable {
    private static let model = "iris-landmark"
    /// Rows and columns of the input.
    private static let side = 64
    /// The side of the crop relative to the distance of the corners of the eye.
    private static let margin = 2.3
    private let network: StoredNetwork

    /// The network of this process.
    ///
    /// - Throws: `ModelStoreError`.
    static func shared(store: InstalledModels = InstalledModels()) throws -> IrisNetwork {
        try ModelRegistry.shared.network(model, in: store) { try IrisNetwork(store: store) }
    }

    /// - Throws: `ModelStoreError`.
    init(store: InstalledModels = InstalledModels()) throws {
        network = try StoredNetwork(Self.model, store: store) { session in
            session.inputs.map(\.shape) == [[1, Self.side, Self.side, 3]]
                && Set(session.outputs.compactMap(\.shape).map { $0.reduce(1) { $0 * ($1 ?? 0) } }) == [15, 213]
        }
    }

    /// Returns the indices of the corners of an eye in the mesh, the one on the person's right first.
    static func corners(isLeft: Bool) -> [Int] { isLeft ? [362, 263] : [33, 133] }

    /// Returns the network's crop of an eye.
    static func crop(from right: SIMD2<Double>, to left: SIMD2<Double>) -> ImagePatch {
        let across = left - right
        return ImagePatch(
            centre: (right + left) / 2, side: max((across * across).sum().squareRoot() * margin, 1e-3), axis: across,
            size: side)
    }

    /// Returns the centre of the iris, in pixels of the image; nil where the network's outputs are not finite.
    ///
    /// - Parameters:
    ///   - pixels: The pixels of the crop.
    ///   - isLeft: Whether it is the person's left eye. The network was trained on right eyes, so left ones are
    ///     mirrored.
    func pupil(in crop: ImagePatch, pixels: Raster, isLeft: Bool, threads: Int?) throws -> SIMD2<Double>? {
        let pixels = isLeft ? try pixels.oriented(.upMirrored) : pixels
        return try network.run(threads: threads) { input in
            try pixels.writeInterleaved(to: input.elements(), scale: 1 / 255, bias: 0)
        } read: { outputs in
            // Five points of the iris; the first is its centre.
            guard let numbers = outputs.first(where: { $0.elementCount == 15 })?.elements(Float.self),
                numbers[0].isFinite, numbers[1].isFinite
            else { return nil }
            let across = Double(numbers[0])
            return crop.imagePoint(SIMD2(isLeft ? Double(Self.side) - across : across, Double(numbers[1])))
        }
    }
}
