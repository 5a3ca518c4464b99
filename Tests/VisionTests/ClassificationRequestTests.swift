import VisionModels
import XCTest

@testable import Vision

/// What `VNClassifyImageRequest` and its observations say without an image: no network is needed.
final class ClassificationRequestTests: XCTestCase {
    // MARK: - The request

    func testRevisionOneIsTheDefaultUnlessTheLatestProfileIsChosen() {
        defer { Profile.current = .default }
        for (profile, revision) in [(Profile.iOS12, 1), (.iOS13, 1), (.latest, 2)] {
            Profile.current = profile
            XCTAssertEqual(VNClassifyImageRequest().revision, revision)
        }
        XCTAssertEqual(VNClassifyImageRequest.supportedRevisions, [1, 2])
        XCTAssertEqual(SceneNetwork.revisions, Array(VNClassifyImageRequest.supportedRevisions))
    }

    func testACopyHasTheParameters() throws {
        let request = VNClassifyImageRequest()
        request.revision = VNClassifyImageRequestRevision2
        request.regionOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 0.5)
        let copy = try XCTUnwrap(request.copy() as? VNClassifyImageRequest)
        XCTAssertEqual(copy.revision, 2)
        XCTAssertEqual(copy.regionOfInterest, request.regionOfInterest)
        XCTAssertNil(copy.results)
    }

    func testRegionsOutsideAndUnknownRevisionsAreErrors() {
        let frame = GreyFrame(width: 8, height: 8) { _, _ in 0 }
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        let request = VNClassifyImageRequest()
        request.regionOfInterest = CGRect(x: 0.5, y: 0, width: 0.6, height: 1)
        assertThrows(.outOfBoundsError) { try handler.perform([request]) }
        request.regionOfInterest = VNNormalizedIdentityRect
        request.revision = 9
        assertThrows(.unsupportedRevision) { try handler.perform([request]) }
        XCTAssertNil(request.results)
    }

    // MARK: - The taxonomy

    func testKnownClassificationsAreTheTaxonomyInAlphabeticalOrder() throws {
        for revision in [VNClassifyImageRequestRevision1, VNClassifyImageRequestRevision2] {
            let known = try VNClassifyImageRequest.knownClassifications(forRevision: revision)
            let identifiers = known.map(\.identifier)
            XCTAssertGreaterThanOrEqual(identifiers.count, 1300)
            XCTAssertEqual(identifiers, Set(identifiers).sorted())
            XCTAssertTrue(known.allSatisfy { $0.requestRevision == revision && $0.confidence == 0 })
            for name in ["golden_retriever", "dog", "motorcycle"] { XCTAssertTrue(identifiers.contains(name), name) }

            let request = VNClassifyImageRequest()
            request.revision = revision
            XCTAssertEqual(try request.supportedIdentifiers(), identifiers)
        }
    }

    func testClassesOfAnUnknownRevisionAreAnError() {
        for revision in [0, 3, -1] {
            assertThrows(.unsupportedRevision) {
                _ = try VNClassifyImageRequest.knownClassifications(forRevision: revision)
            }
            let request = VNClassifyImageRequest()
            request.revision = revision
            assertThrows(.unsupportedRevision) { _ = try request.supportedIdentifiers() }
        }
    }
}
