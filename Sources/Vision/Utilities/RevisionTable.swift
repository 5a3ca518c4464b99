import Foundation

/// The revisions of a request: those implemented here, and the newest one of each profile's SDK.
///
/// This is the only list of revisions.
package struct RevisionTable: Sendable {
    /// The request class.
    package let request: String
    /// The implemented revisions.
    package let implemented: [Int]
    /// Revisions in Apple's SDKs of the profiles that this package does not implement yet.
    package let missing: [Int]
    /// Implemented revisions that have to be asked for by number, because they trade accuracy for time.
    package let variants: Set<Int>
    /// The newest revision of each profile's SDK; 0 if that SDK does not have the request.
    package let newest: [Profile: Int]

    package init(
        request: String, implemented: [Int], missing: [Int], variants: Set<Int> = [], newest: [Profile: Int]
    ) {
        self.request = request
        self.implemented = implemented
        self.variants = variants
        self.missing = missing
        self.newest = newest
    }

    package static let trackObject = RevisionTable(
        request: "VNTrackObjectRequest", implemented: [1, 2], missing: [], newest: [.iOS12: 1, .iOS13: 2, .latest: 2])

    package static let trackRectangle = RevisionTable(
        request: "VNTrackRectangleRequest", implemented: [1], missing: [], newest: [.iOS12: 1, .iOS13: 1, .latest: 1])

    package static let translationalRegistration = RevisionTable(
        request: "VNTranslationalImageRegistrationRequest", implemented: [1], missing: [],
        newest: [.iOS12: 1, .iOS13: 1, .latest: 1])

    package static let homographicRegistration = RevisionTable(
        request: "VNHomographicImageRegistrationRequest", implemented: [1], missing: [],
        newest: [.iOS12: 1, .iOS13: 1, .latest: 1])

    package static let featurePrint = RevisionTable(
        request: "VNGenerateImageFeaturePrintRequest", implemented: [1, 2, 3], missing: [],
        newest: [.iOS12: 0, .iOS13: 1, .latest: 2])

    package static let coreML = RevisionTable(
        request: "VNCoreMLRequest", implemented: [1], missing: [], newest: [.iOS12: 1, .iOS13: 1, .latest: 1])

    package static let classifyImage = RevisionTable(
        request: "VNClassifyImageRequest", implemented: [1, 2, 3, 4], missing: [], variants: [4],
        newest: [.iOS12: 0, .iOS13: 1, .latest: 2])
    package static let detectFaceRectangles = RevisionTable(
        request: "VNDetectFaceRectanglesRequest", implemented: [1, 2, 3], missing: [],
        newest: [.iOS12: 2, .iOS13: 2, .latest: 3])

    package static let detectFaceLandmarks = RevisionTable(
        request: "VNDetectFaceLandmarksRequest", implemented: [1, 2, 3], missing: [],
        newest: [.iOS12: 2, .iOS13: 3, .latest: 3])

    package static let detectFaceCaptureQuality = RevisionTable(
        request: "VNDetectFaceCaptureQualityRequest", implemented: [1, 2, 3], missing: [],
        newest: [.iOS12: 0, .iOS13: 1, .latest: 3])

    package static let detectBarcodes = RevisionTable(
        request: "VNDetectBarcodesRequest", implemented: [1, 2, 3, 4], missing: [],
        newest: [.iOS12: 1, .iOS13: 1, .latest: 4])

    package static let detectHorizon = RevisionTable(
        request: "VNDetectHorizonRequest", implemented: [1], missing: [], newest: [.iOS12: 1, .iOS13: 1, .latest: 1])

    package static let detectTextRectangles = RevisionTable(
        request: "VNDetectTextRectanglesRequest", implemented: [1], missing: [],
        newest: [.iOS12: 1, .iOS13: 1, .latest: 1])

    package static let detectHumanRectangles = RevisionTable(
        request: "VNDetectHumanRectanglesRequest", implemented: [1, 2], missing: [],
        newest: [.iOS12: 0, .iOS13: 1, .latest: 2])

    package static let recognizeText = RevisionTable(
        request: "VNRecognizeTextRequest", implemented: [1, 2, 3], missing: [],
        newest: [.iOS12: 0, .iOS13: 1, .latest: 3])

    package static let recognizeAnimals = RevisionTable(
        request: "VNRecognizeAnimalsRequest", implemented: [1, 2], missing: [],
        newest: [.iOS12: 0, .iOS13: 1, .latest: 2])

    package static let attentionSaliency = RevisionTable(
        request: "VNGenerateAttentionBasedSaliencyImageRequest", implemented: [1, 2], missing: [],
        newest: [.iOS12: 0, .iOS13: 1, .latest: 2])

    package static let objectnessSaliency = RevisionTable(
        request: "VNGenerateObjectnessBasedSaliencyImageRequest", implemented: [1, 2], missing: [],
        newest: [.iOS12: 0, .iOS13: 1, .latest: 2])

    package static let detectRectangles = RevisionTable(
        request: "VNDetectRectanglesRequest", implemented: [1], missing: [],
        newest: [.iOS12: 1, .iOS13: 1, .latest: 1])

    package static let detectHumanBodyPose = RevisionTable(
        request: "VNDetectHumanBodyPoseRequest", implemented: [1], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 1])

    package static let detectHumanBodyPose3D = RevisionTable(
        request: "VNDetectHumanBodyPose3DRequest", implemented: [1], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 1])

    package static let detectHumanHandPose = RevisionTable(
        request: "VNDetectHumanHandPoseRequest", implemented: [1], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 1])

    package static let detectContours = RevisionTable(
        request: "VNDetectContoursRequest", implemented: [1], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 1])

    package static let detectTrajectories = RevisionTable(
        request: "VNDetectTrajectoriesRequest", implemented: [1], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 1])

    package static let generateOpticalFlow = RevisionTable(
        request: "VNGenerateOpticalFlowRequest", implemented: [1, 2], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 2])

    package static let trackOpticalFlow = RevisionTable(
        request: "VNTrackOpticalFlowRequest", implemented: [1], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 1])

    package static let trackTranslationalRegistration = RevisionTable(
        request: "VNTrackTranslationalImageRegistrationRequest", implemented: [1], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 1])

    package static let trackHomographicRegistration = RevisionTable(
        request: "VNTrackHomographicImageRegistrationRequest", implemented: [1], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 1])

    package static let personSegmentation = RevisionTable(
        request: "VNGeneratePersonSegmentationRequest", implemented: [1], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 1])

    package static let personInstanceMask = RevisionTable(
        request: "VNGeneratePersonInstanceMaskRequest", implemented: [1], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 1])

    package static let foregroundInstanceMask = RevisionTable(
        request: "VNGenerateForegroundInstanceMaskRequest", implemented: [1], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 1])

    package static let documentSegmentation = RevisionTable(
        request: "VNDetectDocumentSegmentationRequest", implemented: [1], missing: [],
        newest: [.iOS12: 0, .iOS13: 0, .latest: 1])

    /// For abstract request classes, which cannot be performed.
    package static let none = RevisionTable(request: "", implemented: [], missing: [], newest: [:])

    /// All concrete requests.
    package static let all: [RevisionTable] = [
        trackObject, trackRectangle, translationalRegistration, homographicRegistration, coreML, classifyImage,
        featurePrint, detectFaceRectangles, detectFaceLandmarks, detectFaceCaptureQuality, detectBarcodes,
        detectHorizon, detectTextRectangles, detectRectangles, detectHumanRectangles, recognizeAnimals,
        recognizeText, attentionSaliency, objectnessSaliency, detectHumanBodyPose, detectHumanBodyPose3D,
        detectHumanHandPose, detectContours, detectTrajectories, generateOpticalFlow, trackOpticalFlow,
        trackTranslationalRegistration, trackHomographicRegistration, personSegmentation, personInstanceMask,
        foregroundInstanceMask, documentSegmentation,
    ]

    package var supported: IndexSet { IndexSet(implemented) }

    /// The newest implemented revision that need not be asked for by number, whatever the profile.
    package var current: Int { implemented.filter { !variants.contains($0) }.max() ?? VNRequestRevisionUnspecified }

    /// The default revision: the newest implemented one of the profile's SDK. A request that the profile does not have
    /// yet gets its oldest revision, because it is new to that program.
    package func defaultRevision(for profile: Profile) -> Int {
        let limit = newest[profile] ?? 0
        return implemented.filter { $0 <= limit }.max() ?? implemented.min() ?? VNRequestRevisionUnspecified
    }

    /// Returns the error of performing that revision, or nil if it is implemented.
    func error(forRevision revision: Int) -> NSError? {
        if implemented.contains(revision) { return nil }
        let hint =
            implemented.isEmpty
            ? "No revision of it is implemented yet."
            : "Use revision \(implemented.map(String.init).joined(separator: " or "))."
        if missing.contains(revision) || implemented.isEmpty {
            return visionError(.notImplemented, "\(request) revision \(revision) is not implemented. \(hint)")
        }
        return visionError(.unsupportedRevision, "\(request) has no revision \(revision). \(hint)")
    }
}
