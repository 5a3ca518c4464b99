import BarcodeTestSupport
import ModelTestSupport
import VisionModels
import XCTest

@testable import Vision

/// The Swift API: every request gives what the classic request of the same name gives.
final class SwiftRequestTests: XCTestCase {
    /// Performs both, and compares all values; returns those of the Swift API.
    private func compare<Request: ImageProcessingRequest>(
        _ request: Request, with classic: VNRequest, on buffer: CVPixelBuffer,
        orientation: CGImagePropertyOrientation = .up,
        observations: (Request.Result) -> [VNObservation], file: StaticString = #filePath, line: UInt = #line
    ) async throws -> Request.Result {
        try VNImageRequestHandler(cvPixelBuffer: buffer, orientation: orientation).perform([classic])
        let result = try await request.perform(on: buffer, orientation: orientation)
        let expected = try XCTUnwrap(classic.results, file: file, line: line)
        XCTAssertFalse(expected.isEmpty, file: file, line: line)
        XCTAssertEqual(values(observations(result)), values(expected), file: file, line: line)
        return result
    }

    private func revision<Request: VNRequest>(_ revision: Int, _ request: Request) -> Request {
        request.revision = revision
        return request
    }

    // MARK: - Requests without networks

    func testBarcodesAreThoseOfTheClassicRequest() async throws {
        let scene = BarcodeScene(try DrawnCode(.qr, "OpenVision")).frame().pixelBuffer()
        let found = try await compare(
            DetectBarcodesRequest(), with: revision(4, VNDetectBarcodesRequest()), on: scene
        ) { $0.map(\.classic) }
        XCTAssertEqual(found.first?.payloadString, "OpenVision")
        XCTAssertEqual(found.first?.symbology, .qr)
        XCTAssertEqual(found.first?.originatingRequestDescriptor, .detectBarcodesRequest(.revision4))
        var request = DetectBarcodesRequest()
        request.symbologies = [.ean13]
        let none = try await request.perform(on: scene)
        XCTAssertEqual(none, [])
    }

    func testRectanglesHaveParametersRegionAndOrientation() async throws {
        let frame = GreyFrame(width: 320, height: 240) { x, y in
            (60..<220).contains(x) && (50..<170).contains(y) ? 230 : 40
        }
        var request = DetectRectanglesRequest()
        request.maximumObservations = 3
        request.regionOfInterest = NormalizedRect(x: 0.05, y: 0.1, width: 0.9, height: 0.85)
        let classic = VNDetectRectanglesRequest()
        classic.maximumObservations = 3
        classic.regionOfInterest = CGRect(x: 0.05, y: 0.1, width: 0.9, height: 0.85)
        for orientation in CGImagePropertyOrientation.allCases {
            let found = try await compare(
                request, with: classic, on: frame.stored(for: orientation).pixelBuffer(), orientation: orientation
            ) { $0.map(\.classic) }
            let box = try XCTUnwrap(found.first).boundingBox.toImageCoordinates(
                from: request.regionOfInterest, imageSize: CGSize(width: 320, height: 240), origin: .upperLeft)
            XCTAssertEqual(box.minX, 60, accuracy: 2)
            XCTAssertEqual(box.minY, 50, accuracy: 2)
            XCTAssertEqual(box.width, 160, accuracy: 3)
            XCTAssertEqual(box.height, 120, accuracy: 3)
        }
    }

    func testAnImageWithoutAHorizonHasNone() async throws {
        let plain = GreyFrame(width: 200, height: 150) { _, _ in 90 }
        let horizon = try await DetectHorizonRequest().perform(on: plain.pixelBuffer())
        XCTAssertNil(horizon)
    }

    // MARK: - Requests with networks

    func testFacesAndTheirLandmarksAndQuality() async throws {
        _ = try requireModel { try FaceDetector(.upright) }
        let buffer = DrawnFace.buffer([DrawnFace(x: 300, y: 200, size: 110)], width: 640, height: 420)
        let faces = try await compare(
            DetectFaceRectanglesRequest(), with: revision(3, VNDetectFaceRectanglesRequest()), on: buffer
        ) { $0.map(\.classic) }
        XCTAssertEqual(try XCTUnwrap(faces.first).roll.converted(to: .degrees).value, 0, accuracy: 4)
        let marked = try await compare(
            DetectFaceLandmarksRequest(), with: revision(3, VNDetectFaceLandmarksRequest()), on: buffer
        ) { $0.map(\.classic) }
        let landmarks = try XCTUnwrap(marked.first?.landmarks)
        XCTAssertEqual(landmarks.allPoints.points.count, 76)
        XCTAssertEqual(landmarks.leftEye.pointsClassification, .closedPath)
        let size = CGSize(width: 640, height: 420)
        let (up, down) = (
            landmarks.nose.pointsInImageCoordinates(size),
            landmarks.nose.pointsInImageCoordinates(size, origin: .upperLeft)
        )
        XCTAssertEqual(up.map { 420 - $0.y }, down.map(\.y))
        // Faces of one request are the input of another.
        var quality = DetectFaceCaptureQualityRequest()
        quality.inputFaceObservations = faces
        let classic = revision(3, VNDetectFaceCaptureQualityRequest())
        classic.inputFaceObservations = faces.map(\.classic)
        let rated = try await compare(quality, with: classic, on: buffer) { $0.map(\.classic) }
        XCTAssertEqual(rated.first?.uuid, faces.first?.uuid)
        XCTAssertNotNil(rated.first?.captureQuality)
    }

