import VisionImage
import VisionModels

/// Near-upright faces, without `roll` and `yaw`.
public let VNDetectFaceRectanglesRequestRevision1: Int = 1
/// Faces in any orientation, including smaller ones, with `roll` and `yaw`.
public let VNDetectFaceRectanglesRequestRevision2: Int = 2
/// As revision 2, with `pitch`.
public let VNDetectFaceRectanglesRequestRevision3: Int = 3

/// Detects faces: an observation for each, highest confidence first, none if there is no face.
///
/// Revision 1 finds faces within 35° of upright in the whole region, from about a twentieth of its longer side on.
/// Revisions 2 and 3 find faces in any orientation, and near-upright ones down to 20 pixels. Their angles are
/// continuous. In images of more than about 40 megapixels the size of the smallest faces grows with the image, because
/// a search runs the network on at most 400 tiles.
/// Boxes are normalised to the region of interest and may reach a little beyond it.
///
/// The models `face-detection-short-range`, `face-detection-full-range-sparse` and `face-landmark` have to be
/// installed; without them a perform fails with `dataUnavailable`.
open class VNDetectFaceRectanglesRequest: VNImageBasedRequest, VNTypedRequest {
    /// The class of the results.
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
    /// The angles that a revision of `VNDetectFaceRectanglesRequest` reports.
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
