import VisionAlgorithms
import VisionImage

/// A frame as 8 × 8 grey values, by which the next frame of a video is told from one after a cut.
struct FrameThumbnail: Sendable {
    private static let side = 8
    /// The least correlation of the values of two frames of one scene (Documentation/Accuracy.md).
    private static let leastCorrelation = 0.75

    private let values: [Double]

    /// - Throws: `ImageError` when the image cannot be read.
    init(of region: PixelRegion, in image: ImageSource) throws {
        let raster = try image.derivative(
            Derivative(region: region, width: Self.side, height: Self.side, format: .grey8))
        self.init(
            raster.withUnsafePixels { pixels in
                (0..<Self.side * Self.side).map {
                    pixels.load(fromByteOffset: $0 / Self.side * raster.rowBytes + $0 % Self.side, as: UInt8.self)
                }
            })
    }

    /// - Parameter bytes: The grey values, row by row.
    init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.side * Self.side)
        values = bytes.map(Double.init)
    }

    /// Whether two frames show one scene. Without structure, in black frames, they do not.
    func showsScene(of other: FrameThumbnail) -> Bool {
        GreyCells.correlation(values, other.values, values.indices, noise: 0, otherNoise: 0) >= Self.leastCorrelation
    }
}