    func testClassesPrintsAndSaliencies() async throws {
        try requireSceneNetwork(revision: 2)
        let buffer = GreyFrame(width: 480, height: 360) { x, y in
            (x - 140) * (x - 140) + (y - 120) * (y - 120) < 3600 ? UInt8(150 + (x * 7 + y * 5) % 100) : 60
        }.pixelBuffer()
        let classes = try await compare(
            ClassifyImageRequest(), with: revision(2, VNClassifyImageRequest()), on: buffer
        ) { $0.map(\.classic) }
        XCTAssertEqual(classes.map(\.identifier).sorted(), ClassifyImageRequest().supportedIdentifiers)
        let print = try await compare(
            GenerateImageFeaturePrintRequest(), with: revision(2, VNGenerateImageFeaturePrintRequest()), on: buffer
        ) { [$0.classic] }
        XCTAssertEqual(try print.distance(to: print), 0)
        let saliency = try await compare(
            GenerateObjectnessBasedSaliencyImageRequest(),
            with: revision(2, VNGenerateObjectnessBasedSaliencyImageRequest()), on: buffer
        ) { [$0.classic] }
        XCTAssertEqual(saliency.salientObjects.count, 1)
        let inside = saliency.heatMap.pixel(at: NormalizedPoint(x: 140 / 480, y: 1 - 120 / 360))
        XCTAssertGreaterThan(inside, 10 * saliency.heatMap.pixel(at: NormalizedPoint(x: 0.9, y: 0.1)))
        XCTAssertEqual(try saliency.heatMap.cgImage.width, Int(saliency.heatMap.size.width))
        _ = try await compare(
            GenerateAttentionBasedSaliencyImageRequest(),
            with: revision(2, VNGenerateAttentionBasedSaliencyImageRequest()), on: buffer
        ) { [$0.classic] }
        // Another fit is another result.
        var cropped = ClassifyImageRequest()
        cropped.cropAndScaleAction = .centerCrop
        let croppedClasses = try await cropped.perform(on: buffer)
        XCTAssertNotEqual(croppedClasses.map(\.confidence), classes.map(\.confidence))
    }

    func testTextIsReadInTheLanguagesOfTheRequest() async throws {
        _ = try requireModel {
            _ = try TextNetwork.shared()
            for size in TextNetworkSize.allCases { _ = try TextRecognitionNetwork.shared(size) }
        }
        let frame = DrawnText.frame(
            [DrawnText(text: "NORTH LANE", x: 300, y: 90, height: 34)], width: 640, height: 240)
        var request = RecognizeTextRequest()
        request.recognitionLanguages = [Locale.Language(identifier: "en"), Locale.Language(identifier: "zh-TW")]
        let classic = VNRecognizeTextRequest()
        classic.recognitionLanguages = ["en-US", "zh-Hant"]
        let lines = try await compare(
            request, with: revision(3, classic), on: frame.pixelBuffer()
        ) { $0.map(\.classic) }
        let best = try XCTUnwrap(lines.first?.topCandidates(1).first)
        XCTAssertEqual(best.string, "NORTH LANE")
        let word = try XCTUnwrap(
            best.boundingBox(
                for: best.string
                    .startIndex..<best.string.index(
                        best.string.startIndex, offsetBy: 5)))
        XCTAssertLessThan(word.boundingBox.width, try XCTUnwrap(lines.first).boundingBox.width * 0.7)
        request.recognitionLanguages = [Locale.Language(identifier: "tlh")]
        await assertFails(try await request.perform(on: frame.pixelBuffer()), with: "invalidArgument")
        XCTAssertTrue(request.supportedRecognitionLanguages.contains(Locale.Language(identifier: "ja-JP")))
    }

    private func assertFails<Value>(
        _ value: @autoclosure () async throws -> Value, with name: String, file: StaticString = #filePath,
        line: UInt = #line
    ) async {
        do {
            _ = try await value()
            XCTFail("no error", file: file, line: line)
        } catch let error as VisionError {
            XCTAssertTrue(
                "\(Mirror(reflecting: error).children.first?.label ?? "")" == name, "\(error)", file: file, line: line)
            XCTAssertFalse(error.localizedDescription.contains("error 1"), file: file, line: line)
        } catch {
            XCTFail("\(error) is not a VisionError", file: file, line: line)
        }
    }
}
