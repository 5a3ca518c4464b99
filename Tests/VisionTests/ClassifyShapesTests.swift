import VisionModels
import XCTest

@testable import Vision

/// Revision 3 of classification, which sees images at nearly their own aspect ratio.
final class ClassifyShapesTests: XCTestCase {
    override func setUpWithError() throws { try requireClassification(revision: 3) }

    private func request(_ revision: Int = 3, region: CGRect = VNNormalizedIdentityRect) -> VNClassifyImageRequest {
        let request = VNClassifyImageRequest()
        request.revision = revision
        request.regionOfInterest = region
        return request
    }

    private func confidences(_ request: VNClassifyImageRequest) throws -> [String: VNConfidence] {
        Dictionary(uniqueKeysWithValues: try XCTUnwrap(request.results).map { ($0.identifier, $0.confidence) })
    }

    private func classify(_ image: CGImage, _ request: VNClassifyImageRequest) throws -> [String: VNConfidence] {
        try VNImageRequestHandler(cgImage: image).perform([request])
        return try confidences(request)
    }

    /// The rank of a class among those that are outputs of the network, 0 for the best.
    private func rank(_ identifier: String, in confidences: [String: VNConfidence]) throws -> Int {
        let leaves = SceneTaxonomy.shared.classes.filter { !$0.outputs.isEmpty }.map(\.identifier)
        let own = try XCTUnwrap(confidences[identifier])
        return leaves.count { (confidences[$0] ?? 0) > own }
    }

    // MARK: - Aspect ratio

    /// Every drawing at the left and at the right end of an image 2.4 times as wide as high. Stretched to a square,
    /// they are too narrow for the network.
    func testAnObjectThatFillsAnEndIsFound() throws {
        var ranks: [Int: [Int]] = [:]
        for drawing in Drawing.allCases {
            for other in Drawing.allCases where other != drawing {
                let image = Drawing.image([drawing, other], width: 384, height: 320)
                for revision in [2, 3] {
                    let found = try classify(image, request(revision))
                    for one in [drawing, other] {
                        ranks[revision, default: []].append(try rank(one.identifier, in: found))
                    }
                }
            }
        }
        let (square, own) = (try XCTUnwrap(ranks[2]), try XCTUnwrap(ranks[3]))
        XCTAssertTrue(own.allSatisfy { $0 < 5 }, "\(own)")
        XCTAssertFalse(square.allSatisfy { $0 < 5 }, "\(square)")
    }

    func testTheImageIsSeenUpright() throws {
        let side = 256
        func grey(_ x: Int, _ y: Int) -> UInt8 {
            let drawing = x < side ? Drawing.clock : .trafficLight
            let position = SIMD2(Double(x % side) + 0.5, Double(y) + 0.5) / Double(side)
            return UInt8(max(0, min(255, drawing.colour(position.x, position.y).y)))
        }
        let upright = GreyFrame(width: 2 * side, height: side, pixel: grey)
        // The pixels are those of a tall image that is shown turned by a quarter clockwise.
        let turned = GreyFrame(width: side, height: 2 * side) { x, y in grey(2 * side - 1 - y, x) }
        let results = try [(upright, CGImagePropertyOrientation.up), (turned, .right)].map { frame, orientation in
            let request = request()
            let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer(), orientation: orientation)
            try handler.perform([request])
            return try confidences(request)
        }
        for (identifier, confidence) in results[0] {
            XCTAssertEqual(try XCTUnwrap(results[1][identifier]), confidence, accuracy: 1e-3, identifier)
        }
    }

    func testTheAspectIsThatOfTheRegionOfInterest() throws {
        let image = Drawing.image([.clock, .trafficLight, .honeycomb], width: 320, height: 320)
        let third = CGRect(x: 1.0 / 3, y: 0, width: 1.0 / 3, height: 1)
        let middle = try classify(image, request(region: third))
        let alone = try classify(Drawing.trafficLight.image(), request())
        XCTAssertEqual(try rank(Drawing.trafficLight.identifier, in: middle), 0)
        // The filter that scales the region reads a few pixels beyond its edge.
        for (identifier, confidence) in alone {
            XCTAssertEqual(try XCTUnwrap(middle[identifier]), confidence, accuracy: 0.05, identifier)
        }
    }

    func testImagesOfEverySizeHaveResults() throws {
        let known = try VNClassifyImageRequest.knownClassifications(forRevision: 3).count
        for (width, height) in [(1, 1), (1, 2000), (2000, 1), (2, 3), (7, 5), (33, 1000), (1000, 33), (261, 259)] {
            let frame = GreyFrame(width: width, height: height) { x, y in UInt8((x * 7 + y * 13) % 256) }
            let request = request()
            try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()).perform([request])
            let results = try XCTUnwrap(request.results)
            XCTAssertEqual(results.count, known, "\(width) × \(height)")
            XCTAssertTrue(results.allSatisfy { (0...1).contains($0.confidence) && $0.requestRevision == 3 })
        }
    }

    func testResultsDoNotDependOnTheNumberOfThreads() throws {
        defer { Settings.setThreadCount(nil) }
        let image = Drawing.image([.clock, .spiderWeb])
        Settings.setThreadCount(1)
        let one = try classify(image, request())
        Settings.setThreadCount(3)
        XCTAssertEqual(try classify(image, request()), one)
    }

    // MARK: - Runs of the network

    func testAWideImageHasARunOfItsOwn() throws {
        let print = VNGenerateImageFeaturePrintRequest()
        print.revision = VNGenerateImageFeaturePrintRequestRevision2
        let wide = VNImageRequestHandler(cgImage: Drawing.image([.clock, .honeycomb]))
        try wide.perform([request(2), print])
        XCTAssertEqual(wide.core.networkRunCount, 1)
        try wide.perform([request(3), request(3)])
        XCTAssertEqual(wide.core.networkRunCount, 2)
        try wide.perform([request(3)])
        XCTAssertEqual(wide.core.networkRunCount, 2, "a later perform finds the features")
    }

    func testASquareImageSharesTheRunOfTheSquare() throws {
        let square = VNImageRequestHandler(cgImage: Drawing.clock.image())
        try square.perform([request(2), request(3)])
        XCTAssertEqual(square.core.networkRunCount, 1)
    }
}
