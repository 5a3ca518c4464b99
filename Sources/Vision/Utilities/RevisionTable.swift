import VisionImage

import Foundation

/// Which revisions each request has: those that run here, and those that each profile's SDK knew.
///
/// This is the only place that lists revisions.
package struct RevisionTable: Sendable {
    /// The request class.
    package let request: String
    /// The revisions that run.
    package let implemented: [Int]
    /// Revisions that Apple has in the SDKs of the profiles and this package does not have yet.
    package let missing: [Int]
    /// The newest revision of each profile's SDK; 0 where that SDK does not have the request.
    package let newest: [Profile: Int]

    package init(request: String, implemented: [Int], missing: [Int], newest: [Profile: Int]) {
        self.request = request
        self.implemented = implemented
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
        request: "VNGenerateImageFeaturePrintRequest", implemented: [1, 2], missing: [],
        newest: [.iOS12: 0, .iOS13: 1, .latest: 2])

    package static let coreML = RevisionTable(
        request: "VNCoreMLRequest", implemented: [1], missing: [], newest: [.iOS12: 1, .iOS13: 1, .latest: 1])

    package static let classifyImage = RevisionTable(
        request: "VNClassifyImageRequest", implemented: [1, 2], missing: [],
        newest: [.iOS12: 0, .iOS13: 1, .latest: 2])
    package static let detectFaceRectangles = RevisionTable(
        request: "VNDetectFaceRectanglesRequest", implemented: [1, 2, 3], missing: [],
        newest: [.iOS12: 2, .iOS13: 2, .latest: 3])

    package static let detectFaceLandmarks = RevisionTable(
        request: "VNDetectFaceLandmarksRequest", implemented: [1, 2, 3], missing: [],
        newest: [.iOS12: 2, .iOS13: 3, .latest: 3])

    package static let detectFaceCaptureQuality = RevisionTable(
        request: "VNDetectFaceCaptureQualityRequest", implemented: [1], missing: [2, 3],
        newest: [.iOS12: 0, .iOS13: 1, .latest: 3])

    package static let detectBarcodes = RevisionTable(
        request: "VNDetectBarcodesRequest", implemented: [1, 2, 3, 4], missing: [],
        newest: [.iOS12: 1, .iOS13: 1, .latest: 4])

    package static let detectHorizon = RevisionTable(
        request: "VNDetectHorizonRequest", implemented: [1], missing: [], newest: [.iOS12: 1, .iOS13: 1, .latest: 1])

    package static let detectTextRectangles = RevisionTable(
        request: "VNDetectTextRectanglesRequest", implemented: [1], missing: [],
        newest: [.iOS12: 1, .iOS13: 1, .latest: 1])

    package static let detectRectangles = RevisionTable(
        request: "VNDetectRectanglesRequest", implemented: [1], missing: [],
        newest: [.iOS12: 1, .iOS13: 1, .latest: 1])

    /// Of requests that cannot be performed themselves: the abstract classes.
    package static let none = RevisionTable(request: "", implemented: [], missing: [], newest: [:])

    /// All requests that can be made.
    package static let all: [RevisionTable] = [
        trackObject, trackRectangle, translationalRegistration, homographicRegistration, coreML, classifyImage,
        featurePrint, detectFaceRectangles, detectFaceLandmarks, detectFaceCaptureQuality, detectBarcodes,
        detectHorizon, detectTextRectangles, detectRectangles,
    ]

    package var supported: IndexSet { IndexSet(implemented) }

    /// The newest revision that runs, whatever the profile.
    package var current: Int { implemented.max() ?? VNRequestRevisionUnspecified }

    /// The newest revision of the profile's SDK that runs. A request that the profile does not have yet gets its oldest
    /// one: it is new to that program in any case.
    package func defaultRevision(for profile: Profile) -> Int {
        let limit = newest[profile] ?? 0
        return implemented.filter { $0 <= limit }.max() ?? implemented.min() ?? VNRequestRevisionUnspecified
    }

    /// The error of performing that revision, or nil when it runs.
    func error(forRevision revision: Int) -> NSError? {
        if implemented.contains(revision) { return nil }
        let works =
            implemented.isEmpty
            ? "No revision of it runs yet." : "Use revision \(implemented.map(String.init).joined(separator: " or "))."
        if missing.contains(revision) || implemented.isEmpty {
            return visionError(.notImplemented, "\(request) revision \(revision) is not implemented. \(works)")
        }
        return visionError(.unsupportedRevision, "\(request) has no revision \(revision). \(works)")
    }
}
