/// A request of `performAll(_:)` together with its result.
public enum VisionResult: Sendable, CustomStringConvertible {
    /// A request that failed, with its error.
    case error(any VisionRequest, any Error)
    /// The result of a `ClassifyImageRequest`.
    case classifyImage(ClassifyImageRequest, [ClassificationObservation])
    /// The result of a `CoreMLRequest`.
    case coreML(CoreMLRequest, [any VisionObservation])
    /// The result of a `DetectBarcodesRequest`.
    case detectBarcodes(DetectBarcodesRequest, [BarcodeObservation])
    /// The result of a `DetectContoursRequest`.
    case detectContours(DetectContoursRequest, ContoursObservation)
    /// The result of a `DetectDocumentSegmentationRequest`.
    case detectDocumentSegmentation(DetectDocumentSegmentationRequest, DetectedDocumentObservation?)
    /// The result of a `DetectFaceCaptureQualityRequest`.
    case detectFaceCaptureQuality(DetectFaceCaptureQualityRequest, [FaceObservation])
    /// The result of a `DetectFaceLandmarksRequest`.
    case detectFaceLandmarks(DetectFaceLandmarksRequest, [FaceObservation])
    /// The result of a `DetectFaceRectanglesRequest`.
    case detectFaceRectangles(DetectFaceRectanglesRequest, [FaceObservation])
    /// The result of a `DetectHorizonRequest`.
    case detectHorizon(DetectHorizonRequest, HorizonObservation?)
    /// The result of a `DetectHumanBodyPose3DRequest`.
    case detectHumanBodyPose3D(DetectHumanBodyPose3DRequest, [HumanBodyPose3DObservation])
    /// The result of a `DetectHumanBodyPoseRequest`.
    case detectHumanBodyPose(DetectHumanBodyPoseRequest, [HumanBodyPoseObservation])
    /// The result of a `DetectHumanHandPoseRequest`.
    case detectHumanHandPose(DetectHumanHandPoseRequest, [HumanHandPoseObservation])
    /// The result of a `DetectHumanRectanglesRequest`.
    case detectHumanRectangles(DetectHumanRectanglesRequest, [HumanObservation])
    /// The result of a `DetectRectanglesRequest`.
    case detectRectangles(DetectRectanglesRequest, [RectangleObservation])
    /// The result of a `DetectTextRectanglesRequest`.
    case detectTextRectangles(DetectTextRectanglesRequest, [TextObservation])
    /// The result of a `DetectTrajectoriesRequest`.
    case detectTrajectories(DetectTrajectoriesRequest, [TrajectoryObservation])
    /// The result of a `GenerateAttentionBasedSaliencyImageRequest`.
    case generateAttentionBasedSaliencyImage(GenerateAttentionBasedSaliencyImageRequest, SaliencyImageObservation)
    /// The result of a `GenerateForegroundInstanceMaskRequest`.
    case generateForegroundInstanceMask(GenerateForegroundInstanceMaskRequest, InstanceMaskObservation?)
    /// The result of a `GenerateImageFeaturePrintRequest`.
    case generateImageFeaturePrint(GenerateImageFeaturePrintRequest, FeaturePrintObservation)
    /// The result of a `GenerateObjectnessBasedSaliencyImageRequest`.
    case generateObjectnessBasedSaliencyImage(GenerateObjectnessBasedSaliencyImageRequest, SaliencyImageObservation)
    /// The result of a `GeneratePersonInstanceMaskRequest`.
    case generatePersonInstanceMask(GeneratePersonInstanceMaskRequest, InstanceMaskObservation?)
    /// The result of a `GeneratePersonSegmentationRequest`.
    case generatePersonSegmentation(GeneratePersonSegmentationRequest, PixelBufferObservation)
    /// The result of a `RecognizeAnimalsRequest`.
    case recognizeAnimals(RecognizeAnimalsRequest, [RecognizedObjectObservation])
    /// The result of a `RecognizeTextRequest`.
    case recognizeText(RecognizeTextRequest, [RecognizedTextObservation])
    /// The result of a `TrackHomographicImageRegistrationRequest`.
    case trackHomographicImageRegistration(
        TrackHomographicImageRegistrationRequest, ImageHomographicAlignmentObservation)
    /// The result of a `TrackObjectRequest`.
    case trackObject(TrackObjectRequest, DetectedObjectObservation?)
    /// The result of a `TrackOpticalFlowRequest`.
    case trackOpticalFlow(TrackOpticalFlowRequest, OpticalFlowObservation?)
    /// The result of a `TrackRectangleRequest`.
    case trackRectangle(TrackRectangleRequest, RectangleObservation?)
    /// The result of a `TrackTranslationalImageRegistrationRequest`.
    case trackTranslationalImageRegistration(
        TrackTranslationalImageRegistrationRequest, ImageTranslationAlignmentObservation)

    /// The request and its result.
    public var description: String {
        switch self {
        case .error(let request, let error): "\(request): \(error)"
        case .classifyImage(let request, let result): "\(request): \(result)"
        case .coreML(let request, let result): "\(request): \(result)"
        case .detectBarcodes(let request, let result): "\(request): \(result)"
        case .detectContours(let request, let result): "\(request): \(result)"
        case .detectDocumentSegmentation(let request, let result):
            "\(request): \(result.map(String.init(describing:)) ?? "none")"
        case .detectFaceCaptureQuality(let request, let result): "\(request): \(result)"
        case .detectFaceLandmarks(let request, let result): "\(request): \(result)"
        case .detectFaceRectangles(let request, let result): "\(request): \(result)"
        case .detectHorizon(let request, let result): "\(request): \(result.map(String.init(describing:)) ?? "none")"
        case .detectHumanBodyPose3D(let request, let result): "\(request): \(result)"
        case .detectHumanBodyPose(let request, let result): "\(request): \(result)"
        case .detectHumanHandPose(let request, let result): "\(request): \(result)"
        case .detectHumanRectangles(let request, let result): "\(request): \(result)"
        case .detectRectangles(let request, let result): "\(request): \(result)"
        case .detectTextRectangles(let request, let result): "\(request): \(result)"
        case .detectTrajectories(let request, let result): "\(request): \(result)"
        case .generateAttentionBasedSaliencyImage(let request, let result): "\(request): \(result)"
        case .generateForegroundInstanceMask(let request, let result):
            "\(request): \(result.map(String.init(describing:)) ?? "none")"
        case .generateImageFeaturePrint(let request, let result): "\(request): \(result)"
        case .generateObjectnessBasedSaliencyImage(let request, let result): "\(request): \(result)"
        case .generatePersonInstanceMask(let request, let result):
            "\(request): \(result.map(String.init(describing:)) ?? "none")"
        case .generatePersonSegmentation(let request, let result): "\(request): \(result)"
        case .recognizeAnimals(let request, let result): "\(request): \(result)"
        case .recognizeText(let request, let result): "\(request): \(result)"
        case .trackHomographicImageRegistration(let request, let result): "\(request): \(result)"
        case .trackObject(let request, let result): "\(request): \(result.map(String.init(describing:)) ?? "none")"
        case .trackOpticalFlow(let request, let result): "\(request): \(result.map(String.init(describing:)) ?? "none")"
        case .trackRectangle(let request, let result): "\(request): \(result.map(String.init(describing:)) ?? "none")"
        case .trackTranslationalImageRegistration(let request, let result): "\(request): \(result)"
        }
    }
}
