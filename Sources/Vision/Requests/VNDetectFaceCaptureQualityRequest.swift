import VisionImage
import VisionModels

/// One number for focus, light, pose, eyes and mouth, what hides the face, and size.
public let VNDetectFaceCaptureQualityRequestRevision1: Int = 1

/// Says how good a picture of a face is: `faceCaptureQuality`, 0…1, higher for better.
///
/// The number compares pictures of one person, of a burst, say. It says nothing about the person, and as two people's best
/// pictures have different numbers, a threshold makes no sense.
///
/// Without `inputFaceObservations` the face detector (its revision 2) finds the faces; its result is shared with the other
/// requests about the image. Each face gives a new observation with the box, `uuid` and angles of the one that it comes from.
/// `faceCaptureQuality` is nil where the box shows nothing of the image. A given box in which there is no face gives a low
/// quality, not an error.
///
/// The model `face-landmark` has to be installed, and those of the detector where it is wanted; without them a perform fails
/// with `dataUnavailable`.
public final class VNDetectFaceCaptureQualityRequest: VNImageBasedRequest, VNFaceObservationAccepting, VNTypedRequest {
    /// What is found.
    public typealias ResultObservation = VNFaceObservation

    /// The faces to judge; nil, the default, for all that the face detector finds.
    public var inputFaceObservations: [VNFaceObservation]?

    override class var revisionTable: RevisionTable { .detectFaceCaptureQuality }

    override func makeCopy() -> VNRequest { VNDetectFaceCaptureQualityRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        (copy as? VNDetectFaceCaptureQualityRequest)?.inputFaceObservations = inputFaceObservations
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let revision = revision
        let choice = try FaceChoice(
            region: try checkedRegionOfInterest(), given: inputFaceObservations,
            detectorRevision: VNDetectFaceRectanglesRequestRevision2)
        return RequestJob { context in
            try context.faces(choice).map { face in
                face.result(
                    faceCaptureQuality: try context.faceQuality(of: face).map { Float($0) }, revision: revision,
                    timeRange: context.timeRange)
            }
        }
    }
}
