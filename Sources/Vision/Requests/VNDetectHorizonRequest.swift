import Foundation
import VisionAlgorithms
import VisionImage

/// The only revision.
public let VNDetectHorizonRequestRevision1: Int = 1

/// Finds how an image is turned against the horizon: an observation, or none where nothing in the image tells.
///
/// What tells are straight edges: those of buildings, rooms, vehicles and streets, a shore, the line between sea and sky. Turns of up
/// to 45° either way are found. In pictures that are turned further than that, and in close-ups of things that stand askew, the
/// edges may stand for a wrong angle; where they do not agree, the results are empty.
///
/// The confidence is how probable it is that the angle is right within 2°. Properties of the file are not asked. Nothing has to be
/// installed. The region of interest is looked at as if it were the picture.
public final class VNDetectHorizonRequest: VNImageBasedRequest, VNTypedRequest {
    /// What is found.
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
            // Vision's y points up, so the angle counts the other way round.
            return [
                VNHorizonObservation(
                    angle: CGFloat(-horizon.angle), confidence: VNConfidence(horizon.confidence),
                    requestRevision: revision, timeRange: context.timeRange)
            ]
        }
    }
}
