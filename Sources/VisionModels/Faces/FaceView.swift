import VisionImage

/// A part of an image as network input: scaled evenly, centred in a black square, and rotated by quarter turns.
struct FaceView: Hashable, Sendable {
    let region: PixelRegion
    /// Rows and columns of the view.
    let side: Int
    /// The number of quarter turns counter-clockwise.
    let turns: Int

    /// The part of the image and its position in the view before the rotation.
    var placement: (source: PixelRegion, target: PixelRegion) {
        Derivative(region: region, width: side, height: side, format: .rgb8, fit: .fit).placement
    }

    /// The orientation that rotates the pixels for the network.
    var orientation: CGImagePropertyOrientation { [.up, .left, .down, .right][turns] }

    /// Returns the same part with another rotation.
    func rotated(_ turns: Int) -> FaceView { FaceView(region: region, side: side, turns: turns) }

    /// Returns the position of a point of the view in the image.
    func imagePoint(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let side = Double(side)
        let upright =
            switch turns {
            case 1: SIMD2(side - point.y, point.x)
            case 2: SIMD2(side - point.x, side - point.y)
            case 3: SIMD2(point.y, side - point.x)
            default: point
            }
        let (source, target) = placement
        return SIMD2(
            source.x + (upright.x - target.x) * source.width / target.width,
            source.y + (upright.y - target.y) * source.height / target.height)
    }

    /// Returns a candidate of the view in pixels of the image.
    func imageCandidate(_ candidate: FaceCandidate) -> FaceCandidate {
        let (source, target) = placement
        let size = turns % 2 == 0 ? candidate.size : SIMD2(candidate.size.y, candidate.size.x)
        return FaceCandidate(
            centre: imagePoint(candidate.centre),
            size: size * SIMD2(source.width / target.width, source.height / target.height),
            points: candidate.points.map(imagePoint), score: candidate.score, network: candidate.network)
    }
}
