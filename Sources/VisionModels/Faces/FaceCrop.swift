/// A square around a face, turned with it, as the networks that look at one face want it.
struct FaceCrop: Hashable, Sendable {
    /// In pixels of the image, y down.
    let centre: SIMD2<Double>
    /// Pixels of the image along an edge.
    let side: Double
    /// The direction of the crop's x axis in the image, y down.
    let axis: SIMD2<Double>
    /// Pixels along an edge of the crop.
    let size: Int

    /// - Parameter axis: any length; without a direction the crop is upright.
    init(centre: SIMD2<Double>, side: Double, axis: SIMD2<Double>, size: Int) {
        self.centre = centre
        self.side = side
        self.size = size
        let length = (axis * axis).sum().squareRoot()
        self.axis = length > 0 ? axis / length : SIMD2(1, 0)
    }

    /// Pixels of the image for a pixel of the crop.
    var scale: Double { side / Double(size) }

    func imagePoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let offset = (point - Double(size) / 2) * scale
        return centre + SIMD2(axis.x * offset.x - axis.y * offset.y, axis.y * offset.x + axis.x * offset.y)
    }

    /// How far the crop reaches from its centre along an axis of the image.
    var reach: Double { side * (abs(axis.x) + abs(axis.y)) / 2 }
}
