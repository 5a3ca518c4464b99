import CoreML
import ModelTestSupport
import Vision
import VisionImage
import XCTest

final class CoreMLRequestTests: XCTestCase {
    private func frame(_ width: Int, _ height: Int) -> GreyFrame {
        GreyFrame(width: width, height: height) { x, y in UInt8((x * 7 + y * 13) % 256) }
    }

    private func values(_ observation: VNCoreMLFeatureValueObservation?) throws -> [Float] {
        let array = try XCTUnwrap(observation?.featureValue.multiArrayValue)
        return (0..<array.count).map { array[$0].floatValue }
    }

    // MARK: - Classifiers

    func testAClassifierGivesEveryLabelHighestFirstAsTheModelScoresThem() throws {
        let model = try VNCoreMLModel(for: fixedClassifier(["a", "b", "c", "d"], [0.25, 7, -2, 0.25]))
        let request = VNCoreMLRequest(model: model)
        let results = try VNImageRequestHandler(cvPixelBuffer: frame(20, 10).pixelBuffer())
            .results(of: request, as: VNClassificationObservation.self)
        XCTAssertEqual(results.map(\.identifier), ["b", "a", "d", "c"])
        XCTAssertEqual(results.map(\.confidence), [7, 0.25, 0.25, -2])
        XCTAssertEqual(Set(results.map(\.uuid)).count, 4)
        XCTAssertTrue(results.allSatisfy { $0.requestRevision == VNCoreMLRequestRevision1 })
        XCTAssertFalse(results[0].hasPrecisionRecallCurve)
        XCTAssertFalse(results[0].hasMinimumPrecision(0.1, forRecall: 0.8))
        XCTAssertFalse(results[0].hasMinimumRecall(0.1, forPrecision: 0.9))
    }

    func testTheCompletionHandlerSeesTheResults() throws {
        let model = try VNCoreMLModel(for: fixedClassifier(["a", "b"], [0.1, 0.9]))
        var best: String?
        let request = VNCoreMLRequest(model: model) { request, error in
            XCTAssertNil(error)
            best = (request.results as? [VNClassificationObservation])?.first?.identifier
        }
        try VNImageRequestHandler(cvPixelBuffer: frame(20, 10).pixelBuffer()).perform([request])
        XCTAssertEqual(best, "b")
    }

    // MARK: - The image

    func testRequestsOfOneSizeShareTheConversion() throws {
        let first = try VNCoreMLRequest(model: VNCoreMLModel(for: imageEcho(width: 16, height: 16)))
        let second = try VNCoreMLRequest(model: VNCoreMLModel(for: imageEcho(width: 16, height: 16)))
        let handler = VNImageRequestHandler(cvPixelBuffer: frame(100, 60).pixelBuffer())
        try handler.perform([first])
        let misses = try XCTUnwrap(handler.core.derivativeStatistics).misses
        XCTAssertGreaterThan(misses, 0)
        try handler.perform([second])
        XCTAssertEqual(handler.core.derivativeStatistics?.misses, misses)
        second.imageCropAndScaleOption = .scaleFill
        try handler.perform([second])
        XCTAssertGreaterThan(try XCTUnwrap(handler.core.derivativeStatistics).misses, misses)
    }

    func testTheModelSeesTheImageUprightWhateverItsSourceAndOrientation() throws {
        let upright = frame(24, 16)
        let model = try VNCoreMLModel(for: imageEcho(width: 24, height: 16))
        let wanted = (0..<3).flatMap { _ in upright.pixels.map(Float.init) }
        for raw in UInt32(1)...8 {
            let orientation = try XCTUnwrap(CGImagePropertyOrientation(rawValue: raw))
            let stored = upright.stored(for: orientation)
            for handler in [
                VNImageRequestHandler(cvPixelBuffer: stored.pixelBuffer(), orientation: orientation),
                VNImageRequestHandler(cvPixelBuffer: stored.greyPixelBuffer(), orientation: orientation),
            ] {
                let results: [VNCoreMLFeatureValueObservation] = try handler.results(of: VNCoreMLRequest(model: model))
                XCTAssertEqual(try values(results.first), wanted, "\(orientation)")
            }
        }
    }

