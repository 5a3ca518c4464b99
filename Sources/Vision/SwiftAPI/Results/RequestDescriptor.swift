/// The kind of a request of the Swift API, and its revision.
public enum RequestDescriptor: Codable, Hashable, Sendable, CustomStringConvertible {
    /// A `ClassifyImageRequest`.
    case classifyImageRequest(ClassifyImageRequest.Revision)
    /// A `CoreMLRequest`.
    case coreMLRequest(CoreMLRequest.Revision)
    /// A `DetectBarcodesRequest`.
    case detectBarcodesRequest(DetectBarcodesRequest.Revision)
    /// A `DetectContoursRequest`.
    case detectContoursRequest(DetectContoursRequest.Revision)
    /// A `DetectDocumentSegmentationRequest`.
    case detectDocumentSegmentationRequest(DetectDocumentSegmentationRequest.Revision)
    /// A `DetectFaceCaptureQualityRequest`.
    case detectFaceCaptureQualityRequest(DetectFaceCaptureQualityRequest.Revision)
    /// A `DetectFaceLandmarksRequest`.
    case detectFaceLandmarksRequest(DetectFaceLandmarksRequest.Revision)
    /// A `DetectFaceRectanglesRequest`.
    case detectFaceRectanglesRequest(DetectFaceRectanglesRequest.Revision)
    /// A `DetectHorizonRequest`.
    case detectHorizonRequest(DetectHorizonRequest.Revision)
    /// A `DetectHumanBodyPose3DRequest`.
    case detectHumanBodyPose3DRequest(DetectHumanBodyPose3DRequest.Revision)
    /// A `DetectHumanBodyPoseRequest`.
    case detectHumanBodyPoseRequest(DetectHumanBodyPoseRequest.Revision)
    /// A `DetectHumanHandPoseRequest`.
    case detectHumanHandPoseRequest(DetectHumanHandPoseRequest.Revision)
    /// A `DetectHumanRectanglesRequest`.
    case detectHumanRectanglesRequest(DetectHumanRectanglesRequest.Revision)
    /// A `DetectRectanglesRequest`.
    case detectRectanglesRequest(DetectRectanglesRequest.Revision)
    /// A `DetectTextRectanglesRequest`.
    case detectTextRectanglesRequest(DetectTextRectanglesRequest.Revision)
    /// A `DetectTrajectoriesRequest`.
    case detectTrajectoriesRequest(DetectTrajectoriesRequest.Revision)
    /// A `GenerateAttentionBasedSaliencyImageRequest`.
    case generateAttentionBasedSaliencyImageRequest(GenerateAttentionBasedSaliencyImageRequest.Revision)
    /// A `GenerateForegroundInstanceMaskRequest`.
    case generateForegroundInstanceMaskRequest(GenerateForegroundInstanceMaskRequest.Revision)
    /// A `GenerateImageFeaturePrintRequest`.
    case generateImageFeaturePrintRequest(GenerateImageFeaturePrintRequest.Revision)
    /// A `GenerateObjectnessBasedSaliencyImageRequest`.
    case generateObjectnessBasedSaliencyImageRequest(GenerateObjectnessBasedSaliencyImageRequest.Revision)
    /// A `GeneratePersonInstanceMaskRequest`.
    case generatePersonInstanceMaskRequest(GeneratePersonInstanceMaskRequest.Revision)
    /// A `GeneratePersonSegmentationRequest`.
    case generatePersonSegmentationRequest(GeneratePersonSegmentationRequest.Revision)
    /// A `RecognizeAnimalsRequest`.
    case recognizeAnimalsRequest(RecognizeAnimalsRequest.Revision)
    /// A `RecognizeTextRequest`.
    case recognizeTextRequest(RecognizeTextRequest.Revision)
    /// A `TrackHomographicImageRegistrationRequest`.
    case trackHomographicImageRegistrationRequest(TrackHomographicImageRegistrationRequest.Revision)
    /// A `TrackObjectRequest`.
    case trackObjectRequest(TrackObjectRequest.Revision)
    /// A `TrackOpticalFlowRequest`.
    case trackOpticalFlowRequest(TrackOpticalFlowRequest.Revision)
    /// A `TrackRectangleRequest`.
    case trackRectangleRequest(TrackRectangleRequest.Revision)
    /// A `TrackTranslationalImageRegistrationRequest`.
    case trackTranslationalImageRegistrationRequest(TrackTranslationalImageRegistrationRequest.Revision)

