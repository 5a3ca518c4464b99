import Foundation
import ModelTestSupport
import Vision
import VisionExtras
import VisionVideo
import XCTest

/// Runs the snippets of the guides. Scripts/check-docs.py compares their text with what the guides quote.
final class GuideTests: XCTestCase {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// A page on a table, 660 × 620 pixels, that was drawn for the demonstration.
    private let poster = root.appendingPathComponent("Scripts/demo/poster.jpg")

    /// Returns the result of a snippet that needs an installed model, and skips the test where there is none.
    private func withModels<Result>(_ snippet: () async throws -> Result) async throws -> Result {
        do {
            return try await snippet()
        } catch {
            return try requireModel { throw error }
        }
    }

    func testReadme() async throws {
        let lines = try await withModels { try await readFirstResults(of: poster) }
        XCTAssertEqual(lines.first, "Harbour Lights")
        let faces = try await readFirstResults(of: GuidePhotos.url("astronaut"))
        XCTAssertTrue(faces.first?.hasPrefix("a face at (") == true, "\(faces)")
    }

    func testFaces() async throws {
        let lines = try await withModels { try await findFaces(in: GuidePhotos.url("astronaut")) }
        XCTAssertEqual(lines.count, 1)
        XCTAssertTrue(try XCTUnwrap(lines.first).contains("points of the lips"), "\(lines)")
        XCTAssertFalse(try XCTUnwrap(lines.first).contains(" 0 points"), "\(lines)")
        let boxes = try await faceBoxes(in: GuidePhotos.url("astronaut"), imageSize: CGSize(width: 384, height: 384))
        let box = try XCTUnwrap(boxes.first)
        XCTAssertTrue(box.contains(CGPoint(x: 168, y: 92)), "\(box)")
        XCTAssertLessThan(box.maxY, 170)
    }

    func testBarcodes() async throws {
        let lines = try await readBarcodes(in: poster)
        XCTAssertEqual(lines, ["qr: Harbour Lights, 14 June, seat 27"])
    }

    func testText() async throws {
        let lines = try await withModels { try await readText(in: poster) }
        XCTAssertEqual(
            lines,
            [
                "Harbour Lights", "A concert at the old pier", "Saturday 14 June, 20:30", "Doors open at 19:45",
                "Tickets 12.50 at the gate", "Seat 27",
            ])
        let size = CGSize(width: 660, height: 620)
        let located = try await locate("pier", in: poster, imageSize: size)
        let box = try XCTUnwrap(located)
        XCTAssertTrue(box.contains(CGPoint(x: 440, y: 166)), "\(box)")
        XCTAssertLessThan(box.width, 120)
    }

