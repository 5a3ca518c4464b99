import ModelTestSupport
import VisionImage
import XCTest

@testable import Vision

/// Cats and dogs in photographs. The network is built in: nothing has to be installed.
final class AnimalRequestTests: XCTestCase {
    private func animals(
        in name: String, _ orientation: CGImagePropertyOrientation = .up,
        region: CGRect = VNNormalizedIdentityRect
    ) throws -> [VNRecognizedObjectObservation] {
        let request = VNRecognizeAnimalsRequest()
        request.regionOfInterest = region
        let handler = VNImageRequestHandler(url: GuidePhotos.url(name), orientation: orientation)
        try handler.perform([request])
        XCTAssertEqual(handler.networkRuns, 1)
        return try XCTUnwrap(request.results)
    }

    func testACatIsFoundAndIsNoDog() throws {
        let found = try animals(in: "cat")
        XCTAssertEqual(found.count, 1)
        let cat = try XCTUnwrap(found.first)
        XCTAssertEqual(cat.labels.map(\.identifier), ["Cat", "Dog"])
        XCTAssertEqual(cat.labels.map(\.confidence).reduce(0, +), 1, accuracy: 1e-5)
        XCTAssertGreaterThan(cat.labels[0].confidence, 0.9)
        XCTAssertGreaterThan(cat.confidence, 0.8)
        let truth = CGRect(x: 0, y: 0.03, width: 0.94, height: 0.94)
        XCTAssertGreaterThan(cat.boundingBox.sharedPart(with: truth), 0.9, "\(cat.boundingBox)")
    }

    func testTheBoxTurnsWithTheImage() throws {
        let upright = try XCTUnwrap(try animals(in: "cat").first).boundingBox
        let mirrored = try XCTUnwrap(try animals(in: "cat", .upMirrored).first).boundingBox
        let expected = CGRect(
            x: 1 - upright.maxX, y: upright.minY, width: upright.width, height: upright.height)
        XCTAssertGreaterThan(mirrored.sharedPart(with: expected), 0.9, "\(mirrored)")
    }

    /// The three sizes of the network's input, by the aspect ratio of the region. Boxes are relative to the region.
    func testTheCatFillsRegionsOfAllAspectRatios() throws {
        for region in [
            CGRect(x: 0.1, y: 0.1, width: 0.8, height: 0.7), CGRect(x: 0.2, y: 0, width: 0.66, height: 1),
            CGRect(x: 0.25, y: 0.05, width: 0.45, height: 0.95), CGRect(x: 0, y: 0.2, width: 1, height: 0.75),
            CGRect(x: 0.3, y: 0, width: 0.3, height: 1),
        ] {
            let cat = try XCTUnwrap(try animals(in: "cat", region: region).first, "\(region)")
            XCTAssertEqual(cat.labels.first?.identifier, "Cat")
            let box = cat.boundingBox
            XCTAssertGreaterThan(box.sharedPart(with: VNNormalizedIdentityRect), 0.75, "\(box) in \(region)")
        }
    }

    /// A cat so small that the first run leaves doubts: a dog's score is half as high. The second processes the part
    /// around it.
    func testASmallCatIsProcessedTwice() throws {
        let (width, height) = (451, 300)
        let cat = try ImageSource(url: GuidePhotos.url("cat")).derivative(
            Derivative(
                region: PixelRegion(width: width, height: height), width: 96, height: 96, format: .rgb8, fit: .fill))
        let image = CGImage(raster: try cat.padded(toWidth: 640, height: 640, x: 300, y: 340))
        let request = VNRecognizeAnimalsRequest()
        let handler = VNImageRequestHandler(cgImage: image)
        try handler.perform([request])
        XCTAssertEqual(handler.networkRuns, 2)
        let found = try XCTUnwrap(request.results)
        XCTAssertEqual(found.count, 1)
        let box = try XCTUnwrap(found.first).boundingBox
        let truth = CGRect(x: 300.0 / 640, y: 206.0 / 640, width: 91.0 / 640, height: 91.0 / 640)
        XCTAssertGreaterThan(box.sharedPart(with: truth), 0.75, "\(box)")
        XCTAssertEqual(found[0].labels[0].identifier, "Cat")
        XCTAssertGreaterThan(found[0].labels[0].confidence, 0.73, "the first run alone has less")
        // Another request of the same handler shares both runs.
        try handler.perform([VNRecognizeAnimalsRequest()])
        XCTAssertEqual(handler.networkRuns, 2)
    }

    func testRegionsThinnerThanAPixelGiveAResult() throws {
        for side in [1e-3, 2e-6] {
            _ = try animals(in: "cat", region: CGRect(x: 0, y: 0.5, width: 1, height: side))
            _ = try animals(in: "cat", region: CGRect(x: 0.5, y: 0, width: side, height: 1))
        }
    }

    func testPicturesWithoutAnimalsHaveNone() throws {
        for name in ["astronaut", "coffee"] { XCTAssertEqual(try animals(in: name).count, 0, name) }
    }
}
