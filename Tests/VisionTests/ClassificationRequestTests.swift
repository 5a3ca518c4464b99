import VisionModels
import XCTest

@testable import Vision

/// `VNClassifyImageRequest` and its observations without an image: no network is needed.
final class ClassificationRequestTests: XCTestCase {
    // MARK: - The request

    func testRevisionOneIsTheDefaultUnlessTheLatestProfileIsChosen() {
        defer { Profile.current = .default }
        for (profile, revision) in [(Profile.iOS12, 1), (.iOS13, 1), (.latest, 2)] {
            Profile.current = profile
            XCTAssertEqual(VNClassifyImageRequest().revision, revision)
        }
        XCTAssertEqual(VNClassifyImageRequest.supportedRevisions, [1, 2, 3, 4])
        XCTAssertEqual(VNClassifyImageRequest.currentRevision, 3, "8 bits have to be asked for")
        XCTAssertEqual(SceneScoring.backbones.keys.sorted(), Array(VNClassifyImageRequest.supportedRevisions))
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
        for revision in VNClassifyImageRequest.supportedRevisions {
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
        for revision in [0, 5, -1] {
            assertThrows(.unsupportedRevision) {
                _ = try VNClassifyImageRequest.knownClassifications(forRevision: revision)
            }
            let request = VNClassifyImageRequest()
            request.revision = revision
            assertThrows(.unsupportedRevision) { _ = try request.supportedIdentifiers() }
        }
    }

    // MARK: - Precision and recall

    private func observation(
        _ identifier: String, _ confidence: Float, revision: Int = 1, isOfSceneTaxonomy: Bool = true
    ) -> VNClassificationObservation {
        VNClassificationObservation(
            identifier: identifier, confidence: confidence, requestRevision: revision,
            isOfSceneTaxonomy: isOfSceneTaxonomy)
    }

    /// Every class with a curve, and the curve.
    private func curves(_ revision: Int) -> [(identifier: String, curve: PrecisionRecallCurve)] {
        SceneTaxonomy.shared.classes.enumerated().compactMap { index, one in
            SceneCurves.curve(ofClass: index, revision: revision).map { (one.identifier, $0) }
        }
    }

    func testTheFiltersFollowTheCurveOfTheClass() {
        for revision in [1, 2, 3, 4] {
            let curves = curves(revision)
            XCTAssertGreaterThan(curves.count, 100)
            for (identifier, curve) in curves {
                for share in [Float(0), 0.01, 0.5, 0.8, 0.99] {
                    if let point = curve.operatingPoint(forRecall: share) {
                        let reached = observation(identifier, point.threshold, revision: revision)
                        let missed = observation(identifier, point.threshold.nextDown, revision: revision)
                        XCTAssertTrue(reached.hasPrecisionRecallCurve)
                        XCTAssertTrue(reached.hasMinimumPrecision(point.precision, forRecall: share))
                        XCTAssertTrue(reached.hasMinimumPrecision(0, forRecall: share))
                        XCTAssertFalse(missed.hasMinimumPrecision(0, forRecall: share))
                        // Outside the area the class is filtered out, whatever the confidence of the observation.
                        let certain = observation(identifier, 1, revision: revision)
                        XCTAssertFalse(certain.hasMinimumPrecision(point.precision.nextUp, forRecall: share))
                    } else {
                        XCTAssertFalse(
                            observation(identifier, 1, revision: revision).hasMinimumPrecision(0, forRecall: share))
                    }
                    if let point = curve.operatingPoint(forPrecision: share) {
                        let reached = observation(identifier, point.threshold, revision: revision)
                        let missed = observation(identifier, point.threshold.nextDown, revision: revision)
                        XCTAssertTrue(reached.hasMinimumRecall(point.recall, forPrecision: share))
                        XCTAssertFalse(missed.hasMinimumRecall(0, forPrecision: share))
                        let certain = observation(identifier, 1, revision: revision)
                        XCTAssertFalse(certain.hasMinimumRecall(point.recall.nextUp, forPrecision: share))
                    } else {
                        XCTAssertFalse(
                            observation(identifier, 1, revision: revision).hasMinimumRecall(0, forPrecision: share))
                    }
                }
            }
        }
    }

    func testAHigherConfidenceNeverFailsWhereALowerOnePasses() {
        for (identifier, _) in curves(1).prefix(50) {
            let scale = stride(from: Float(0), through: 1, by: 0.05).map { observation(identifier, $0) }
            for filter in [
                { (one: VNClassificationObservation) in one.hasMinimumPrecision(0.1, forRecall: 0.8) },
                { $0.hasMinimumPrecision(0.01, forRecall: 0.7) }, { $0.hasMinimumRecall(0.01, forPrecision: 0.9) },
            ] {
                let passes = scale.map(filter)
                XCTAssertEqual(passes, passes.sorted { !$0 && $1 }, identifier)
            }
        }
    }

    func testWithoutACurveBothFiltersAnswerFalse() {
        let strangers = [
            observation("no such class", 1), observation("dog", 1, isOfSceneTaxonomy: false),
            observation("dog", 1, revision: 7),
        ]
        for stranger in strangers {
            XCTAssertFalse(stranger.hasPrecisionRecallCurve)
            XCTAssertFalse(stranger.hasMinimumPrecision(0, forRecall: 0))
            XCTAssertFalse(stranger.hasMinimumRecall(0, forPrecision: 0))
        }
    }

    func testNumbersOutsideZeroToOneAreHarmless() {
        for (identifier, _) in curves(1).prefix(20) {
            let certain = observation(identifier, 1)
            for odd in [Float.nan, 2, .infinity] {
                XCTAssertFalse(certain.hasMinimumPrecision(0, forRecall: odd))
                XCTAssertFalse(certain.hasMinimumPrecision(odd, forRecall: 0.5))
                XCTAssertFalse(certain.hasMinimumRecall(0, forPrecision: odd))
                XCTAssertFalse(certain.hasMinimumRecall(odd, forPrecision: 0.5))
            }
            _ = certain.hasMinimumPrecision(-1, forRecall: -1)
            _ = certain.hasMinimumRecall(-.infinity, forPrecision: -.infinity)
        }
    }

    func testAnArchivedObservationKeepsItsCurve() throws {
        let (identifier, curve) = try XCTUnwrap(curves(1).first { $0.curve.points.count > 1 })
        let point = try XCTUnwrap(curve.operatingPoint(forRecall: 0.5))
        for isOfSceneTaxonomy in [true, false] {
            let original = observation(identifier, point.threshold, isOfSceneTaxonomy: isOfSceneTaxonomy)
            let data = try NSKeyedArchiver.archivedData(withRootObject: original, requiringSecureCoding: true)
            let back = try XCTUnwrap(
                NSKeyedUnarchiver.unarchivedObject(ofClass: VNClassificationObservation.self, from: data))
            XCTAssertEqual(back, original)
            XCTAssertEqual(back.hasPrecisionRecallCurve, isOfSceneTaxonomy)
            XCTAssertEqual(back.hasMinimumPrecision(0, forRecall: 0.5), isOfSceneTaxonomy)
        }
    }
}
