/// The kind of a request of the Swift API, and its revision.
public enum RequestDescriptor: Codable, Hashable, Sendable, CustomStringConvertible {
    /// A `ClassifyImageRequest`.
    case classifyImageRequest(ClassifyImageRequest.Revision)
    /// A `CoreMLRequest`.
    case coreMLRequest(CoreMLRequest.Revision)
    /// A `DetectBarcodesRequest`.
    case detectBarcodesRequest(DetectBarcodesRequest.Revision)
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
    /// A `GenerateAttentionBasedSaliencyImageRequest`.
    case generateAttentionBasedSaliencyImageRequest(GenerateAttentionBasedSaliencyImageRequest.Revision)
    /// A `GenerateImageFeaturePrintRequest`.
    case generateImageFeaturePrintRequest(GenerateImageFeaturePrintRequest.Revision)
    /// A `GenerateObjectnessBasedSaliencyImageRequest`.
    case generateObjectnessBasedSaliencyImageRequest(GenerateObjectnessBasedSaliencyImageRequest.Revision)
    /// A `RecognizeAnimalsRequest`.
    case recognizeAnimalsRequest(RecognizeAnimalsRequest.Revision)
    /// A `RecognizeTextRequest`.
    case recognizeTextRequest(RecognizeTextRequest.Revision)
    /// A `TrackObjectRequest`.
    case trackObjectRequest(TrackObjectRequest.Revision)
    /// A `TrackRectangleRequest`.
    case trackRectangleRequest(TrackRectangleRequest.Revision)

    /// The name of the request and its revision.
    public var description: String {
        switch self {
        case .classifyImageRequest(let revision): "ClassifyImageRequest(.\(revision))"
        case .coreMLRequest(let revision): "CoreMLRequest(.\(revision))"
        case .detectBarcodesRequest(let revision): "DetectBarcodesRequest(.\(revision))"
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
        case .generateAttentionBasedSaliencyImageRequest(let revision):
            "GenerateAttentionBasedSaliencyImageRequest(.\(revision))"
        case .generateImageFeaturePrintRequest(let revision): "GenerateImageFeaturePrintRequest(.\(revision))"
        case .generateObjectnessBasedSaliencyImageRequest(let revision):
            "GenerateObjectnessBasedSaliencyImageRequest(.\(revision))"
        case .recognizeAnimalsRequest(let revision): "RecognizeAnimalsRequest(.\(revision))"
        case .recognizeTextRequest(let revision): "RecognizeTextRequest(.\(revision))"
        case .trackObjectRequest(let revision): "TrackObjectRequest(.\(revision))"
        case .trackRectangleRequest(let revision): "TrackRectangleRequest(.\(revision))"
        }
    }
}
