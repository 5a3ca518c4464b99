/// A square around a face, turned with it, as the networks that look at one face want it.
package struct FaceCrop: Hashable, Sendable {
    /// In pixels of the image, y down.
    package let centre: SIMD2<Double>
    /// Pixels of the image along an edge.
    package let side: Double
    /// The direction of the crop's x axis in the image, y down.
    package let axis: SIMD2<Double>
    /// Pixels along an edge of the crop.
    package let size: Int

    /// - Parameter axis: any length; without a direction the crop is upright.
    init(centre: SIMD2<Double>, side: Double, axis: SIMD2<Double>, size: Int) {
        self.centre = centre
        self.side = side
        self.size = size
        let length = (axis * axis).sum().squareRoot()
        self.axis = length > 0 ? axis / length : SIMD2(1, 0)
    }

    /// Pixels of the image for a pixel of the crop.
    package var scale: Double { side / Double(size) }

    package func imagePoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let offset = (point - Double(size) / 2) * scale
        return centre + SIMD2(axis.x * offset.x - axis.y * offset.y, axis.y * offset.x + axis.x * offset.y)
    }

    /// Whether another crop shows a face almost as this one does: the networks make nothing of the difference.
    func isLike(_ other: FaceCrop) -> Bool { isWithin(0.05, 1.12, 0.07, of: other) }

    /// Whether both show one face upright.
    func isNear(_ other: FaceCrop) -> Bool { isWithin(0.2, 1.5, 0.5, of: other) }

    /// - Parameters:
    ///   - offset: the largest distance of the middles, in sides.
    ///   - ratio: the largest ratio of the sides.
    ///   - angle: the sine of the largest angle between the axes.
    private func isWithin(_ offset: Double, _ ratio: Double, _ angle: Double, of other: FaceCrop) -> Bool {
        let apart = centre - other.centre
        return (apart * apart).sum() < offset * offset * side * side
            && side < ratio * other.side && other.side < ratio * side
            && (axis * other.axis).sum() > 0 && abs(axis.x * other.axis.y - axis.y * other.axis.x) < angle
    }

    /// The inverse of `imagePoint`.
    func point(ofImage place: SIMD2<Double>) -> SIMD2<Double> {
        let offset = place - centre
        return SIMD2(axis.x * offset.x + axis.y * offset.y, axis.x * offset.y - axis.y * offset.x) / scale
            + Double(size) / 2
    }

    /// How far the crop reaches from its centre along an axis of the image.
    var reach: Double { side * (abs(axis.x) + abs(axis.y)) / 2 }
}
