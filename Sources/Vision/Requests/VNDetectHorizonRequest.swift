import Foundation
import VisionAlgorithms
import VisionImage

/// The only revision.
public let VNDetectHorizonRequestRevision1: Int = 1

/// Finds the angle of the horizon: one observation, or none if the image does not show it.
///
/// The evidence is in straight edges: those of buildings, rooms, vehicles and streets, a shore, the line between sea
/// and sky. Angles of up to 45° either way are found. In images that are rotated further than that, and in close-ups of
/// tilted objects, the edges may suggest a wrong angle; if they do not agree, the results are empty.
///
/// The confidence is the probability that the angle is right within 2°. Properties of the file are not used. Nothing
/// has to be installed. The region of interest is processed like a separate image.
open class VNDetectHorizonRequest: VNImageBasedRequest, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNHorizonObservation

    override class var revisionTable: RevisionTable { .detectHorizon }

    override func makeCopy() -> VNRequest { VNDetectHorizonRequest(completionHandler: completionHandler) }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        return RequestJob { context in
            let pixels = region.wholePixels(in: try context.image.uprightImageSize())
            let (width, height) = (Int(pixels.width), Int(pixels.height))
            let view = HorizonFinder.viewSize(width: width, height: height)
            let grey = try context.image.derivative(
                Derivative(region: pixels, width: view.width, height: view.height, format: .grey8))
            guard let horizon = HorizonFinder.horizon(in: grey, width: width, height: height),
                horizon.confidence >= HorizonFinder.leastConfidence
            else { return [] }
            // Vision's y points up, so the sign of the angle changes.
            return [
                VNHorizonObservation(
                    angle: CGFloat(-horizon.angle), confidence: VNConfidence(horizon.confidence),
                    requestRevision: revision, timeRange: context.timeRange)
            ]
        }
    }
}
