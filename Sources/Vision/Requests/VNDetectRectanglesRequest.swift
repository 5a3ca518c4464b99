import VisionAlgorithms

/// Finds rectangles by straight lines and by three networks that come with the package: one proposes quads, one refines
/// proposals for objects that the lines miss, and one verifies each outline.
public let VNDetectRectanglesRequestRevision1: Int = 1

/// Detects rectangular objects (pages, cards, screens, signs) in perspective, with their four corners.
///
/// Sides may be partly hidden and corners covered, as long as the greater part of the outline is visible; corners have
/// subpixel precision and may lie a little outside of the image. For nested outlines at about the same position, such
/// as a screen and its frame, the outer one is returned, followed by the inner one if its sides are clear as well.
/// Corners are named by their position in the image, not by what is written on the object.
///
/// Results are ordered by confidence, which is the probability that the quad is the outline of one object, for scenes
/// like those that it was fitted to. Corners and boxes are normalised to the region of interest, and sizes are relative
/// to it. A result can start a `VNTrackRectangleRequest`.
open class VNDetectRectanglesRequest: VNImageBasedRequest, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNRectangleObservation

    /// The least aspect ratio (shorter to longer side), 0 … 1; 0.5 by default.
    ///
    /// The ratio is that of the object itself, not of its image: a page that is tilted keeps the ratio of paper. It is
    /// computed from the perspective, for a camera whose optical axis passes through the centre of the region and whose
    /// angle of view is about 45 degrees.
    open var minimumAspectRatio: VNAspectRatio = 0.5
    /// The greatest aspect ratio (shorter to longer side), 0 … 1; 1 by default.
    open var maximumAspectRatio: VNAspectRatio = 1
    /// The largest deviation of a corner from a right angle in the image, in degrees, 0 … 45; 30 by default.
    open var quadratureTolerance: VNDegrees = 30
    /// The least size: the shorter of the mean opposite sides, relative to the smaller dimension of the region of
    /// interest, 0 … 1; 0.2 by default. Objects below about 12 pixels in the region reduced to 640 pixels along its
    /// longer side, or below a fortieth of its smaller dimension, are not found.
    open var minimumSize: Float = 0.2
    /// The least confidence, 0 … 1; 0 by default. Results with less than 0.25 are never returned.
    open var minimumConfidence: VNConfidence = 0
    /// The largest number of results, those with the highest confidence; 1 by default, 0 for all, at most 64.
    open var maximumObservations: Int = 1

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
                throw visionError(.invalidArgument, "\(name) is \(value); it must be from 0 to \(Int(most)).")
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
                .invalidArgument, "maximumObservations is \(maximumObservations); it must be 0, for all, or more.")
        }
        var finder = RectangleFinder()
        finder.aspectRatios = Double(minimumAspectRatio)...Double(maximumAspectRatio)
        finder.quadratureTolerance = Double(quadratureTolerance)
        finder.minimumSize = Double(minimumSize)
        return finder
    }
}
