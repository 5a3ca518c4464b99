import CoreML
import ModelTestSupport
import Vision
import XCTest

final class DetectorRequestTests: XCTestCase {
    /// A bright box on black; the box in pixels from the top left.
    private func frame(_ width: Int, _ height: Int, box: (x: Int, y: Int, width: Int, height: Int)) -> GreyFrame {
        GreyFrame(width: width, height: height) { x, y in
            (box.x..<box.x + box.width).contains(x) && (box.y..<box.y + box.height).contains(y) ? 255 : 0
        }
    }

    private func detect(
        _ handler: VNImageRequestHandler, _ option: VNImageCropAndScaleOption,
        region: CGRect = VNNormalizedIdentityRect, side: Int = 64
    ) throws -> VNRecognizedObjectObservation {
        let request = try VNCoreMLRequest(model: VNCoreMLModel(for: brightBoxDetector(side: side)))
        request.imageCropAndScaleOption = option
        request.regionOfInterest = region
        let results: [VNRecognizedObjectObservation] = try handler.results(of: request)
        XCTAssertEqual(results.count, 1)
        return try XCTUnwrap(results.first)
    }

    func testAllClassesAreLabelsHighestFirst() throws {
        let handler = VNImageRequestHandler(
            cvPixelBuffer: frame(64, 64, box: (10, 20, 30, 16)).pixelBuffer())
        let object = try detect(handler, .centerCrop)
        XCTAssertEqual(object.labels.map(\.identifier), ["egg", "waffle", "bagel", "banana", "coffee", "croissant"])
        XCTAssertEqual(object.labels.map(\.confidence).reduce(0, +), 1, accuracy: 1e-6)
        XCTAssertEqual(object.confidence, 0.8, accuracy: 1e-6)
        XCTAssertEqual(object.confidence * object.labels[0].confidence, 0.6, accuracy: 1e-6)
        assertEqual(
            object.boundingBox, CGRect(x: 10.0 / 64, y: 28.0 / 64, width: 30.0 / 64, height: 16.0 / 64), accuracy: 1e-6)
    }

    func testBoxesAreMappedToTheWholeImageUnderEachCropOption() throws {
        for (width, height) in [(256, 128), (128, 256), (200, 120), (64, 64)] {
            let box = (x: width / 2 - 20, y: height / 2 - 12, width: 32, height: 36)
            let truth = CGRect(
                x: Double(box.x) / Double(width), y: 1 - Double(box.y + box.height) / Double(height),
                width: Double(box.width) / Double(width), height: Double(box.height) / Double(height))
            let handler = VNImageRequestHandler(cvPixelBuffer: frame(width, height, box: box).pixelBuffer())
            for option in [VNImageCropAndScaleOption.centerCrop, .scaleFit, .scaleFill] {
                let found = try detect(handler, option).boundingBox
                // A pixel of the model is up to four of the image.
                assertEqual(found, truth, accuracy: 4.5 / CGFloat(min(width, height)))
            }
        }
    }

    func testTheBoxIsExactWhereTheScaleIsWhole() throws {
        // 128 × 64 stored, model 64 × 64.
        let handler = VNImageRequestHandler(cvPixelBuffer: frame(128, 64, box: (40, 8, 16, 32)).pixelBuffer())
        let truth = CGRect(x: 40.0 / 128, y: 24.0 / 64, width: 16.0 / 128, height: 32.0 / 64)
        assertEqual(try detect(handler, .centerCrop).boundingBox, truth, accuracy: 1e-6)
        for option in [VNImageCropAndScaleOption.scaleFit, .scaleFill] {
            assertEqual(try detect(handler, option).boundingBox, truth, accuracy: 0.02)
        }
    }

    func testABoxBeyondTheCropIsNotSeen() throws {
        // In the left end of a wide image, which the crop cuts off.
        let handler = VNImageRequestHandler(cvPixelBuffer: frame(256, 64, box: (4, 8, 16, 16)).pixelBuffer())
        let request = try VNCoreMLRequest(model: VNCoreMLModel(for: brightBoxDetector()))
        try handler.perform([request])
        XCTAssertEqual(request.results?.count, 0)
        request.imageCropAndScaleOption = .scaleFill
        try handler.perform([request])
        XCTAssertEqual(request.results?.count, 1)
    }

