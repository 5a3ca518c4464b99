import VisionImage

/// A frame as 8 × 8 grey values, by which the next frame of a video is told from one after a cut.
struct FrameThumbnail: Sendable {
    private static let side = 8
    /// The least correlation of the values of two frames of one scene (Documentation/Accuracy.md).
    private static let leastCorrelation = 0.75

    /// Less their mean.
    private let values: [Double]

    /// - Throws: `ImageError` when the image cannot be read.
    init(of region: PixelRegion, in image: ImageSource) throws {
        let raster = try image.derivative(
            Derivative(region: region, width: Self.side, height: Self.side, format: .grey8))
        let bytes = raster.withUnsafePixels { pixels in
            (0..<Self.side * Self.side).map {
                pixels.load(fromByteOffset: $0 / Self.side * raster.rowBytes + $0 % Self.side, as: UInt8.self)
            }
        }
        self.init(bytes)
    }

    /// - Parameter bytes: The grey values.
    init(_ bytes: [UInt8]) {
        let mean = bytes.reduce(0) { $0 + Double($1) } / Double(max(bytes.count, 1))
        values = bytes.map { Double($0) - mean }
    }

    /// Whether two frames show one scene. Without structure, in black frames, they do not.
    func showsScene(of other: FrameThumbnail) -> Bool {
        func product(_ left: [Double], _ right: [Double]) -> Double { zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } }
        let scale = (product(values, values) * product(other.values, other.values)).squareRoot()
        return scale > 0 && product(values, other.values) >= Self.leastCorrelation * scale
    }
}
