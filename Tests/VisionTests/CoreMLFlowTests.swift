import CoreML
import ModelTestSupport
import Vision
import XCTest

/// The flows of the 2018 and 2019 sessions on models in files.
final class CoreMLFlowTests: XCTestCase {
    /// A table with objects of 32 × 32 pixels in the colours of breakfast.
    private func table(_ things: [(String, x: Int, y: Int)], cloth: [Float] = [0, 0, 0.6]) throws -> CVPixelBuffer {
        let (width, height) = (128, 128)
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &made)
        let buffer = try XCTUnwrap(made)
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        for y in 0..<height {
            for x in 0..<width {
                var colour = cloth
                for (name, left, top) in things where x >= left && x < left + 32 && y >= top && y < top + 32 {
                    colour = breakfastColours[try XCTUnwrap(breakfast.firstIndex(of: name))]
                }
                let pixel = base + y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x
                for component in 0..<3 {
                    pixel.storeBytes(
                        of: UInt8((colour[2 - component] * 255).rounded()), toByteOffset: component, as: UInt8.self)
                }
            }
        }
        return buffer
    }

    func testBreakfastIsFoundLive() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(breakfastDetector(metadata: breakfastMetadata()), "ObjectDetector.onnx")
        let compiled = try MLModel.compileModel(at: url)
        defer { try? FileManager.default.removeItem(at: compiled.deletingLastPathComponent()) }
        let finder = BreakfastFinder(bufferSize: CGSize(width: 128, height: 128))
        XCTAssertNil(finder.setupVision(modelURL: compiled))

        finder.captureOutput(try table([("egg", 32, 64), ("waffle", 96, 0)]), exifOrientation: .up)
        let found = finder.found.sorted { $0.name < $1.name }
        XCTAssertEqual(found.map(\.name), ["egg", "waffle"])
        // Lower left: the egg's upper edge is 64 pixels from the top.
        assertEqual(found[0].bounds, CGRect(x: 32, y: 32, width: 32, height: 32), accuracy: 1e-3)
        assertEqual(found[1].bounds, CGRect(x: 96, y: 96, width: 32, height: 32), accuracy: 1e-3)
        for labels in finder.allLabels { XCTAssertEqual(Set(labels), Set(breakfast)) }
        XCTAssertGreaterThan(found[0].confidence, 0.5)

        // Seen by a camera that is held upright: the stored rows are the upright columns, bottom to top.
        finder.captureOutput(try table([("banana", 0, 32)]), exifOrientation: .right)
        XCTAssertEqual(finder.found.map(\.name), ["banana"])
        assertEqual(finder.found[0].bounds, CGRect(x: 64, y: 96, width: 32, height: 32), accuracy: 1e-3)

        finder.captureOutput(try table([]), exifOrientation: .up)
        XCTAssertEqual(finder.found, [])
    }

    func testAModelIsSharedByClosuresThatRunElsewhere() async throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(breakfastDetector(metadata: breakfastMetadata()), "ObjectDetector.onnx")
        let model = try VNCoreMLModel(for: MLModel(contentsOf: url))
        // As the closure of a server's route captures it.
        let route: @Sendable (CVPixelBuffer) async throws -> Int = { photo in
            let request = VNCoreMLRequest(model: model)
            try VNImageRequestHandler(cvPixelBuffer: photo).perform([request])
            return request.results?.count ?? 0
        }
        let photo = try table([("egg", 32, 64), ("waffle", 96, 0)])
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { try await route(photo) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        XCTAssertEqual(counts, [2, 2, 2, 2])
        XCTAssertEqual(model.inputImageFeatureName, "images")
    }

    func testAMissingModelIsReported() {
        let finder = BreakfastFinder(bufferSize: CGSize(width: 1, height: 1))
        XCTAssertNotNil(finder.setupVision(modelURL: URL(fileURLWithPath: "/nowhere/ObjectDetector.mlmodelc")))
    }

    func testTheThresholdsOfTheMetadataAreUsed() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(breakfastDetector(), "d.onnx")
        // A cloth of nearly the croissant's colour.
        let image = try table([("croissant", 0, 0)], cloth: [0.1, 0.1, 0.9])
        func count(_ json: String) throws -> Int? {
            try folder.write(json, "d.json")
            let request = try VNCoreMLRequest(model: VNCoreMLModel(for: MLModel(contentsOf: url)))
            try VNImageRequestHandler(cvPixelBuffer: image).perform([request])
            return request.results?.count
        }
        XCTAssertEqual(try count(breakfastMetadata()), 16, "The cloth scores 0.4.")
        XCTAssertEqual(try count(breakfastMetadata(#", "detector": {"confidenceThreshold": 0.6}"#)), 1)
    }

    func testSeveralInputsAndOutputsOfOneTypeAreDistinguished() throws {
        let folder = try TemporaryFolder()
        let model = try MLModel(contentsOf: folder.write(imageMixer(), "mixer.onnx"))
        let content = GreyFrame(width: 8, height: 8) { x, y in UInt8(x * 20 + y) }
        // JPEG keeps even grey as it is.
        let style = try folder.write(GreyFrame(width: 16, height: 16) { _, _ in 200 }.jpeg(), "style.jpg")
        let images = try mixImages(content: content.pixelBuffer(), styleAt: style, mixRatio: 0.25, with: model)
        XCTAssertEqual(Set(images.keys), ["mixed", "difference"])
        for (name, wanted) in [
            ("mixed", { (value: Int) in 0.75 * Double(value) + 50 }), ("difference", { abs(200 - Double($0)) }),
        ] {
            let buffer = try XCTUnwrap(images[name])
            let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
            for y in 0..<8 {
                for x in 0..<8 {
                    let byte = base.load(
                        fromByteOffset: y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x, as: UInt8.self)
                    XCTAssertEqual(Double(byte), wanted(Int(content[x, y])), accuracy: 1.6, "\(name) \(x) \(y)")
                }
            }
        }
    }

    func testTheHandlersImageGoesToTheNamedInput() throws {
        let folder = try TemporaryFolder()
        let model = try VNCoreMLModel(for: MLModel(contentsOf: folder.write(imageMixer(), "mixer.onnx")))
        XCTAssertEqual(model.inputImageFeatureName, "contentImage", "The first image input.")
        model.inputImageFeatureName = "styleImage"
        model.featureProvider = try MLDictionaryFeatureProvider(dictionary: [
            "contentImage": GreyFrame(width: 9, height: 9) { _, _ in 10 }.pixelBuffer(), "mixRatio": 1.0,
        ])
        let request = VNCoreMLRequest(model: model)
        let results: [VNPixelBufferObservation] =
            try VNImageRequestHandler(cvPixelBuffer: GreyFrame(width: 30, height: 20) { _, _ in 90 }.pixelBuffer())
            .results(of: request)
        let mixed = try XCTUnwrap(results.first { $0.featureName == "mixed" }?.pixelBuffer)
        XCTAssertEqual(CVPixelBufferGetBaseAddress(mixed)?.load(as: UInt8.self), 90)
        let difference = try XCTUnwrap(results.first { $0.featureName == "difference" }?.pixelBuffer)
        XCTAssertEqual(CVPixelBufferGetBaseAddress(difference)?.load(as: UInt8.self), 80)
    }
}
