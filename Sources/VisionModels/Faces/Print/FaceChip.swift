package import VisionImage

/// How a face is cut out for `FacePrintNetwork`: turned, scaled and moved so that its parts are where they were in the
/// network's training.
package struct FaceChip {
    /// Five points of a face in pixels of the image, y down; right and left are the person's.
    package struct Anchors: Sendable {
        package var rightEye: SIMD2<Double>
        package var leftEye: SIMD2<Double>
        package var nose: SIMD2<Double>
        package var rightMouthCorner: SIMD2<Double>
        package var leftMouthCorner: SIMD2<Double>

        package init(
            rightEye: SIMD2<Double>, leftEye: SIMD2<Double>, nose: SIMD2<Double>,
            rightMouthCorner: SIMD2<Double>, leftMouthCorner: SIMD2<Double>
        ) {
            (self.rightEye, self.leftEye, self.nose) = (rightEye, leftEye, nose)
            (self.rightMouthCorner, self.leftMouthCorner) = (rightMouthCorner, leftMouthCorner)
        }

        fileprivate var points: [SIMD2<Double>] { [rightEye, leftEye, nose, rightMouthCorner, leftMouthCorner] }
    }

    /// Where the points lie in the chip in the mean, for a chip of side 1: the means of 90 faces
    /// of Helen in the chips that dlib cuts, made symmetrical (Training/Faces/measure_chip.py).
    private static let means: [SIMD2<Double>] = [
        SIMD2(0.32, 0.317), SIMD2(0.68, 0.317), SIMD2(0.5, 0.528), SIMD2(0.346, 0.684), SIMD2(0.654, 0.684),
    ]

    /// Returns the square of the image that fits the points best in the sense of least squares; nil where they are no
    /// face: not finite or all at one place.
    package static func patch(of anchors: Anchors) -> ImagePatch? {
        let points = anchors.points
        let count = Double(points.count)
        let (middle, meanMiddle) = (points.reduce(.zero, +) / count, means.reduce(.zero, +) / count)
        var (along, across, size) = (0.0, 0.0, 0.0)
        for (point, mean) in zip(points, means) {
            let (p, m) = (point - middle, mean - meanMiddle)
            along += m.x * p.x + m.y * p.y
            across += m.x * p.y - m.y * p.x
            size += m.x * m.x + m.y * m.y
        }
        // The chip's x axis in the image; its length is the side of the chip.
        let axis = SIMD2(along, across) / size
        let side = (axis * axis).sum().squareRoot()
        guard side.isFinite, side >= 1, middle.x.isFinite, middle.y.isFinite else { return nil }
        let offset = SIMD2(repeating: 0.5) - meanMiddle
        let centre = middle + SIMD2(axis.x * offset.x - axis.y * offset.y, axis.y * offset.x + axis.x * offset.y)
        return ImagePatch(centre: centre, side: side, axis: axis, size: DlibFaceNetwork.side)
    }
}
