import ModelTestSupport
import VisionExtras
import VisionImage
import VisionModels
import XCTest

@testable import Vision

/// Saliency, animals and people with the networks, on drawings.
final class SaliencyRequestTests: XCTestCase {
    override func setUpWithError() throws { try requireSceneNetwork(revision: 2) }

    /// A bright textured disc on a plain wall.
    private func disc(x: Int, y: Int, radius: Int = 60, width: Int = 480, height: Int = 360) -> GreyFrame {
        GreyFrame(width: width, height: height) { column, row in
            let square = (column - x) * (column - x) + (row - y) * (row - y)
            return square < radius * radius ? UInt8(150 + (column * 7 + row * 5) % 100) : 60
        }
    }

    private func objectness(
        _ frame: GreyFrame, orientation: CGImagePropertyOrientation = .up, region: CGRect = VNNormalizedIdentityRect
    ) throws -> VNSaliencyImageObservation {
        let request = VNGenerateObjectnessBasedSaliencyImageRequest()
        request.regionOfInterest = region
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer(), orientation: orientation).perform([request])
        let results = try XCTUnwrap(request.results)
        XCTAssertEqual(results.count, 1)
        return try XCTUnwrap(results.first)
    }

    func testTheMapIsOneFloatPerPixelAndTheObjectIsBoxed() throws {
        let found = try objectness(disc(x: 140, y: 120))
        let map = FloatMap(found.pixelBuffer)
        XCTAssertEqual([map.width, map.height], [68, 68])
        XCTAssertTrue(map.values.allSatisfy { (0...1).contains($0) })
        XCTAssertNil(found.featureName)
        XCTAssertEqual(found.confidence, 1)
        // The disc's box: 80…200 of 480 and, from the bottom, 180…300 of 360.
        let box = try XCTUnwrap(found.salientObjects?.first).boundingBox
        let truth = CGRect(x: 80.0 / 480, y: 180.0 / 360, width: 120.0 / 480, height: 120.0 / 360)
        XCTAssertGreaterThan(box.sharedPart(with: truth), 0.6, "\(box)")
        XCTAssertGreaterThan(map.value(x: 140 / 480, y: 120 / 360), 10 * map.value(x: 0.9, y: 0.9))
    }

    func testAllOrientationsGiveTheSameMap() throws {
        let frame = disc(x: 140, y: 120)
        let upright = FloatMap(try objectness(frame).pixelBuffer)
        for orientation in CGImagePropertyOrientation.allCases {
            let turned = FloatMap(try objectness(frame.stored(for: orientation), orientation: orientation).pixelBuffer)
            for (a, b) in zip(turned.values, upright.values) { XCTAssertEqual(a, b, accuracy: 0.05) }
        }
    }

    func testBoxesOfARegionOfInterestAreNormalisedToTheWholeImage() throws {
        let region = CGRect(x: 0, y: 0.25, width: 0.6, height: 0.75)
        let box = try XCTUnwrap(try objectness(disc(x: 140, y: 120), region: region).salientObjects?.first).boundingBox
        let truth = CGRect(x: 80.0 / 480, y: 180.0 / 360, width: 120.0 / 480, height: 120.0 / 360)
        XCTAssertGreaterThan(box.sharedPart(with: truth), 0.6, "\(box)")
    }

    func testAttentionHasOneBoxAndAPlainImageNone() throws {
        let request = VNGenerateAttentionBasedSaliencyImageRequest()
        try VNImageRequestHandler(cvPixelBuffer: disc(x: 200, y: 200).pixelBuffer()).perform([request])
        XCTAssertEqual(try XCTUnwrap(request.results?.first).salientObjects?.count, 1)
        let plain = GreyFrame(width: 320, height: 240) { _, _ in 0 }
        XCTAssertNil(try objectness(plain).salientObjects)
    }

    func testOddSizesGiveResults() throws {
        for (width, height) in [(1, 1), (1, 2000), (2000, 1), (3, 5)] {
            let requests: [VNRequest] = [
                VNGenerateAttentionBasedSaliencyImageRequest(), VNGenerateObjectnessBasedSaliencyImageRequest(),
                VNRecognizeAnimalsRequest(), VNDetectHumanRectanglesRequest(),
            ]
            for format in [kCVPixelFormatType_32BGRA, kCVPixelFormatType_OneComponent8] {
                let image = try OddFrames.flat(width, height, format: format, value: 0)
                try VNImageRequestHandler(cvPixelBuffer: image).perform(requests)
                XCTAssertEqual(requests.map { $0.results?.count ?? -1 }, [1, 1, 0, 0], "\(width) × \(height)")
            }
        }
    }

    func testBuffersWithNumbersThatAreNoneGiveResults() throws {
        var created: CVPixelBuffer?
        CVPixelBufferCreate(nil, 50, 40, kCVPixelFormatType_OneComponent32Float, nil, &created)
        let buffer = try XCTUnwrap(created)
        CVPixelBufferLockBaseAddress(buffer, [])
        let pixels = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        for index in 0..<CVPixelBufferGetDataSize(buffer) / 4 {
            let value: Float = index % 3 == 0 ? .nan : index % 3 == 1 ? .infinity : 0.5
            pixels.storeBytes(of: value, toByteOffset: 4 * index, as: Float.self)
        }
        CVPixelBufferUnlockBaseAddress(buffer, [])
        let requests: [VNRequest] = [
            VNGenerateAttentionBasedSaliencyImageRequest(), VNGenerateObjectnessBasedSaliencyImageRequest(),
            VNRecognizeAnimalsRequest(), VNDetectHumanRectanglesRequest(),
        ]
        try VNImageRequestHandler(cvPixelBuffer: buffer).perform(requests)
        for request in requests.prefix(2) {
            let map = try XCTUnwrap(
                (request.results?.first as? VNSaliencyImageObservation).map { FloatMap($0.pixelBuffer) })
            XCTAssertTrue(map.values.allSatisfy { (0...1).contains($0) })
        }
    }

    // MARK: - Shared runs

    private func five() -> [VNRequest] {
        let (classes, print) = (VNClassifyImageRequest(), VNGenerateImageFeaturePrintRequest())
        (classes.revision, print.revision) = (2, 2)
        return [
            classes, print, VNGenerateAttentionBasedSaliencyImageRequest(),
            VNGenerateObjectnessBasedSaliencyImageRequest(), VNRecognizeAnimalsRequest(),
        ]
    }

    func testWholeAndUpperBodiesShareOneRun() throws {
        let (upper, whole) = (VNDetectHumanRectanglesRequest(), VNDetectHumanRectanglesRequest())
        (upper.revision, whole.revision, whole.upperBodyOnly) = (2, 2, false)
        let handler = VNImageRequestHandler(cvPixelBuffer: disc(x: 140, y: 120).pixelBuffer())
        try handler.perform([upper, whole])
        XCTAssertEqual(handler.networkRuns, 1)
    }

    func testFiveRequestsShareRunsOfTheBackbone() throws {
        let handler = VNImageRequestHandler(cvPixelBuffer: disc(x: 140, y: 120).pixelBuffer())
        let requests = five()
        try handler.perform(requests)
        // The backbone, two networks that read its maps, and the network of the animals.
        XCTAssertEqual(handler.networkRuns, 4)
        XCTAssertTrue(requests.allSatisfy { $0.results != nil })
        // Nothing is computed again in later performs, whatever their requests read.
        try handler.perform(five().reversed())
        try handler.perform(Array(five().prefix(2)))
        XCTAssertEqual(handler.networkRuns, 4)
    }

    func testSharingDoesNotChangeResults() throws {
        let image = disc(x: 140, y: 120).pixelBuffer()
        let together = five()
        try VNImageRequestHandler(cvPixelBuffer: image).perform(together)
        let alone = five()
        for request in alone { try VNImageRequestHandler(cvPixelBuffer: image).perform([request]) }
        let classes = [together, alone].map { ($0[0] as? VNClassifyImageRequest)?.results?.map(\.confidence) }
        XCTAssertEqual(classes[0], classes[1])
        let prints = [together, alone].map { ($0[1] as? VNGenerateImageFeaturePrintRequest)?.results?.first?.data }
        XCTAssertEqual(prints[0], prints[1])
        for index in 2...3 {
            let maps = [together, alone].compactMap {
                ($0[index].results?.first as? VNSaliencyImageObservation).map { FloatMap($0.pixelBuffer).values }
            }
            XCTAssertEqual(maps.count, 2)
            XCTAssertEqual(maps.first, maps.last)
        }
    }

    func testResultsDoNotDependOnTheNumberOfThreads() throws {
        defer { Settings.setThreadCount(nil) }
        Settings.setThreadCount(1)
        let one = FloatMap(try objectness(disc(x: 140, y: 120)).pixelBuffer).values
        Settings.setThreadCount(3)
        XCTAssertEqual(FloatMap(try objectness(disc(x: 140, y: 120)).pixelBuffer).values, one)
    }

    // MARK: - Parameters and archives

    func testRevisionsAndIdentifiers() throws {
        XCTAssertEqual(try VNRecognizeAnimalsRequest.knownAnimalIdentifiers(forRevision: 1), [.cat, .dog])
        XCTAssertEqual(try VNRecognizeAnimalsRequest().supportedIdentifiers(), [.cat, .dog])
        XCTAssertThrowsError(try VNRecognizeAnimalsRequest.knownAnimalIdentifiers(forRevision: 7)) {
            XCTAssertEqual(($0 as NSError).code, VNErrorCode.unsupportedRevision.rawValue)
        }
        let request = VNDetectHumanRectanglesRequest()
        XCTAssertTrue(request.upperBodyOnly)
        request.revision = 1
        request.upperBodyOnly = false
        let handler = VNImageRequestHandler(
            cvPixelBuffer: disc(x: 9, y: 9, radius: 4, width: 40, height: 30).pixelBuffer())
        XCTAssertThrowsError(try handler.perform([request])) {
            XCTAssertEqual(($0 as NSError).code, VNErrorCode.invalidOption.rawValue)
        }
        request.revision = 2
        try handler.perform([request])
        XCTAssertEqual(request.results?.count, 0)
        XCTAssertFalse(try XCTUnwrap(request.copy() as? VNDetectHumanRectanglesRequest).upperBodyOnly)
    }

    func testObservationsOutliveAnArchive() throws {
        let saliency = try objectness(disc(x: 140, y: 120))
        let data = try NSKeyedArchiver.archivedData(withRootObject: saliency, requiringSecureCoding: true)
        let again = try XCTUnwrap(
            NSKeyedUnarchiver.unarchivedObject(ofClass: VNSaliencyImageObservation.self, from: data))
        XCTAssertEqual(again.salientObjects?.map(\.boundingBox), saliency.salientObjects?.map(\.boundingBox))
        XCTAssertEqual(again.salientObjects?.map(\.confidence), saliency.salientObjects?.map(\.confidence))
        XCTAssertEqual(FloatMap(again.pixelBuffer).values, FloatMap(saliency.pixelBuffer).values)
        let human = VNHumanObservation(
            upperBodyOnly: false, confidence: 0.75, requestRevision: 2,
            boundingBox: CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4), timeRange: .zero)
        let person = try XCTUnwrap(
            NSKeyedUnarchiver.unarchivedObject(
                ofClass: VNHumanObservation.self,
                from: NSKeyedArchiver.archivedData(withRootObject: human, requiringSecureCoding: true)))
        XCTAssertFalse(person.upperBodyOnly)
        XCTAssertEqual(person.boundingBox, human.boundingBox)
        XCTAssertEqual(person.confidence, 0.75)
    }
}

extension CGRect {
    /// The area that both share, divided by the area that they cover together.
    func sharedPart(with other: CGRect) -> Double {
        let shared = intersection(other)
        let area = shared.isNull ? 0 : Double(shared.width * shared.height)
        return area / (Double(width * height + other.width * other.height) - area)
    }
}