    /// The name of the request and its revision.
    public var description: String {
        switch self {
        case .classifyImageRequest(let revision): "ClassifyImageRequest(.\(revision))"
        case .coreMLRequest(let revision): "CoreMLRequest(.\(revision))"
        case .detectBarcodesRequest(let revision): "DetectBarcodesRequest(.\(revision))"
        case .detectContoursRequest(let revision): "DetectContoursRequest(.\(revision))"
        case .detectDocumentSegmentationRequest(let revision): "DetectDocumentSegmentationRequest(.\(revision))"
        case .detectFaceCaptureQualityRequest(let revision): "DetectFaceCaptureQualityRequest(.\(revision))"
        case .detectFaceLandmarksRequest(let revision): "DetectFaceLandmarksRequest(.\(revision))"
        case .detectFaceRectanglesRequest(let revision): "DetectFaceRectanglesRequest(.\(revision))"
        case .detectHorizonRequest(let revision): "DetectHorizonRequest(.\(revision))"
        case .detectHumanBodyPose3DRequest(let revision): "DetectHumanBodyPose3DRequest(.\(revision))"
        case .detectHumanBodyPoseRequest(let revision): "DetectHumanBodyPoseRequest(.\(revision))"
        case .detectHumanHandPoseRequest(let revision): "DetectHumanHandPoseRequest(.\(revision))"
        case .detectHumanRectanglesRequest(let revision): "DetectHumanRectanglesRequest(.\(revision))"
        case .detectRectanglesRequest(let revision): "DetectRectanglesRequest(.\(revision))"
        case .detectTextRectanglesRequest(let revision): "DetectTextRectanglesRequest(.\(revision))"
        case .detectTrajectoriesRequest(let revision): "DetectTrajectoriesRequest(.\(revision))"
        case .generateAttentionBasedSaliencyImageRequest(let revision):
            "GenerateAttentionBasedSaliencyImageRequest(.\(revision))"
        case .generateForegroundInstanceMaskRequest(let revision): "GenerateForegroundInstanceMaskRequest(.\(revision))"
        case .generateImageFeaturePrintRequest(let revision): "GenerateImageFeaturePrintRequest(.\(revision))"
        case .generateObjectnessBasedSaliencyImageRequest(let revision):
            "GenerateObjectnessBasedSaliencyImageRequest(.\(revision))"
        case .generatePersonInstanceMaskRequest(let revision): "GeneratePersonInstanceMaskRequest(.\(revision))"
        case .generatePersonSegmentationRequest(let revision): "GeneratePersonSegmentationRequest(.\(revision))"
        case .recognizeAnimalsRequest(let revision): "RecognizeAnimalsRequest(.\(revision))"
        case .recognizeTextRequest(let revision): "RecognizeTextRequest(.\(revision))"
        case .trackHomographicImageRegistrationRequest(let revision):
            "TrackHomographicImageRegistrationRequest(.\(revision))"
        case .trackObjectRequest(let revision): "TrackObjectRequest(.\(revision))"
        case .trackOpticalFlowRequest(let revision): "TrackOpticalFlowRequest(.\(revision))"
        case .trackRectangleRequest(let revision): "TrackRectangleRequest(.\(revision))"
        case .trackTranslationalImageRegistrationRequest(let revision):
            "TrackTranslationalImageRegistrationRequest(.\(revision))"
        }
    }
}
