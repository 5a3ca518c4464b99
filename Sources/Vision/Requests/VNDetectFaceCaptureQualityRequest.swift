/// One score for focus, lighting, pose, eyes and mouth, occlusion, and size.
public let VNDetectFaceCaptureQualityRequestRevision1: Int = 1

/// The same as revision 1 here.
public let VNDetectFaceCaptureQualityRequestRevision2: Int = 2

/// As revision 2; faces that the request finds itself have their pitch.
public let VNDetectFaceCaptureQualityRequestRevision3: Int = 3

/// Computes the capture quality of faces: `faceCaptureQuality`, 0…1, higher is better.
///
/// The score compares images of one person, for example of a burst. It says nothing about the person, and as the best
/// images of two people have different scores, a fixed threshold is not meaningful.
///
/// Without `inputFaceObservations` the face detector finds the faces; its result is shared with the
/// other requests about the image. Each face gives a new observation with the box, `uuid` and angles of its input.
/// `faceCaptureQuality` is nil if the box lies outside of the image. A given box without a face gives a low quality,
/// not an error.
///
/// The model `face-landmark` has to be installed, and those of the detector if it runs; without them a perform fails
/// with `dataUnavailable`.
open class VNDetectFaceCaptureQualityRequest: VNImageBasedRequest, VNFaceObservationAccepting, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNFaceObservation

    /// The faces to process; nil, the default, for all that the face detector finds.
    open var inputFaceObservations: [VNFaceObservation]?

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
            detectorRevision: revision >= VNDetectFaceCaptureQualityRequestRevision3
                ? VNDetectFaceRectanglesRequestRevision3 : VNDetectFaceRectanglesRequestRevision2)
        return RequestJob { context in
            try context.faces(choice).map { face in
                face.result(
                    faceCaptureQuality: try context.faceQuality(of: face).map { Float($0) }, revision: revision,
                    timeRange: context.timeRange)
            }
        }
    }
}
