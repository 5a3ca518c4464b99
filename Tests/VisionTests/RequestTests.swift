import Vision
import XCTest

final class RequestTests: XCTestCase {
    private let frame = Scene(seed: 3).frame(width: 64, height: 48)

    private func registration() -> VNTranslationalImageRegistrationRequest {
        VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: frame.pixelBuffer())
    }

    func testDefaults() {
        let registration = registration()
        XCTAssertFalse(registration.preferBackgroundProcessing)
        XCTAssertFalse(registration.usesCPUOnly)
        XCTAssertEqual(registration.regionOfInterest, VNNormalizedIdentityRect)
        XCTAssertNil(registration.results)
        XCTAssertNil(registration.completionHandler)
        XCTAssertEqual(registration.revision, 1)

        let input = VNDetectedObjectObservation(boundingBox: CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5))
        let tracking = VNTrackObjectRequest(detectedObjectObservation: input)
        XCTAssertEqual(tracking.trackingLevel, .fast)
        XCTAssertFalse(tracking.isLastFrame)
        XCTAssertTrue(tracking.inputObservation === input)
        XCTAssertEqual(tracking.revision, VNTrackObjectRequest.defaultRevision)
    }

    func testRevisionsOfTheClasses() {
        XCTAssertEqual(VNTrackObjectRequest.supportedRevisions, IndexSet(1...2))
        XCTAssertEqual(VNTrackObjectRequest.currentRevision, VNTrackObjectRequestRevision2)
        XCTAssertEqual(
            VNTranslationalImageRegistrationRequest.supportedRevisions,
            IndexSet(integer: VNTranslationalImageRegistrationRequestRevision1))
        XCTAssertTrue(VNRequest.supportedRevisions.isEmpty)
    }

    func testACopyHasTheParametersAndNoResults() throws {
        let input = VNDetectedObjectObservation(boundingBox: CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5))
        let original = VNTrackObjectRequest(detectedObjectObservation: input) { _, _ in }
        original.trackingLevel = .accurate
        original.isLastFrame = true
        original.revision = 5
        original.usesCPUOnly = true
        original.preferBackgroundProcessing = true
        original.regionOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 0.5)
        let copy = try XCTUnwrap(original.copy() as? VNTrackObjectRequest)
        XCTAssertFalse(copy === original)
        XCTAssertTrue(copy.inputObservation === input)
        XCTAssertEqual(copy.trackingLevel, .accurate)
        XCTAssertTrue(copy.isLastFrame)
        XCTAssertEqual(copy.revision, 5)
        XCTAssertTrue(copy.usesCPUOnly)
        XCTAssertTrue(copy.preferBackgroundProcessing)
        XCTAssertEqual(copy.regionOfInterest, original.regionOfInterest)
        XCTAssertNotNil(copy.completionHandler)

        let registration = registration()
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()).perform([registration])
        XCTAssertNotNil(registration.results)
        let second = try XCTUnwrap(registration.copy() as? VNTranslationalImageRegistrationRequest)
        XCTAssertNil(second.results)
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()).perform([second])
        XCTAssertEqual(second.results?.count, 1)
    }

    func testAbstractRequestsCannotBePerformed() {
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        assertThrows(.invalidOperation) { try handler.perform([VNRequest()]) }
        assertThrows(.invalidOperation) { try handler.perform([VNImageBasedRequest()]) }
        XCTAssertEqual("\(type(of: VNImageBasedRequest().copy()))", "VNImageBasedRequest")
    }

    func testARevisionThatDoesNotExistIsRefusedByThePerform() {
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        for revision in [0, 2, -1, 99] {
            let request = registration()
            request.revision = revision
            assertThrows(.unsupportedRevision) { try handler.perform([request]) }
            XCTAssertNil(request.results)
        }
    }

    func testRegionsOutsideTheImageAreRefusedByThePerform() {
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        let cases: [(CGRect, VNErrorCode)] = [
            (CGRect(x: 0.5, y: 0, width: 0.6, height: 1), .outOfBoundsError),
            (CGRect(x: -0.1, y: 0, width: 0.5, height: 1), .outOfBoundsError),
            (CGRect(x: 0, y: 0, width: 1, height: 2), .outOfBoundsError),
            (CGRect(x: 2, y: 2, width: 1, height: 1), .outOfBoundsError),
            (CGRect(x: 0.5, y: 0.5, width: -0.2, height: 0.2), .invalidArgument),
            (CGRect(x: 0.5, y: 0.5, width: 0, height: 0.2), .invalidArgument),
            (CGRect(x: 0.5, y: 0.5, width: 0.2, height: .leastNonzeroMagnitude), .invalidArgument),
            (CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1), .invalidArgument),
            (CGRect(x: 0, y: 0, width: CGFloat.infinity, height: 1), .invalidArgument),
        ]
        for (region, code) in cases {
            let request = registration()
            request.regionOfInterest = region
            assertThrows(code) { try handler.perform([request]) }
            XCTAssertNil(request.results)
        }
    }

    func testARegionWhoseEdgesSumToOneUpToRoundingIsAccepted() throws {
        let request = registration()
        request.regionOfInterest = CGRect(x: 0.1 + 0.2, y: 0.7, width: 0.7, height: 0.1 + 0.2)
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()).perform([request])
        XCTAssertEqual(request.results?.count, 1)
    }

    func testResultsHaveTheClassOfTheRequestAndOfTheBase() throws {
        let request = registration()
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()).perform([request])
        // The property of the concrete class knows what is in it; that of the base holds the same objects.
        let typed: [VNImageTranslationAlignmentObservation]? = request.results
        let base: [VNObservation]? = (request as VNRequest).results
        XCTAssertEqual(typed?.count, 1)
        XCTAssertTrue(typed?.first === base?.first)
    }
}
