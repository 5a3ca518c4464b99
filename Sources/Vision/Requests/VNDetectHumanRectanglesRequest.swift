import VisionImage
import VisionModels

/// Finds upper bodies.
public let VNDetectHumanRectanglesRequestRevision1: Int = 1

/// Finds upper bodies or whole bodies, with the same network.
public let VNDetectHumanRectanglesRequestRevision2: Int = 2

/// Finds people: an observation for each, the most confident first, none if there are none.
///
/// The region of interest is reduced to the size of the network's input, with its aspect ratio kept. Boxes are
/// normalised to the region of interest and end at its edges.
///
/// The confidence is the probability that the box is right, estimated from the network's score and from the others in
/// the image: a person beside people of like size is more likely than one in an empty scene. Results have 0.3 or more.
open class VNDetectHumanRectanglesRequest: VNImageBasedRequest, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNHumanObservation

    /// Whether the boxes are those of the upper bodies (head and torso), not of the whole bodies. True by default;
    /// false requires revision 2, otherwise the perform fails with `invalidOption`.
    open var upperBodyOnly = true

    override class var revisionTable: RevisionTable { .detectHumanRectangles }

    override func makeCopy() -> VNRequest { VNDetectHumanRectanglesRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        (copy as? VNDetectHumanRectanglesRequest)?.upperBodyOnly = upperBodyOnly
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision, upperBodyOnly) = (try checkedRegionOfInterest(), revision, upperBodyOnly)
        guard upperBodyOnly || revision >= VNDetectHumanRectanglesRequestRevision2 else {
            throw visionError(
                .invalidOption,
                "Revision 1 of VNDetectHumanRectanglesRequest finds upper bodies only. For whole bodies use revision 2."
            )
        }
        return RequestJob { context in
            let size = try context.image.uprightImageSize()
            let part = upperBodyOnly ? FoundPerson.Part.upperBody : .wholeBody
            return try context.confidentPeople(in: region.pixels(in: size), part).map { person in
                VNHumanObservation(
                    upperBodyOnly: upperBodyOnly, confidence: person.confidence, requestRevision: revision,
                    boundingBox: region.normalizedBox(of: person.box, in: size), timeRange: context.timeRange)
            }
        }
    }
}
