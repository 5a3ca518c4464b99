import ModelTestSupport
import Vision
import VisionModels
import XCTest

final class FaceCaptureQualityTests: XCTestCase {
    private func requireFaceNetworks() throws {
        _ = try requireModel { try FaceDetector(.upright) }
    }

    private let drawn = DrawnFace(x: 150, y: 150, size: 120)
    private var frame: GreyFrame { DrawnFace.greyFrame([drawn], width: 300, height: 300) }

    /// The face as an observation, its box as the detector would see it.
    private func observation(_ frame: GreyFrame) -> VNFaceObservation {
        let (width, height) = (Double(frame.width), Double(frame.height))
        let scale = width / 300
        let box = drawn.box
        return VNFaceObservation(
            boundingBox: CGRect(
                x: box.minX * scale / width, y: 1 - box.maxY * scale / height, width: box.width * scale / width,
                height: box.height * scale / height))
    }

    private func quality(_ frame: GreyFrame, _ faces: [VNFaceObservation]? = nil) throws -> Float {
        let request = VNDetectFaceCaptureQualityRequest()
        request.inputFaceObservations = faces ?? [observation(frame)]
        try VNImageRequestHandler(cvPixelBuffer: frame.greyPixelBuffer()).perform([request])
        return try XCTUnwrap(request.results?.first?.faceCaptureQuality)
    }

    private func checkFalls(_ name: String, _ frames: [GreyFrame]) throws {
        let qualities = try frames.map { try quality($0) }
        for (better, worse) in zip(qualities, qualities.dropFirst()) {
            XCTAssertGreaterThan(better, worse, "\(name): \(qualities)")
        }
        XCTAssertTrue(qualities.allSatisfy { (0...1).contains($0) }, "\(qualities)")
    }

    // MARK: - The quality

    func testBlurMakesItWorse() throws {
        try requireFaceNetworks()
        var frames = [frame]
        for _ in 0..<3 { frames.append(frames[frames.count - 1].blurred(rounds: 3, reach: 2)) }
        try checkFalls("blur", frames)
    }

    func testDarknessMakesItWorse() throws {
        try requireFaceNetworks()
        let frame = frame
        try checkFalls(
            "darkness",
            [1, 1.8, 3, 5].map { gamma in frame.mapped { 255 * pow($0 / 255, gamma) } })
    }

    func testOverexposureMakesItWorse() throws {
        try requireFaceNetworks()
        let frame = frame
        try checkFalls("overexposure", [1.2, 1.7, 2.4, 3.4].map { gain in frame.mapped { $0 * gain } })
    }

    func testNoiseMakesItWorse() throws {
        try requireFaceNetworks()
        let frame = frame
        try checkFalls("noise", [0, 10, 20, 40].map { frame.noisy($0) })
    }

    func testFewerPixelsMakeItWorse() throws {
        try requireFaceNetworks()
        let frame = frame
        try checkFalls("size", [1, 2, 3, 5].map { frame.reduced(by: $0) })
    }

    func testOcclusionMakesItWorse() throws {
        try requireFaceNetworks()
        let frame = frame
        try checkFalls(
            "occlusion",
            [0, 35, 60, 85].map { height in
                var hidden = frame
                for y in 0..<300 {
                    for x in 70..<230 where y > 215 - height && y < 250 { hidden[x, y] = 70 }
                }
                return hidden
            })
    }

    func testABoxWithoutAFaceIsWorseThanAnyFace() throws {
        try requireFaceNetworks()
        let wall = DrawnFace.greyFrame([], width: 300, height: 300)
        XCTAssertLessThan(try quality(wall), try quality(frame.blurred(rounds: 3, reach: 2)))
    }

    func testTheNumberDoesNotDependOnRollOrOrientation() throws {
        try requireFaceNetworks()
        let upright = try quality(frame)
        let stored = frame.stored(for: .right)
        let request = VNDetectFaceCaptureQualityRequest()
        request.inputFaceObservations = [observation(frame)]
        try VNImageRequestHandler(cvPixelBuffer: stored.greyPixelBuffer(), orientation: .right).perform([request])
        XCTAssertEqual(try XCTUnwrap(request.results?.first?.faceCaptureQuality), upright, accuracy: 0.02)
    }

    // MARK: - Pipelines

    func testImplicitlyTheDetectorFindsTheFacesAndItsResultIsShared() throws {
        try requireFaceNetworks()
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        let faces = VNDetectFaceRectanglesRequest()
        faces.revision = VNDetectFaceRectanglesRequestRevision2
        try handler.perform([faces])
        let runs = handler.core.networkRunCount
        let request = VNDetectFaceCaptureQualityRequest()
        try handler.perform([request])
        // Two passes of the mesh network.
        XCTAssertEqual(handler.core.networkRunCount, runs + 2)
        XCTAssertEqual(request.results?.map(\.boundingBox), faces.results?.map(\.boundingBox))
        XCTAssertNotNil(request.results?.first?.faceCaptureQuality)
        XCTAssertNil(faces.results?.first?.faceCaptureQuality)
        XCTAssertEqual(request.results?.first?.requestRevision, 3)
        XCTAssertNotNil(request.results?.first?.roll)
    }

