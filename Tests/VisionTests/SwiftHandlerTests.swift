import BarcodeTestSupport
import ModelTestSupport
import VisionImage
import VisionModels
import XCTest

@testable import Vision

/// Handlers of the Swift API: several requests at once, streams of results, errors, cancellation, trackers.
final class SwiftHandlerTests: XCTestCase {
    private let rectangle = GreyFrame(width: 320, height: 240) { x, y in
        (60..<220).contains(x) && (50..<170).contains(y) ? 230 : 40
    }

    func testEveryKindOfImageGivesTheSame() async throws {
        let buffer = rectangle.pixelBuffer()
        let expected = try await DetectRectanglesRequest().perform(on: buffer).map(\.boundingBox)
        XCTAssertEqual(expected.count, 1)
        let data = rectangle.pixelBuffer().png()
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("rectangle.png")
        try data.write(to: url)
        let ci = CIImage(cvPixelBuffer: buffer)
        let cg = try XCTUnwrap(CIContext().createCGImage(ci, from: ci.extent))
        let request = DetectRectanglesRequest()
        let found = [
            try await request.perform(on: data), try await request.perform(on: url), try await request.perform(on: cg),
            try await request.perform(on: ci),
        ]
        for rectangles in found {
            let box = try XCTUnwrap(rectangles.first).boundingBox
            XCTAssertEqual(box.origin.x, expected[0].origin.x, accuracy: 0.01)
            XCTAssertEqual(box.height, expected[0].height, accuracy: 0.01)
        }
    }

    func testSeveralRequestsShareTheImage() async throws {
        let handler = ImageRequestHandler(rectangle.pixelBuffer())
        let (rectangles, barcodes, horizon) = try await handler.perform(
            DetectRectanglesRequest(), DetectBarcodesRequest(), DetectHorizonRequest())
        XCTAssertEqual(rectangles.count, 1)
        XCTAssertEqual(barcodes, [])
        XCTAssertNotNil(horizon)
        XCTAssertGreaterThan(handler.classic.core.derivativeStatistics?.hits ?? 0, 0)
    }

    func testTheFirstErrorOfSeveralIsThrown() async throws {
        let handler = ImageRequestHandler(rectangle.pixelBuffer())
        var wrong = DetectRectanglesRequest()
        wrong.minimumSize = 7
        do {
            _ = try await handler.perform(DetectBarcodesRequest(), wrong)
            XCTFail("no error")
        } catch VisionError.invalidArgument(let text) {
            XCTAssertTrue(text.contains("7"), text)
        }
        var outside = DetectRectanglesRequest()
        outside.regionOfInterest = NormalizedRect(x: 0.5, y: 0.5, width: 1, height: 1)
        do {
            _ = try await handler.perform(outside)
            XCTFail("no error")
        } catch is VisionError {}
    }

    func testAllResultsComeWithTheirRequests() async throws {
        let handler = ImageRequestHandler(rectangle.pixelBuffer())
        var wrong = DetectRectanglesRequest()
        wrong.minimumSize = .nan
        var names: [String] = []
        for await result in handler.performAll([DetectRectanglesRequest(), wrong, DetectBarcodesRequest()]) {
            switch result {
            case .detectRectangles(let request, let found):
                XCTAssertEqual(request, DetectRectanglesRequest())
                XCTAssertEqual(found.count, 1)
                names.append("rectangles")
            case .detectBarcodes(_, let found):
                XCTAssertEqual(found, [])
                names.append("barcodes")
            case .error(let request, let error):
                XCTAssertEqual(request.descriptor, wrong.descriptor)
                XCTAssertTrue(error is VisionError)
                names.append("error")
            default: XCTFail("\(result)")
            }
        }
        XCTAssertEqual(names.sorted(), ["barcodes", "error", "rectangles"])
    }

    func testDamagedAndMissingImagesAreErrors() async throws {
        let request = DetectRectanglesRequest()
        for data in [Data(), Data("no image".utf8), rectangle.pixelBuffer().png().prefix(60)] {
            do {
                _ = try await request.perform(on: data)
                XCTFail("no error")
            } catch is VisionError {}
        }
        do {
            _ = try await request.perform(on: URL(fileURLWithPath: "/nowhere/at/all.jpg"))
            XCTFail("no error")
        } catch VisionError.ioError(let text) {
            XCTAssertTrue(text.contains("all.jpg"), text)
        }
    }

