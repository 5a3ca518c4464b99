import VisionImage
import VisionAlgorithms

/// The networks of `VNDetectRectanglesRequest`, and the evidence of a whole page.
public let VNDetectDocumentSegmentationRequestRevision1: Int = 1

/// Finds the page that the image is a photograph of: its four corners and its mask.
///
/// The page may be a sheet, a receipt or a card, seen from the side, with things lying on it, or on other sheets. Of
/// several pages the one is returned that is seen best and largest. Corners are named by their position in the image,
/// may lie a little outside it, and are normalised to the region of interest. `globalSegmentationMask` has one byte a
/// pixel, 255 within the corners, and shows the region of interest with its longer side at most 512 pixels.
///
/// `VisionExtras` rectifies the page (`PerspectiveCorrection`).
open class VNDetectDocumentSegmentationRequest: VNImageBasedRequest, VNTypedRequest {
    /// The results: one page, or none.
    public typealias ResultObservation = VNRectangleObservation

    /// The longer side of a mask.
    private static let maskSide = 512

    override class var revisionTable: RevisionTable { .documentSegmentation }

    override func makeCopy() -> VNRequest { VNDetectDocumentSegmentationRequest(completionHandler: completionHandler) }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        return RequestJob { context in
            let size = try context.image.uprightImageSize()
            let pixels = region.wholePixels(in: size)
            guard let page = try context.document(in: pixels) else { return [] }
            func corner(_ point: PlanarPoint) -> CGPoint {
                region.normalizedPoint(x: point.x + pixels.x, y: point.y + pixels.y, in: size)
            }
            let quad = page.quad
            let scale = min(1, Double(Self.maskSide) / max(pixels.width, pixels.height))
            let (width, height) = (
                max(1, Int((pixels.width * scale).rounded())), max(1, Int((pixels.height * scale).rounded()))
            )
            let mask = quad.scaled(Double(width) / pixels.width, Double(height) / pixels.height)
                .coverage(width: width, height: height)
            let observation = VNPixelBufferObservation(
                pixelBuffer: try CVPixelBuffer.ofBytes(mask, width: width, height: height), featureName: nil,
                requestRevision: revision, timeRange: context.timeRange)
            return [
                VNRectangleObservation(
                    uuid: UUID(), confidence: VNConfidence(page.confidence), requestRevision: revision,
                    corners: (
                        topLeft: corner(quad.topLeft), topRight: corner(quad.topRight),
                        bottomRight: corner(quad.bottomRight), bottomLeft: corner(quad.bottomLeft)
                    ), timeRange: context.timeRange, globalSegmentationMask: observation)
            ]
        }
    }
}