    func testExplicitlyOnlyTheGivenFacesAreScoredAndKeepTheirUUID() throws {
        try requireFaceNetworks()
        let other = DrawnFace(x: 450, y: 150, size: 100)
        let buffer = DrawnFace.buffer([drawn, other], width: 600, height: 300)
        let faces = VNDetectFaceRectanglesRequest()
        let handler = VNImageRequestHandler(cvPixelBuffer: buffer)
        try handler.perform([faces])
        let found = try XCTUnwrap(faces.results)
        XCTAssertEqual(found.count, 2)

        let request = VNDetectFaceCaptureQualityRequest()
        request.inputFaceObservations = [found[1]]
        let second = VNImageRequestHandler(cvPixelBuffer: buffer)
        try second.perform([request])
        XCTAssertEqual(second.core.networkRunCount, 2)
        let result = try XCTUnwrap(request.results?.first)
        XCTAssertEqual(request.results?.count, 1)
        XCTAssertEqual(result.uuid, found[1].uuid)
        XCTAssertEqual(result.boundingBox, found[1].boundingBox)
        XCTAssertFalse(result === found[1])
        XCTAssertNil(found[1].faceCaptureQuality)

        let implicit = VNDetectFaceCaptureQualityRequest()
        try second.perform([implicit])
        XCTAssertEqual(
            implicit.results?.first { $0.boundingBox == result.boundingBox }?.faceCaptureQuality,
            result.faceCaptureQuality)
    }

    func testNoFacesGiveAnEmptyArray() throws {
        try requireFaceNetworks()
        let request = VNDetectFaceCaptureQualityRequest()
        let wall = DrawnFace.greyFrame([], width: 300, height: 300)
        try VNImageRequestHandler(cvPixelBuffer: wall.greyPixelBuffer()).perform([request])
        XCTAssertEqual(request.results, [])
        request.inputFaceObservations = []
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.greyPixelBuffer())
        try handler.perform([request])
        XCTAssertEqual(request.results, [])
        XCTAssertEqual(handler.core.networkRunCount, 0)
    }

    func testABoxBesideTheImageHasNoQuality() throws {
        try requireFaceNetworks()
        let request = VNDetectFaceCaptureQualityRequest()
        let boxes = [CGRect(x: 3, y: 3, width: 0.2, height: 0.2), CGRect(x: -0.2, y: 0.3, width: 0.5, height: 0.5)]
        request.inputFaceObservations = boxes.map { VNFaceObservation(boundingBox: $0) }
        try VNImageRequestHandler(cvPixelBuffer: frame.greyPixelBuffer()).perform([request])
        XCTAssertEqual(request.results?.count, 2)
        XCTAssertNil(request.results?[0].faceCaptureQuality)
        XCTAssertNotNil(request.results?[1].faceCaptureQuality)
    }

    func testCopiesHaveTheGivenFaces() throws {
        let request = VNDetectFaceCaptureQualityRequest()
        request.inputFaceObservations = [VNFaceObservation(boundingBox: .zero)]
        let copy = try XCTUnwrap(request.copy() as? VNDetectFaceCaptureQualityRequest)
        XCTAssertEqual(copy.inputFaceObservations, request.inputFaceObservations)
        XCTAssertEqual(request.revision, VNDetectFaceCaptureQualityRequestRevision3)
    }

    /// As in the session of 2019: the best photo of a burst.
    func testTheBestOfABurst() throws {
        try requireFaceNetworks()
        let burst = [frame.blurred(rounds: 2, reach: 2), frame, frame.mapped { 255 * pow($0 / 255, 2.5) }]
        var best: (index: Int, quality: Float)?
        for (index, photo) in burst.enumerated() {
            let handler = VNImageRequestHandler(cvPixelBuffer: photo.pixelBuffer(), options: [:])
            let request = VNDetectFaceCaptureQualityRequest()
            try handler.perform([request])
            guard let observation = request.results?.first, let quality = observation.faceCaptureQuality else {
                continue
            }
            if quality > best?.quality ?? -1 { best = (index, quality) }
        }
        XCTAssertEqual(best?.index, 1)
    }
}

extension GreyFrame {
    fileprivate func mapped(_ change: (Double) -> Double) -> GreyFrame {
        GreyFrame(width: width, height: height) { UInt8(min(max(change(Double(self[$0, $1])), 0), 255)) }
    }

    /// Means of squares, several times: nearly a Gaussian.
    fileprivate func blurred(rounds: Int, reach: Int) -> GreyFrame {
        (0..<rounds).reduce(self) { frame, _ in
            GreyFrame(width: width, height: height) { x, y in
                var (sum, count) = (0, 0)
                for row in max(y - reach, 0)...min(y + reach, height - 1) {
                    for column in max(x - reach, 0)...min(x + reach, width - 1) {
                        sum += Int(frame[column, row])
                        count += 1
                    }
                }
                return UInt8(sum / count)
            }
        }
    }

    /// Noise of about this standard deviation, the same every time.
    fileprivate func noisy(_ sigma: Double) -> GreyFrame {
        var state: UInt64 = 88_172_645_463_325_252
        return GreyFrame(width: width, height: height) { x, y in
            var sum = 0.0
            for _ in 0..<4 {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                sum += Double(state % 65536) / 65536 - 0.5
            }
            return UInt8(min(max(Double(self[x, y]) + sum * sigma * 1.732, 0), 255))
        }
    }

    fileprivate func reduced(by factor: Int) -> GreyFrame {
        GreyFrame(width: width / factor, height: height / factor) { x, y in
            var sum = 0
            for row in 0..<factor {
                for column in 0..<factor { sum += Int(self[x * factor + column, y * factor + row]) }
            }
            return UInt8(sum / (factor * factor))
        }
    }
}
