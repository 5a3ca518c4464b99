import VisionImage
import VisionModels

/// Near-upright faces, `roll` and `yaw` not computed.
public let VNDetectFaceRectanglesRequestRevision1: Int = 1
/// Faces in any orientation, smaller ones too, with `roll` and `yaw`.
public let VNDetectFaceRectanglesRequestRevision2: Int = 2
/// As revision 2, with `pitch`.
public let VNDetectFaceRectanglesRequestRevision3: Int = 3

/// Finds faces: an observation for each, most confident first, none where there is no face.
///
/// Revision 1 looks for faces within 35° of upright in the whole region, from about a twentieth of its longer side on.
/// Revisions 2 and 3 find faces in any orientation, and near-upright ones down to 20 pixels. Their angles are continuous. In
/// pictures of more than about 40 megapixels the smallest faces grow with the picture, so that a search does not take longer
/// than 400 looks at parts of it.
/// Boxes are normalised to the region of interest and may reach a little beyond it.
///
/// The models `face-detection-short-range`, `face-detection-full-range-sparse` and `face-landmark` have to be installed;
/// without them a perform fails with `dataUnavailable`.
public final class VNDetectFaceRectanglesRequest: VNImageBasedRequest, VNTypedRequest {
    /// What is found.
    public typealias ResultObservation = VNFaceObservation

    override class var revisionTable: RevisionTable { .detectFaceRectangles }

    override func makeCopy() -> VNRequest { VNDetectFaceRectanglesRequest(completionHandler: completionHandler) }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        return RequestJob { context in
            let size = try context.image.uprightImageSize()
            return try context.faces(in: region, revision: revision).map { face in
                VNFaceObservation(face, region: region, size: size, revision: revision, timeRange: context.timeRange)
            }
        }
    }
}

extension VNFaceObservation {
    /// What a revision of `VNDetectFaceRectanglesRequest` says of a face that was found.
    convenience init(
        _ face: DetectedFace, region: NormalizedRegion, size: ImageSize, revision: Int, timeRange: CMTimeRange
    ) {
        let angles = face.mesh.angles
        self.init(
            uuid: UUID(), confidence: VNConfidence(face.confidence), requestRevision: revision,
            boundingBox: region.normalizedBox(of: face.box, in: size),
            angles: revision == VNDetectFaceRectanglesRequestRevision1
                ? (nil, nil, nil)
                : (
                    angles.roll, angles.yaw,
                    revision == VNDetectFaceRectanglesRequestRevision2 ? nil : angles.pitch
                ), timeRange: timeRange)
    }
}