    func testBoxesAreRelativeToTheRegionOfInterest() throws {
        // The region is the right half: 64 × 64 pixels of 128 × 64.
        let handler = VNImageRequestHandler(cvPixelBuffer: frame(128, 64, box: (80, 8, 16, 32)).pixelBuffer())
        let region = CGRect(x: 0.5, y: 0, width: 0.5, height: 1)
        for option in [VNImageCropAndScaleOption.centerCrop, .scaleFit, .scaleFill] {
            let box = try detect(handler, option, region: region).boundingBox
            assertEqual(box, CGRect(x: 0.25, y: 24.0 / 64, width: 0.25, height: 0.5), accuracy: 1e-6)
            assertEqual(
                VNImageRectForNormalizedRectUsingRegionOfInterest(box, 128, 64, region),
                CGRect(x: 80, y: 24, width: 16, height: 32), accuracy: 1e-4)
        }
    }

    func testBoxesAreUprightForEveryOrientation() throws {
        let upright = frame(128, 64, box: (40, 8, 16, 32))
        for raw in UInt32(1)...8 {
            let orientation = try XCTUnwrap(CGImagePropertyOrientation(rawValue: raw))
            let handler = VNImageRequestHandler(
                cvPixelBuffer: upright.stored(for: orientation).pixelBuffer(), orientation: orientation)
            assertEqual(
                try detect(handler, .centerCrop).boundingBox,
                CGRect(x: 40.0 / 128, y: 24.0 / 64, width: 16.0 / 128, height: 32.0 / 64), accuracy: 1e-6)
        }
    }

    func testARawYOLOModelIsDecodedWithoutUserCode() throws {
        // 64 × 64: 84 cells. The row of the cell (2, 1) of stride 16 has the box.
        let session = try makeSession(
            inputs: [("images", .float32, [1, 3, 64, 64])], outputs: [("output", [1, 84, 11])],
            shapes: { _ in [[1, 84, 11]] },
            body: { _ in
                var values = [Float](repeating: 0, count: 84 * 11)
                values.replaceSubrange(
                    70 * 11..<71 * 11, with: [0.5, 0.5, 0, Float(log(2.0)), 0.9, 0, 0, 0.8, 0, 0.1, 0.1])
                return [values]
            })
        let labels = breakfast.map { "\"\($0)\"" }.joined(separator: ",")
        let request = try VNCoreMLRequest(model: VNCoreMLModel(for: makeModel(session, "{\"labels\": [\(labels)]}")))
        request.imageCropAndScaleOption = .scaleFill
        let results: [VNRecognizedObjectObservation] =
            try VNImageRequestHandler(cvPixelBuffer: frame(320, 240, box: (0, 0, 9, 9)).pixelBuffer())
            .results(of: request)
        XCTAssertEqual(results.count, 1)
        XCTAssertEqual(results[0].labels.map(\.identifier).first, "coffee")
        XCTAssertEqual(results[0].confidence, 0.9, accuracy: 1e-5)
        // Centre (40, 24), size (16, 32) of 64: top at 8.
        assertEqual(
            results[0].boundingBox, CGRect(x: 0.5, y: 1 - 40.0 / 64, width: 0.25, height: 0.5), accuracy: 1e-5)
    }

    func testObjectsAreInTheOrderOfTheirConfidences() throws {
        // The best class of the first box is more likely, but not all classes together.
        let session = try makeSession(
            inputs: [("image", .float32, [1, 3, 8, 8])], outputs: [("coordinates", [2, 4]), ("confidence", [2, 3])],
            shapes: { _ in [[2, 4], [2, 3]] },
            body: { _ in [[0.2, 0.2, 0.2, 0.2, 0.7, 0.7, 0.2, 0.2], [0.6, 0, 0, 0.4, 0.35, 0]] })
        let request = try VNCoreMLRequest(model: VNCoreMLModel(for: makeModel(session)))
        let results: [VNRecognizedObjectObservation] =
            try VNImageRequestHandler(cvPixelBuffer: frame(8, 8, box: (0, 0, 1, 1)).pixelBuffer()).results(of: request)
        XCTAssertEqual(results.map(\.confidence), [0.75, 0.6])
    }

    func testClassesWithoutLabelsAreNumbered() throws {
        let session = try makeSession(
            inputs: [("image", .float32, [1, 3, 8, 8])], outputs: [("coordinates", [1, 4]), ("confidence", [1, 3])],
            shapes: { _ in [[1, 4], [1, 3]] }, body: { _ in [[0.5, 0.5, 1, 1], [0.1, 0.2, 0.7]] })
        let request = try VNCoreMLRequest(model: VNCoreMLModel(for: makeModel(session)))
        let results: [VNRecognizedObjectObservation] =
            try VNImageRequestHandler(cvPixelBuffer: frame(8, 8, box: (0, 0, 1, 1)).pixelBuffer()).results(of: request)
        XCTAssertEqual(results.first?.labels.map(\.identifier), ["2", "1", "0"])
        XCTAssertEqual(results.first?.boundingBox, CGRect(x: 0, y: 0, width: 1, height: 1))
    }
}