    func testACancelledTaskPerformsNothing() async throws {
        let buffer = rectangle.pixelBuffer()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await DetectRectanglesRequest().perform(on: buffer)
        }
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("no error")
        } catch VisionError.requestCancelled {}
    }

    /// A request of a user's own: it compiles, and cannot be performed.
    private struct OwnRequest: VisionRequest {
        typealias Result = Int
        var descriptor: RequestDescriptor { .detectHorizonRequest(.revision1) }
    }

    func testOtherRequestsAreNotPerformed() async throws {
        do {
            _ = try await ImageRequestHandler(rectangle.pixelBuffer()).perform(OwnRequest())
            XCTFail("no error")
        } catch VisionError.unsupportedRequest(let text) {
            XCTAssertTrue(text.contains("OwnRequest"), text)
        }
    }

    // MARK: - Trackers

    func testARectangleIsTrackedAsByTheClassicRequest() async throws {
        func frame(_ shift: Int) -> CVPixelBuffer {
            GreyFrame(width: 320, height: 240) { x, y in
                let (x, y) = (x - shift, y - shift / 2)
                return (60..<180).contains(x) && (50..<150).contains(y)
                    ? UInt8(120 + (x * 13 ^ y * 7) % 100) : UInt8(30 + (x / 8 + y / 8) % 2 * 10)
            }.pixelBuffer()
        }
        let start = RectangleObservation(
            topLeft: NormalizedPoint(x: 60 / 320, y: 1 - 50 / 240),
            topRight: NormalizedPoint(x: 180 / 320, y: 1 - 50 / 240),
            bottomRight: NormalizedPoint(x: 180 / 320, y: 1 - 150 / 240),
            bottomLeft: NormalizedPoint(x: 60 / 320, y: 1 - 150 / 240))
        let request = TrackRectangleRequest(detectedRectangle: start)
        request.trackingLevel = .accurate
        let sequence = VNSequenceRequestHandler()
        var classicInput = start.classic
        for number in 0..<6 {
            let classic = VNTrackRectangleRequest(rectangleObservation: classicInput)
            classic.trackingLevel = .accurate
            try sequence.perform([classic], on: frame(number * 3))
            classicInput = try XCTUnwrap(classic.results?.first)
            let result = try await request.perform(on: frame(number * 3))
            let found = try XCTUnwrap(result)
            XCTAssertEqual(found.uuid, start.uuid)
            XCTAssertEqual(found.topLeft.cgPoint, classicInput.topLeft)
            XCTAssertEqual(found.confidence, classicInput.confidence)
        }
        XCTAssertEqual(classicInput.topLeft.x * 320, 60 + 15, accuracy: 1)
    }

    func testAnObjectIsTrackedWithOtherRequestsOnTheSameImage() async throws {
        _ = try requireModel { try TrackerNetworks.shared() }
        let start = DetectedObjectObservation(
            boundingBox: NormalizedRect(x: 60 / 320, y: 70 / 240, width: 160 / 320, height: 120 / 240))
        let request = TrackObjectRequest(detectedObject: start)
        for _ in 0..<3 {
            let (found, rectangles) = try await ImageRequestHandler(rectangle.pixelBuffer()).perform(
                request, DetectRectanglesRequest())
            let box = try XCTUnwrap(found).boundingBox
            XCTAssertEqual(box.origin.x, 60 / 320, accuracy: 0.05)
            XCTAssertEqual(rectangles.count, 1)
        }
    }

    func testATrackerSkipsFramesThatComeTooSoon() async throws {
        let start = RectangleObservation(
            topLeft: NormalizedPoint(x: 60 / 320, y: 1 - 50 / 240),
            topRight: NormalizedPoint(x: 220 / 320, y: 1 - 50 / 240),
            bottomRight: NormalizedPoint(x: 220 / 320, y: 1 - 170 / 240),
            bottomLeft: NormalizedPoint(x: 60 / 320, y: 1 - 170 / 240))
        let request = TrackRectangleRequest(
            detectedRectangle: start, frameAnalysisSpacing: CMTime(value: 1, timescale: 10))
        var analysed: [Bool] = []
        for number in 0..<6 {
            let frame = CMSampleBuffer(
                imageBuffer: rectangle.pixelBuffer(),
                presentationTimeStamp: CMTime(value: CMTimeValue(number), timescale: 20), duration: .zero)
            let found = try await request.perform(on: frame)
            analysed.append(found != nil)
        }
        XCTAssertEqual(analysed, [true, false, true, false, true, false])
        let requests: [any VisionRequest] = [request]
        let soon = CMSampleBuffer(
            imageBuffer: rectangle.pixelBuffer(), presentationTimeStamp: CMTime(value: 5, timescale: 20),
            duration: .zero)
        for await result in ImageRequestHandler(soon).performAll(requests[...]) {
            guard case .trackRectangle(_, nil) = result else { return XCTFail("\(result)") }
        }
    }

    // MARK: - Archives

    func testObservationsAreCodableAndEqual() async throws {
        let found = try await DetectRectanglesRequest().perform(on: rectangle.pixelBuffer())
        let data = try JSONEncoder().encode(found)
        let back = try JSONDecoder().decode([RectangleObservation].self, from: data)
        XCTAssertEqual(back, found)
        XCTAssertEqual(Set(back + found).count, 1)
        let damaged = Data(String(decoding: data, as: UTF8.self).replacingOccurrences(of: "topLeft", with: "x").utf8)
        XCTAssertThrowsError(try JSONDecoder().decode([RectangleObservation].self, from: damaged))
        let scene = BarcodeScene(try DrawnCode(.qr, "text")).frame().pixelBuffer()
        let codes = try await DetectBarcodesRequest().perform(on: scene)
        let codesBack = try PropertyListDecoder().decode(
            [BarcodeObservation].self, from: try PropertyListEncoder().encode(codes))
        XCTAssertEqual(codesBack, codes)
    }
}
