import VisionImage

/// A part of an image as a network sees it: evenly scaled, in the middle of a black square, turned by quarters.
struct FaceView: Hashable, Sendable {
    let region: PixelRegion
    /// Rows and columns of the view.
    let side: Int
    /// Quarter turns to the left that the picture has made.
    let turns: Int

    /// Which part of the image lies where in the view that has not been turned yet.
    var placement: (source: PixelRegion, target: PixelRegion) {
        Derivative(region: region, width: side, height: side, format: .rgb8, fit: .fit).placement
    }

    /// How the picture is to be turned before the network sees it.
    var orientation: CGImagePropertyOrientation { [.up, .left, .down, .right][turns] }

    /// The same part, turned otherwise.
    func turned(_ turns: Int) -> FaceView { FaceView(region: region, side: side, turns: turns) }

    /// Where a point of the view lies in the image.
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

    func imageCandidate(_ candidate: FaceCandidate) -> FaceCandidate {
        let (source, target) = placement
        let size = turns % 2 == 0 ? candidate.size : SIMD2(candidate.size.y, candidate.size.x)
        return FaceCandidate(
            centre: imagePoint(candidate.centre),
            size: size * SIMD2(source.width / target.width, source.height / target.height),
            points: candidate.points.map(imagePoint), score: candidate.score, network: candidate.network)
    }
}
