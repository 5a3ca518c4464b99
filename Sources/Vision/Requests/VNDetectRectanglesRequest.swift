import VisionAlgorithms
import VisionImage

/// Rectangles by straight lines and by networks that come with the package: one guesses where things are, one moves outlines to
/// things that they miss, one judges each outline.
public let VNDetectRectanglesRequestRevision1: Int = 1

/// Finds rectangular things – pages, cards, screens, signs – as they are seen in perspective, with their four corners.
///
/// Sides may be hidden in part and corners covered, as long as the greater part of the outline is seen; corners are found to parts
/// of a pixel and may lie a little outside of the image. Of outlines within one another at about the same place, a screen and its
/// frame, the outer one is returned, and the inner one after it where its sides are clear as well. Corners are named by how the
/// rectangle lies in the image, not by what is written on it.
///
/// Results are ordered by confidence, which is how likely it is, for a thing and a view as in the pictures that it was fitted to,
/// that the quad is the outline of one thing. Corners and boxes are normalised to the region of interest, and sizes are
/// told relative to that. A result can start a `VNTrackRectangleRequest`.
public final class VNDetectRectanglesRequest: VNImageBasedRequest, VNTypedRequest {
    /// What is found.
    public typealias ResultObservation = VNRectangleObservation

    /// The least ratio of the shorter side to the longer one, 0 … 1; 0.5 by default.
    ///
    /// Ratios are those of the thing itself, not of its image: a page that is tilted keeps the ratio of paper. They are told from
    /// the perspective, for a camera that looks at the middle of the region with an angle of view of about 45 degrees.
    public var minimumAspectRatio: VNAspectRatio = 0.5
    /// The greatest ratio of the shorter side to the longer one, 0 … 1; 1 by default.
    public var maximumAspectRatio: VNAspectRatio = 1
    /// The most degrees that a corner may differ from a right angle in the image, 0 … 45; 30 by default.
    public var quadratureTolerance: VNDegrees = 30
    /// The least size, of the shorter of the mean opposite sides as a part of the smaller dimension of the region of interest,
    /// 0 … 1; 0.2 by default. Things below about 12 pixels after the region was brought to 640 pixels along its longer side, or
    /// below a fortieth of its smaller dimension, are not looked for.
    public var minimumSize: Float = 0.2
    /// The least confidence, 0 … 1; 0 by default. What has less than 0.25 is never returned.
    public var minimumConfidence: VNConfidence = 0
    /// The most results, those with the highest confidence; 1 by default, 0 for all, at most 64.
    public var maximumObservations: Int = 1

    override class var revisionTable: RevisionTable { .detectRectangles }

    override func makeCopy() -> VNRequest { VNDetectRectanglesRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        guard let copy = copy as? VNDetectRectanglesRequest else { return }
        copy.minimumAspectRatio = minimumAspectRatio
        copy.maximumAspectRatio = maximumAspectRatio
        copy.quadratureTolerance = quadratureTolerance
        copy.minimumSize = minimumSize
        copy.minimumConfidence = minimumConfidence
        copy.maximumObservations = maximumObservations
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        let (finder, least, most) = (try checkedFinder(), minimumConfidence, maximumObservations)
        return RequestJob { context in
            let size = try context.image.uprightImageSize()
            let pixels = region.wholePixels(in: size)
            let found = try context.rectangles(in: pixels, finder: finder).filter {
                VNConfidence($0.confidence) >= least
            }
            return found.prefix(most == 0 ? found.count : most).map { rectangle in
                func corner(_ point: PlanarPoint) -> CGPoint {
                    region.normalizedPoint(x: point.x + pixels.x, y: point.y + pixels.y, in: size)
                }
                let quad = rectangle.quad
                return VNRectangleObservation(
                    uuid: UUID(), confidence: VNConfidence(rectangle.confidence), requestRevision: revision,
                    corners: (
                        topLeft: corner(quad.topLeft), topRight: corner(quad.topRight),
                        bottomRight: corner(quad.bottomRight), bottomLeft: corner(quad.bottomLeft)
                    ), timeRange: context.timeRange)
            }
        }
    }

    private func checkedFinder() throws -> RectangleFinder {
        func check(_ value: Float, _ name: String, upTo most: Float) throws {
            guard value >= 0, value <= most else {
                throw visionError(.invalidArgument, "\(name) is \(value); it is from 0 to \(Int(most)).")
            }
        }
        try check(minimumAspectRatio, "minimumAspectRatio", upTo: 1)
        try check(maximumAspectRatio, "maximumAspectRatio", upTo: 1)
        try check(quadratureTolerance, "quadratureTolerance", upTo: 45)
        try check(minimumSize, "minimumSize", upTo: 1)
        try check(minimumConfidence, "minimumConfidence", upTo: 1)
        guard minimumAspectRatio <= maximumAspectRatio else {
            throw visionError(
                .invalidArgument,
                "minimumAspectRatio, \(minimumAspectRatio), is above maximumAspectRatio, \(maximumAspectRatio).")
        }
        guard maximumObservations >= 0 else {
            throw visionError(
                .invalidArgument, "maximumObservations is \(maximumObservations); it is 0, for all, or more.")
        }
        var finder = RectangleFinder()
        finder.aspectRatios = Double(minimumAspectRatio)...Double(maximumAspectRatio)
        finder.quadratureTolerance = Double(quadratureTolerance)
        finder.minimumSize = Double(minimumSize)
        return finder
    }
}
