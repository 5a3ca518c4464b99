import VisionAlgorithms
import VisionImage

/// Finds lines of text in scenes and on paper, at any angle.
public let VNDetectTextRectanglesRequestRevision1: Int = 1

/// Finds where text is: an observation for each line, from top to bottom, none where there is no text. It is not read.
///
/// Lines may be turned in any way. Their corners are those of a turned rectangle in the order of reading; of lines that
/// stand on their end the direction is taken that is nearer to upright. Corners and boxes are normalised to the region of interest and may
/// reach a little beyond it. The confidence is always 1.
///
/// The region is looked at with up to a million pixels: in larger images text must be larger to be found, about eight pixels
/// high after the image has been made that small. Regions of interest find smaller text.
///
/// The model `pp-ocrv6-det-small` has to be installed; without it a perform fails with `dataUnavailable`.
public final class VNDetectTextRectanglesRequest: VNImageBasedRequest, VNTypedRequest {
    /// What is found.
    public typealias ResultObservation = VNTextObservation

    /// Whether observations say where each character is. False by default.
    public var reportCharacterBoxes = false

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
            func corners(_ box: TurnedBox) -> VNRectangleObservation.Corners {
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