    /// A bright square that moves by three pixels a frame over a dark ground with texture.
    private func frame(_ number: Int) throws -> CVPixelBuffer {
        let (width, height) = (240, 180)
        var pixels = [UInt8](repeating: 255, count: width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let isInside = (40 + 3 * number..<80 + 3 * number).contains(x) && (60..<100).contains(y)
                let texture = UInt8((x * 7 + y * 13) % 23)
                let mark: UInt8 = (x - 3 * number) / 8 % 2 == y / 8 % 2 ? 60 : 0
                for channel in 0..<3 {
                    pixels[(y * width + x) * 4 + channel] = isInside ? 160 + mark + texture : 40 + texture
                }
            }
        }
        return try XCTUnwrap(makeFrame(from: pixels, width: width, height: height))
    }

    func testTracking() throws {
        let start = CGRect(x: 40 / 240.0, y: 80 / 180.0, width: 40 / 240.0, height: 40 / 180.0)
        let boxes = try requireModel { try track(start, through: (0..<12).map(frame)) }
        XCTAssertEqual(boxes.count, 12)
        XCTAssertEqual(try XCTUnwrap(boxes.last).midX * 240, 60 + 33, accuracy: 4)
        XCTAssertEqual(try XCTUnwrap(boxes.last).midY * 180, 100, accuracy: 4)
    }

    func testRunningModels() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("breakfast.onnx")
        try breakfastDetector(metadata: breakfastMetadata()).write(to: file)
        // A square of the colour that the detector takes for a banana, from (16, 16) to (32, 32) of 64 × 64 pixels.
        var pixels = [UInt8](repeating: 128, count: 64 * 64 * 4)
        for y in 16..<32 {
            for x in 16..<32 {
                for (channel, value) in [UInt8(0), 255, 255, 255].enumerated() {
                    pixels[(y * 64 + x) * 4 + channel] = value
                }
            }
        }
        let image = try XCTUnwrap(makeFrame(from: pixels, width: 64, height: 64))
        let lines = try detect(with: file, in: image)
        XCTAssertEqual(lines, ["banana: 0.25, 0.5, 0.25 × 0.25"])
        XCTAssertEqual(try predict(with: file, input: "images", shape: [1, 3, 64, 64]), ["output0"])
    }

    func testImageSearch() async throws {
        let photos = ["coffee", "astronaut", "cat"].map(GuidePhotos.url)
        let names = try await withModels { try await rank(photos, byLikenessTo: GuidePhotos.url("cat")) }
        XCTAssertEqual(names.first, "cat.jpg")
        XCTAssertEqual(Set(names), ["cat.jpg", "astronaut.jpg", "coffee.jpg"])
    }

    func testTraining() throws {
        setenv("OPENVISION_FEATURES", "", 1)  // no cache in the home folder
        defer { unsetenv("OPENVISION_FEATURES") }
        let folder = try TemporaryFolder()
        let training = folder.url.appendingPathComponent("training")
        let testing = folder.url.appendingPathComponent("testing")
        try DrawnPhotos.folders(at: training, kinds: [.disc, .stripes], numbers: 0..<10)
        try DrawnPhotos.folders(at: testing, kinds: [.disc, .stripes], numbers: 100..<104)
        let model = folder.url.appendingPathComponent("Shapes.mlmodel")
        let wrong = try requireModel { try trainClassifier(on: training, testing: testing, writing: model) }
        XCTAssertLessThanOrEqual(wrong, 0.13)
        XCTAssertEqual(try label(of: testing.appendingPathComponent("disc/100.png"), by: model), "disc")
    }

    func testCropping() async throws {
        let size = CGSize(width: 450, height: 300)
        let box = try await withModels { try await crop(GuidePhotos.url("coffee"), size: size, aspectRatio: 1) }
        XCTAssertEqual(box.width, 300, accuracy: 1)
        XCTAssertEqual(box.height, 300, accuracy: 1)
        XCTAssertTrue(CGRect(origin: .zero, size: size).insetBy(dx: -1, dy: -1).contains(box), "\(box)")
        // The cup, a little right of the middle.
        XCTAssertTrue(box.contains(CGPoint(x: 212, y: 165)), "\(box)")
        let objects = try await salientObjects(in: GuidePhotos.url("coffee"))
        XCTAssertFalse(objects.isEmpty)
    }

    func testServer() async throws {
        let limits = (VisionSettings.maximumPixelCount, VisionSettings.maximumPixelsInFlight)
        setLimits()
        defer {
            (VisionSettings.maximumPixelCount, VisionSettings.maximumPixelsInFlight) = limits
            VisionSettings.resetThreadCount()
        }
        XCTAssertEqual(VisionSettings.threadCount, 2)
        let refused = await answer(toUpload: Data("GIF89a, but no image".utf8))
        XCTAssertTrue(refused.hasPrefix("not an image: "), refused)
        _ = try requireModel {
            try VNImageRequestHandler(url: GuidePhotos.url("cat")).perform([VNClassifyImageRequest()])
        }
        let answered = await answer(toUpload: try Data(contentsOf: GuidePhotos.url("cat")))
        XCTAssertTrue(answered.contains("cat") || answered.contains("animal"), answered)
        let isComplete = ModelStore().contents.allSatisfy {
            if case .installed = $0.installation { true } else { false }
        }
        // Tests download nothing.
        try XCTSkipUnless(isComplete, "not all models are installed")
        let installed = try await installNetworks()
        XCTAssertEqual(installed, [])
    }

    func testPorting() throws {
        let source = try XCTUnwrap(CGImageSourceCreateWithURL(poster, nil))
        let image = try XCTUnwrap(CGImageSourceCreateImageAtIndex(source, 0, nil))
        let page = try XCTUnwrap(try findRectangles(in: image).first)
        XCTAssertEqual(page.topLeft.x * 660, 150, accuracy: 3)
        XCTAssertEqual((1 - page.topLeft.y) * 620, 60, accuracy: 3)
    }

    func testPortingTheCamera() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("poster.mkv")
        let image = try XCTUnwrap(CIImage(contentsOf: poster))
        let frame = try CVPixelBuffer.make(width: 660, height: 620, format: kCVPixelFormatType_32BGRA, path: "frame")
        CIContext().render(image, to: frame)
        let writer = try VideoWriter(
            path: file.path, format: VideoFormat(width: 660, height: 620, rate: VideoFormat.Ratio(10, 1)))
        for number in 0..<3 { try writer.add(frame, time: Double(number) / 10) }
        try writer.finish()
        let codes = try await readCodes(in: .file(file))
        XCTAssertEqual(codes, Array(repeating: "Harbour Lights, 14 June, seat 27", count: 3))
    }

    func testConfidence() async throws {
        let classes = try await withModels { try await sureClasses(of: GuidePhotos.url("cat")) }
        XCTAssertTrue(classes.contains { $0.contains("cat") }, "\(classes)")
        XCTAssertFalse(classes.contains("dog"), "\(classes)")
        XCTAssertEqual(pinnedRequest().revision, 1)
    }

    func testAddingARequest() throws {
        let pixels = [UInt8](repeating: 51, count: 80 * 60 * 4)
        let image = try XCTUnwrap(makeFrame(from: pixels, width: 80, height: 60))
        let request = MeasureBrightnessRequest()
        try VNImageRequestHandler(cvPixelBuffer: image).perform([request])
        let result = try XCTUnwrap(request.results?.first)
        XCTAssertEqual(result.identifier, "brightness")
        XCTAssertEqual(result.confidence, 0.2, accuracy: 0.01)
        request.regionOfInterest = CGRect(x: 0.5, y: 0.5, width: 2, height: 1)
        XCTAssertThrowsError(try VNImageRequestHandler(cvPixelBuffer: image).perform([request]))
    }
}
