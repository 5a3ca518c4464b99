/// The constellation of 65 points, for near-upright faces if none are given.
public let VNDetectFaceLandmarksRequestRevision1: Int = 1
/// The constellation of 65 points, for faces in any orientation.
public let VNDetectFaceLandmarksRequestRevision2: Int = 2
/// The constellation of 76 points, with the expected error of each; on request that of 65.
public let VNDetectFaceLandmarksRequestRevision3: Int = 3

/// Finds the landmarks of faces: eyes, brows, nose, lips, contour, pupils.
///
/// Without `inputFaceObservations` the face detector finds the faces (its revision 1 for revision 1 of this request,
/// else revision 2); its result is shared with the other requests about the image. Each face gives a new observation
/// with the box, `uuid` and angles of its input, and `landmarks`, which are nil if the box shows no face. A given face
/// that has landmarks is returned unchanged.
///
/// A given box may have any source, as long as most of the face is in it; the face need not be upright, even if `roll`
/// is nil.
///
/// The models `face-landmark` and `iris-landmark` have to be installed, and those of the detector if it runs; without
/// them a perform fails with `dataUnavailable`.
open class VNDetectFaceLandmarksRequest: VNImageBasedRequest, VNFaceObservationAccepting, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNFaceObservation

    /// The faces to process; nil, the default, for all that the detector finds. See `VNFaceObservationAccepting`.
    open var inputFaceObservations: [VNFaceObservation]?

    private var chosenConstellation = VNRequestFaceLandmarksConstellation.constellationNotDefined

    /// The set of points: by default that of 76 points for revision 3, of 65 for the others. A perform fails with
    /// `invalidArgument` if the revision does not have it.
    open var constellation: VNRequestFaceLandmarksConstellation {
        get {
            switch chosenConstellation {
            case .constellationNotDefined:
                revision == VNDetectFaceLandmarksRequestRevision3 ? .constellation76Points : .constellation65Points
            case let chosen: chosen
            }
        }
        set { chosenConstellation = newValue }
    }

    /// Returns whether a revision has a set of points: 1, 2 and 3 have that of 65, 3 that of 76.
    open class func revision(
        _ requestRevision: Int, supportsConstellation constellation: VNRequestFaceLandmarksConstellation
    ) -> Bool {
        switch constellation {
        case .constellation65Points: revisionTable.implemented.contains(requestRevision)
        case .constellation76Points: requestRevision == VNDetectFaceLandmarksRequestRevision3
        case .constellationNotDefined: false
        }
    }

    override class var revisionTable: RevisionTable { .detectFaceLandmarks }

    override func makeCopy() -> VNRequest { VNDetectFaceLandmarksRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        guard let copy = copy as? VNDetectFaceLandmarksRequest else { return }
        copy.inputFaceObservations = inputFaceObservations
        copy.chosenConstellation = chosenConstellation
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (revision, constellation) = (revision, constellation)
        guard Self.revision(revision, supportsConstellation: constellation) else {
            throw visionError(
                .invalidArgument,
                "VNDetectFaceLandmarksRequest revision \(revision) has no constellation of 76 points. Use revision 3.")
        }
        let has76 = constellation == .constellation76Points
        let choice = try FaceChoice(
            region: try checkedRegionOfInterest(), given: inputFaceObservations,
            detectorRevision: revision == VNDetectFaceLandmarksRequestRevision1
                ? VNDetectFaceRectanglesRequestRevision1 : VNDetectFaceRectanglesRequestRevision2)
        return RequestJob { context in
            let size = try context.image.uprightImageSize()
            return try context.faces(choice).map { face in
                if face.observation.landmarks != nil { return face.observation }
                let landmarks = try context.faceLandmarks(of: face).map { found in
                    VNFaceLandmarks2D(
                        found, constellation: has76 ? .points76 : .points65, hasPrecision: has76, box: face.box,
                        size: size, requestRevision: revision)
                }
                return face.result(landmarks: landmarks, revision: revision, timeRange: context.timeRange)
            }
        }
    }
}
