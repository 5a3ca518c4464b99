import Vision
import XCTest

final class RevisionTableTests: XCTestCase {
    /// The table as it is shipped. A new revision changes it on purpose, here too.
    func testTheTableIsPinned() {
        let lines = RevisionTable.all.map { entry in
            let defaults = Profile.allCases.map { "\($0) \(entry.defaultRevision(for: $0))" }
            return "\(entry.request): runs \(entry.implemented), missing \(entry.missing), default "
                + defaults.joined(separator: ", ")
        }
        XCTAssertEqual(
            lines,
            [
                "VNTrackObjectRequest: runs [1, 2], missing [], default iOS12 1, iOS13 2, latest 2",
                "VNTrackRectangleRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNTranslationalImageRegistrationRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNHomographicImageRegistrationRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNCoreMLRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNClassifyImageRequest: runs [1, 2, 3, 4], missing [], default iOS12 1, iOS13 1, latest 2",
                "VNGenerateImageFeaturePrintRequest: runs [1, 2, 3], missing [], default iOS12 1, iOS13 1, latest 2",
                "VNDetectFaceRectanglesRequest: runs [1, 2, 3], missing [], default iOS12 2, iOS13 2, latest 3",
                "VNDetectFaceLandmarksRequest: runs [1, 2, 3], missing [], default iOS12 2, iOS13 3, latest 3",
                "VNDetectFaceCaptureQualityRequest: runs [1, 2, 3], missing [], default iOS12 1, iOS13 1, latest 3",
                "VNDetectBarcodesRequest: runs [1, 2, 3, 4], missing [], default iOS12 1, iOS13 1, latest 4",
                "VNDetectHorizonRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNDetectTextRectanglesRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNDetectRectanglesRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNDetectHumanRectanglesRequest: runs [1, 2], missing [], default iOS12 1, iOS13 1, latest 2",
                "VNRecognizeAnimalsRequest: runs [1, 2], missing [], default iOS12 1, iOS13 1, latest 2",
                "VNRecognizeTextRequest: runs [1, 2, 3], missing [], default iOS12 1, iOS13 1, latest 3",
                "VNGenerateAttentionBasedSaliencyImageRequest: runs [1, 2], missing [], default iOS12 1, iOS13 1, "
                    + "latest 2",
                "VNGenerateObjectnessBasedSaliencyImageRequest: runs [1, 2], missing [], default iOS12 1, iOS13 1, "
                    + "latest 2",
                "VNDetectHumanBodyPoseRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNDetectHumanBodyPose3DRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNDetectHumanHandPoseRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNDetectContoursRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNDetectTrajectoriesRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNGenerateOpticalFlowRequest: runs [1, 2], missing [], default iOS12 1, iOS13 1, latest 2",
                "VNTrackOpticalFlowRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNTrackTranslationalImageRegistrationRequest: runs [1], missing [], default iOS12 1, iOS13 1, "
                    + "latest 1",
                "VNTrackHomographicImageRegistrationRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNGeneratePersonSegmentationRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNGeneratePersonInstanceMaskRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNGenerateForegroundInstanceMaskRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
                "VNDetectDocumentSegmentationRequest: runs [1], missing [], default iOS12 1, iOS13 1, latest 1",
            ])
    }

    func testTheDocumentHasTheTable() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Documentation/Revisions.md"), encoding: .utf8)
        for entry in RevisionTable.all {
            let revisions = entry.implemented.map(String.init).joined(separator: ", ")
            let defaults = Profile.allCases.map { "\(entry.defaultRevision(for: $0))" }.joined(separator: " | ")
            XCTAssertTrue(text.contains("\n| `\(entry.request)` | \(revisions) | \(defaults) |"), entry.request)
        }
    }

    func testANewRequestHasTheNewestRevision() throws {
        XCTAssertEqual(Profile.default, .latest)
        XCTAssertEqual(VNDetectFaceRectanglesRequest().revision, VNDetectFaceRectanglesRequestRevision3)
        let codes = VNDetectBarcodesRequest()
        codes.symbologies = [.qr, .codabar]
        let page = GreyFrame(width: 64, height: 48) { _, _ in 255 }.pixelBuffer()
        XCTAssertNoThrow(try VNImageRequestHandler(cvPixelBuffer: page).perform([codes]))
    }

    func testEachEntryNamesItsClass() {
        XCTAssertEqual(
            RevisionTable.all.map(\.request),
            [
                "\(VNTrackObjectRequest.self)", "\(VNTrackRectangleRequest.self)",
                "\(VNTranslationalImageRegistrationRequest.self)", "\(VNHomographicImageRegistrationRequest.self)",
                "\(VNCoreMLRequest.self)", "\(VNClassifyImageRequest.self)",
                "\(VNGenerateImageFeaturePrintRequest.self)", "\(VNDetectFaceRectanglesRequest.self)",
                "\(VNDetectFaceLandmarksRequest.self)", "\(VNDetectFaceCaptureQualityRequest.self)",
                "\(VNDetectBarcodesRequest.self)", "\(VNDetectHorizonRequest.self)",
                "\(VNDetectTextRectanglesRequest.self)", "\(VNDetectRectanglesRequest.self)",
                "\(VNDetectHumanRectanglesRequest.self)", "\(VNRecognizeAnimalsRequest.self)",
                "\(VNRecognizeTextRequest.self)", "\(VNGenerateAttentionBasedSaliencyImageRequest.self)",
                "\(VNGenerateObjectnessBasedSaliencyImageRequest.self)", "\(VNDetectHumanBodyPoseRequest.self)",
                "\(VNDetectHumanBodyPose3DRequest.self)", "\(VNDetectHumanHandPoseRequest.self)",
                "\(VNDetectContoursRequest.self)", "\(VNDetectTrajectoriesRequest.self)",
                "\(VNGenerateOpticalFlowRequest.self)", "\(VNTrackOpticalFlowRequest.self)",
                "\(VNTrackTranslationalImageRegistrationRequest.self)",
                "\(VNTrackHomographicImageRegistrationRequest.self)", "\(VNGeneratePersonSegmentationRequest.self)",
                "\(VNGeneratePersonInstanceMaskRequest.self)", "\(VNGenerateForegroundInstanceMaskRequest.self)",
                "\(VNDetectDocumentSegmentationRequest.self)",
            ])
    }

    func testTheDefaultIsTheNewestOfTheProfileThatRuns() {
        let table = RevisionTable(
            request: "VNExample", implemented: [1, 2, 4], missing: [3], newest: [.iOS12: 1, .iOS13: 3, .latest: 4])
        XCTAssertEqual(table.defaultRevision(for: .iOS12), 1)
        XCTAssertEqual(table.defaultRevision(for: .iOS13), 2)
        XCTAssertEqual(table.defaultRevision(for: .latest), 4)
        XCTAssertEqual(table.current, 4)
        XCTAssertEqual(table.supported, IndexSet([1, 2, 4]))
    }

    func testARequestThatTheProfileDoesNotHaveGetsItsOldestRevision() {
        let table = RevisionTable(
            request: "VNExample", implemented: [1, 2], missing: [], newest: [.iOS12: 0, .iOS13: 1, .latest: 2])
        XCTAssertEqual(table.defaultRevision(for: .iOS12), 1)
    }
}