    func testTheCropAndScaleOptionsDecideWhatTheModelSees() throws {
        // Columns count: 0, 10, … 110.
        let image = GreyFrame(width: 12, height: 4) { x, _ in UInt8(x * 10) }
        let model = try VNCoreMLModel(for: imageEcho(width: 4, height: 4))
        func row(_ option: VNImageCropAndScaleOption?, _ row: Int) throws -> [Float] {
            let request = VNCoreMLRequest(model: model)
            XCTAssertEqual(request.imageCropAndScaleOption, .centerCrop)
            if let option { request.imageCropAndScaleOption = option }
            let results: [VNCoreMLFeatureValueObservation] =
                try VNImageRequestHandler(cvPixelBuffer: image.pixelBuffer()).results(of: request)
            return Array(try values(results.first)[(row * 4)..<(row * 4 + 4)])
        }
        XCTAssertEqual(try row(nil, 0), [40, 50, 60, 70])
        XCTAssertEqual(try row(.centerCrop, 3), [40, 50, 60, 70])
        // A strip of one row between black ones.
        XCTAssertEqual(try row(.scaleFit, 0), [0, 0, 0, 0])
        XCTAssertEqual(try row(.scaleFit, 3), [0, 0, 0, 0])
        XCTAssertGreaterThan(try row(.scaleFit, 1)[3], 80)
        let filled = try row(.scaleFill, 2)
        XCTAssertEqual(filled[0], 13, accuracy: 4)
        XCTAssertEqual(filled[3], 97, accuracy: 4)
    }

    func testTheModelSeesTheRegionOfInterestOnly() throws {
        let image = GreyFrame(width: 8, height: 8) { x, y in UInt8(x * 16 + y) }
        let request = try VNCoreMLRequest(model: VNCoreMLModel(for: imageEcho(width: 4, height: 4)))
        // The lower right quarter.
        request.regionOfInterest = CGRect(x: 0.5, y: 0, width: 0.5, height: 0.5)
        let results: [VNCoreMLFeatureValueObservation] =
            try VNImageRequestHandler(cvPixelBuffer: image.pixelBuffer()).results(of: request)
        XCTAssertEqual(Array(try values(results.first)[0..<4]), [68, 84, 100, 116])
    }

    // MARK: - Values and images out

    func testOtherModelsGiveEveryOutputWithItsName() throws {
        let session = try makeSession(
            inputs: [("image", .float32, [1, 1, 2, 2])], outputs: [("second", [2]), ("first", [1])],
            shapes: { _ in [[2], [1]] }, body: { _ in [[1, 2], [3]] })
        let request = try VNCoreMLRequest(model: VNCoreMLModel(for: makeModel(session)))
        let results: [VNCoreMLFeatureValueObservation] =
            try VNImageRequestHandler(cvPixelBuffer: frame(9, 9).pixelBuffer()).results(of: request)
        XCTAssertEqual(results.map(\.featureName), ["second", "first"])
        XCTAssertEqual(results.map { $0.featureValue.multiArrayValue?.count }, [2, 1])
        XCTAssertEqual(results.map(\.confidence), [1, 1])
    }

