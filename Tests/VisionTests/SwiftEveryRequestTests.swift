import ModelTestSupport
import VisionModels
import XCTest

@testable import Vision

/// The requests of the Swift API that the other tests do not compare with the classic ones.
final class SwiftEveryRequestTests: XCTestCase {
    /// Performs both on an image; empty results count as equal.
    private func compare<Request: ImageProcessingRequest>(
        _ request: Request, with classic: VNRequest, revision: Int = 1, on image: CVPixelBuffer,
        observations: (Request.Result) -> [VNObservation], file: StaticString = #filePath, line: UInt = #line
    ) async throws {
        classic.revision = revision
        try VNImageRequestHandler(cvPixelBuffer: image).perform([classic])
        let result = try await request.perform(on: image)
        XCTAssertEqual(values(observations(result)), values(classic.results ?? []), file: file, line: line)
    }

    /// A body on a floor, with a line of text.
    private let body = DrawnBody.buffer([DrawnBody.person(x: 160, top: 20, height: 200)], width: 320, height: 240)
    private let text = DrawnText.frame(
        [DrawnText(text: "NORTH LANE", x: 300, y: 90, height: 34)], width: 640, height: 240
    ).pixelBuffer()

    func testPeopleAnimalsAndObjects() async throws {
        try requireSceneNetwork(revision: 2)
        for upperBody in [true, false] {
            var request = DetectHumanRectanglesRequest()
            request.upperBodyOnly = upperBody
            let classic = VNDetectHumanRectanglesRequest()
            classic.upperBodyOnly = upperBody
            try await compare(request, with: classic, revision: 2, on: body) { $0.map(\.classic) }
        }
        try await compare(
            RecognizeAnimalsRequest(), with: VNRecognizeAnimalsRequest(), revision: 2, on: body
        ) { $0.map(\.classic) }
        try await compare(
            GenerateForegroundInstanceMaskRequest(), with: VNGenerateForegroundInstanceMaskRequest(), on: body
        ) { $0.map { [$0.classic] } ?? [] }
        XCTAssertEqual(RecognizeAnimalsRequest().supportedAnimals, [.cat, .dog])
    }

    func testHandsAndPages() async throws {
        _ = try requireModel { try HandFinder() }
        try await compare(DetectHumanHandPoseRequest(), with: VNDetectHumanHandPoseRequest(), on: body) {
            $0.map(\.classic)
        }
        let page = GreyFrame(width: 400, height: 300) { x, y in
            (90..<310).contains(x) && (40..<260).contains(y) ? 235 : UInt8(50 + (x * 7 ^ y * 3) % 12)
        }
        try await compare(
            DetectDocumentSegmentationRequest(), with: VNDetectDocumentSegmentationRequest(), on: page.pixelBuffer()
        ) { $0.map { [$0.classic] } ?? [] }
    }

    func testLinesOfTextAndTheHorizon() async throws {
        _ = try requireModel { try TextNetwork.shared() }
        var request = DetectTextRectanglesRequest()
        request.reportCharacterBoxes = true
        let classic = VNDetectTextRectanglesRequest()
        classic.reportCharacterBoxes = true
        // The characters of a line have identities of their own.
        try VNImageRequestHandler(cvPixelBuffer: text).perform([classic])
        let lines = try await request.perform(on: text)
        XCTAssertEqual(lines.count, 1)
        XCTAssertEqual(lines.map(\.topLeft.cgPoint), classic.results?.map(\.topLeft))
        XCTAssertEqual(
            lines.map { $0.characterBoxes?.map(\.boundingBox.cgRect) },
            classic.results?.map { $0.characterBoxes?.map(\.boundingBox) })
        XCTAssertGreaterThan(try XCTUnwrap(lines.first?.characterBoxes).count, 6)
        let slope = GreyFrame(width: 320, height: 240) { x, y in
            Double(y) < 120 + Double(x - 160) * 0.1 ? 210 : UInt8(60 + (x * 13 ^ y * 7) % 20)
        }
        try await compare(DetectHorizonRequest(), with: VNDetectHorizonRequest(), on: slope.pixelBuffer()) {
            $0.map { [$0.classic] } ?? []
        }
    }

    func testFlowAndTrajectories() async throws {
        let scene = Scene(seed: 5, contrast: 0.7)
        let frames = [0.0, 2, 5].map { scene.frame(width: 160, height: 120, x: $0).pixelBuffer() }
        let (flow, classicFlow) = (TrackOpticalFlowRequest(), VNTrackOpticalFlowRequest())
        let (warp, classicWarp) = (
            TrackHomographicImageRegistrationRequest(), VNTrackHomographicImageRegistrationRequest()
        )
        let handler = VNSequenceRequestHandler()
        for (number, frame) in frames.enumerated() {
            try handler.perform([classicFlow, classicWarp], on: frame)
            let vectors = try await flow.perform(on: frame)
            XCTAssertEqual(values(vectors.map { [$0.classic] } ?? []), values(classicFlow.results ?? []))
            let found = try? await warp.perform(on: frame)
            XCTAssertEqual(found == nil, number == 0)
            XCTAssertEqual(values(found.map { [$0.classic] } ?? []), values(classicWarp.results ?? []))
        }
        let request = DetectTrajectoriesRequest(trajectoryLength: 6)
        let classic = VNDetectTrajectoriesRequest(frameAnalysisSpacing: .zero, trajectoryLength: 6)
        var count = 0
        for number in 0..<20 {
            let (x, y) = (20 + number * 11, 40 + (number - 12) * (number - 12))
            let ball = GreyFrame(width: 320, height: 240) { column, row in
                (column - x) * (column - x) + (row - y) * (row - y) < 36 ? 240 : 64
            }.pixelBuffer()
            try handler.perform([classic], on: ball)
            let found = try await request.perform(on: ball)
            XCTAssertEqual(values(found.map(\.classic)), values(classic.results ?? []))
            count += found.count
        }
        XCTAssertGreaterThan(count, 0)
    }

    func testModels() async throws {
        let model = try fixedClassifier(["a", "b", "c"], [0.25, 7, -2])
        let container = try CoreMLModelContainer(model: model)
        let request = CoreMLRequest(model: container)
        let classic = VNCoreMLRequest(model: try VNCoreMLModel(for: model))
        try await compare(request, with: classic, on: body) { results in
            results.compactMap { ($0 as? ClassificationObservation)?.classic }
        }
        XCTAssertEqual(request, CoreMLRequest(model: container))
        var other = container
        other.inputImageFeatureName = "nothing"
        do {
            _ = try await CoreMLRequest(model: other).perform(on: body)
            XCTFail("no error")
        } catch VisionError.invalidArgument(let text) {
            XCTAssertTrue(text.contains("nothing"), text)
        }
    }
}
