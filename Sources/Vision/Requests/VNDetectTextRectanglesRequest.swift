import VisionAlgorithms

/// Finds text lines in scenes and on paper, at any angle.
public let VNDetectTextRectanglesRequestRevision1: Int = 1

/// Detects text: an observation for each text line, from top to bottom, none if there is no text. The text is not read.
///
/// Text lines may be rotated by any angle. Their corners are those of a rotated rectangle in reading order; for
/// vertical text the reading direction nearer to horizontal text is taken. Corners and boxes are normalised to the
/// region of interest and may reach a little beyond it. The confidence is always 1.
///
/// The region is reduced to at most a million pixels; after that text must be about eight pixels high to be found. Use
/// a region of interest to find smaller text.
///
/// The model `pp-ocrv6-det-small` has to be installed; without it a perform fails with `dataUnavailable`.
open class VNDetectTextRectanglesRequest: VNImageBasedRequest, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNTextObservation

    /// Whether observations include the boxes of the characters. False by default.
    open var reportCharacterBoxes = false

    override class var revisionTable: RevisionTable { .detectTextRectangles }

    override func makeCopy() -> VNRequest { VNDetectTextRectanglesRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        (copy as? VNDetectTextRectanglesRequest)?.reportCharacterBoxes = reportCharacterBoxes
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision, wantsCharacters) = (try checkedRegionOfInterest(), revision, reportCharacterBoxes)
        return RequestJob { context in
            let size = try context.image.uprightImageSize()
            func corners(_ box: RotatedBox) -> VNRectangleObservation.Corners {
                let quad = box.quad
                func point(_ corner: PlanarPoint) -> CGPoint {
                    region.normalizedPoint(x: corner.x, y: corner.y, in: size)
                }
                return (
                    topLeft: point(quad.topLeft), topRight: point(quad.topRight),
                    bottomRight: point(quad.bottomRight), bottomLeft: point(quad.bottomLeft)
                )
            }
            return try context.text(in: region.pixels(in: size), wantsCharacters: wantsCharacters).map { found in
                VNTextObservation(
                    confidence: 1, requestRevision: revision, corners: corners(found.line.box),
                    characters: found.characters?.map(corners), timeRange: context.timeRange)
            }
        }
    }
}