    func testImageOutputsComeBackAsPixelBuffersWithTheirNames() throws {
        let model = try imageEcho(
            width: 6, height: 4, #"{"outputs": {"echo": {"type": "image"}}}"#)
        let upright = frame(6, 4)
        let results: [VNPixelBufferObservation] =
            try VNImageRequestHandler(cvPixelBuffer: upright.pixelBuffer())
            .results(of: VNCoreMLRequest(model: VNCoreMLModel(for: model)))
        XCTAssertEqual(results.map(\.featureName), ["echo"])
        let buffer = try XCTUnwrap(results.first?.pixelBuffer)
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        for y in 0..<4 {
            for x in 0..<6 {
                let byte = base.load(fromByteOffset: y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x, as: UInt8.self)
                XCTAssertEqual(byte, upright[x, y])
            }
        }
    }

    // MARK: - Errors

    func testAModelWithoutAnImageInputIsNoModelForVision() throws {
        let model = try makeModel(echo("x", .float32, [4]))
        assertThrows(.invalidModel) { _ = try VNCoreMLModel(for: model) }
        do {
            _ = try VNCoreMLModel(for: model)
        } catch {
            XCTAssertTrue(
                error.localizedDescription.hasPrefix("The model does not have a valid input feature of type image"))
        }
    }

    func testUnusableModelsMakeThePerformFail() throws {
        let handler = VNImageRequestHandler(cvPixelBuffer: frame(8, 8).pixelBuffer())
        let model = try VNCoreMLModel(for: imageEcho(width: 4, height: 4))
        let request = VNCoreMLRequest(model: model)
        request.imageCropAndScaleOption = .scaleFitRotate90CCW
        assertThrows(.notImplemented) { try handler.perform([request]) }
        request.imageCropAndScaleOption = .scaleFit
        request.revision = 2
        assertThrows(.unsupportedRevision) { try handler.perform([request]) }
        request.revision = 1
        request.regionOfInterest = CGRect(x: 0.5, y: 0.5, width: 1, height: 1)
        assertThrows(.outOfBoundsError) { try handler.perform([request]) }
        request.regionOfInterest = VNNormalizedIdentityRect
        model.inputImageFeatureName = "photo"
        assertThrows(.invalidArgument) { try handler.perform([request]) }
        XCTAssertNil(request.results)
        model.inputImageFeatureName = "image"
        try handler.perform([request])
        XCTAssertEqual(request.results?.count, 1)
        let missing = VNImageRequestHandler(url: URL(fileURLWithPath: "/nowhere.png"))
        assertThrows(.ioError) { try missing.perform([request]) }
    }

    func testAMissingInputIsNamed() throws {
        let session = try makeSession(
            inputs: [("image", .float32, [1, 3, 2, 2]), ("strength", .float32, [])], outputs: [("out", [1])],
            shapes: { _ in [[1]] }, body: { [[$0[1][0]]] })
        let model = try VNCoreMLModel(for: makeModel(session))
        let request = VNCoreMLRequest(model: model)
        let handler = VNImageRequestHandler(cvPixelBuffer: frame(8, 8).pixelBuffer())
        XCTAssertThrowsError(try handler.perform([request])) { error in
            assert(error, is: .invalidArgument)
            XCTAssertTrue(error.localizedDescription.contains("strength"), error.localizedDescription)
        }
        model.featureProvider = try MLDictionaryFeatureProvider(dictionary: ["strength": 0.75])
        let results: [VNCoreMLFeatureValueObservation] = try handler.results(of: request)
        XCTAssertEqual(try values(results.first), [0.75])
    }

    func testDetectorsWhoseOutputsDoNotFitTheirMetadataAreInvalidModels() throws {
        let model = try makeModel(
            echo("image", .float32, [1, 3, 8, 8]), #"{"detector": {"kind": "ssd"}}"#)
        let request = try VNCoreMLRequest(model: VNCoreMLModel(for: model))
        assertThrows(.invalidModel) {
            try VNImageRequestHandler(cvPixelBuffer: frame(8, 8).pixelBuffer()).perform([request])
        }
    }

    // MARK: - Copies

    func testACopyHasTheSameParameters() throws {
        let request = try VNCoreMLRequest(model: VNCoreMLModel(for: imageEcho(width: 4, height: 4)))
        request.imageCropAndScaleOption = .scaleFill
        request.regionOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 0.5)
        let copy = try XCTUnwrap(request.copy() as? VNCoreMLRequest)
        XCTAssertTrue(copy.model === request.model)
        XCTAssertEqual(copy.imageCropAndScaleOption, .scaleFill)
        XCTAssertEqual(copy.regionOfInterest, request.regionOfInterest)
    }
}
