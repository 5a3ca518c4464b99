import Foundation
import VisionModels
import XCTest

@testable import Vision

/// Classification with the networks of the store.
final class ClassifyImageTests: XCTestCase {
    override func setUpWithError() throws { try requireSceneNetwork() }

    private func classify(_ image: CGImage, _ change: (VNClassifyImageRequest) -> Void = { _ in }) throws
        -> [String: VNConfidence]
    {
        let request = VNClassifyImageRequest()
        change(request)
        try VNImageRequestHandler(cgImage: image).perform([request])
        return Dictionary(
            uniqueKeysWithValues: try XCTUnwrap(request.results).map { ($0.identifier, $0.confidence) })
    }

    /// Identifiers of the classes that are outputs of the network, best first.
    private func leaves(_ confidences: [String: VNConfidence]) -> [String] {
        let leaves = SceneTaxonomy.shared.classes.filter { !$0.outputs.isEmpty }.map(\.identifier)
        return leaves.sorted { (confidences[$0] ?? 0) > (confidences[$1] ?? 0) }
    }

    // MARK: - Results

    func testThereIsOneObservationForEveryClassHighestFirst() throws {
        let request = VNClassifyImageRequest()
        try VNImageRequestHandler(cgImage: Drawing.clock.image()).perform([request])
        let results = try XCTUnwrap(request.results)
        let known = try VNClassifyImageRequest.knownClassifications(forRevision: VNClassifyImageRequestRevision2)
        XCTAssertEqual(Set(results.map(\.identifier)), Set(known.map(\.identifier)))
        XCTAssertEqual(results.count, known.count)
        XCTAssertEqual(results.map(\.confidence), results.map(\.confidence).sorted(by: >))
        XCTAssertTrue(results.allSatisfy { (0...1).contains($0.confidence) })
        XCTAssertEqual(Set(results.map(\.uuid)).count, results.count)
        XCTAssertTrue(results.allSatisfy { $0.requestRevision == VNClassifyImageRequestRevision2 })
    }

    func testEveryRevisionRecognisesDrawings() throws {
        for revision in SceneScoring.backbones.keys.sorted() {
            try requireClassification(revision: revision)
            for drawing in Drawing.allCases {
                let confidences = try classify(drawing.image()) { $0.revision = revision }
                XCTAssertEqual(leaves(confidences).first, drawing.identifier, "revision \(revision)")
            }
        }
    }

    func testTheConfidenceOfAClassIsAtLeastThatOfTheBestBelowIt() throws {
        let taxonomy = SceneTaxonomy.shared
        for drawing in Drawing.allCases {
            let confidences = try classify(drawing.image())
            for one in taxonomy.classes {
                let own = try XCTUnwrap(confidences[one.identifier])
                for child in one.children {
                    let below = try XCTUnwrap(confidences[taxonomy.classes[child].identifier])
                    XCTAssertGreaterThanOrEqual(own, below, "\(one.identifier)")
                }
            }
        }
    }

    func testTwoObjectsInOneImageBothScore() throws {
        let both = try classify(Drawing.image([.honeycomb, .spiderWeb]))
        let neither = try classify(Drawing.trafficLight.image())
        for drawing in [Drawing.honeycomb, .spiderWeb] {
            XCTAssertTrue(leaves(both).prefix(5).contains(drawing.identifier), drawing.identifier)
            let confidence = try XCTUnwrap(both[drawing.identifier])
            XCTAssertGreaterThan(confidence, 10 * (try XCTUnwrap(neither[drawing.identifier])), drawing.identifier)
        }
    }

    func testARegionOfInterestIsAllThatIsSeen() throws {
        let image = Drawing.image([.clock, .trafficLight])
        let left = try classify(image) { $0.regionOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 1) }
        let right = try classify(image) { $0.regionOfInterest = CGRect(x: 0.5, y: 0, width: 0.5, height: 1) }
        XCTAssertEqual(leaves(left).first, Drawing.clock.identifier)
        XCTAssertEqual(leaves(right).first, Drawing.trafficLight.identifier)
        // The filter that scales the region reads a few pixels beyond its edge.
        let alone = try classify(Drawing.clock.image())
        for (identifier, confidence) in alone {
            XCTAssertEqual(try XCTUnwrap(left[identifier]), confidence, accuracy: 0.05, identifier)
        }
    }

    func testTheWholeImageIsSeen() throws {
        // The clock hangs at the very left of a wide wall: a square about the middle would not show it.
        let wide = Drawing.image([.clock, .honeycomb, .honeycomb], width: 320, height: 320)
        XCTAssertTrue(leaves(try classify(wide)).prefix(5).contains { $0.contains("clock") })
    }

    func testTheImageIsRotatedUpright() throws {
        let request = VNClassifyImageRequest()
        let frame = Drawing.trafficLight.image()
        try VNImageRequestHandler(cgImage: frame, orientation: .upMirrored).perform([request])
        // The drawing is its own mirror image.
        let mirrored = try XCTUnwrap(request.results)
        let straight = try classify(frame)
        for observation in mirrored {
            XCTAssertEqual(observation.confidence, try XCTUnwrap(straight[observation.identifier]), accuracy: 1e-3)
        }
    }

    func testResultsDoNotDependOnTheNumberOfThreads() throws {
        defer { Settings.setThreadCount(nil) }
        Settings.setThreadCount(1)
        let one = try classify(Drawing.clock.image())
        Settings.setThreadCount(3)
        XCTAssertEqual(try classify(Drawing.clock.image()), one)
    }

    // MARK: - Shared runs

    func testRequestsOfOnePerformShareARunOfTheNetwork() throws {
        let handler = VNImageRequestHandler(cgImage: Drawing.clock.image())
        let requests = (0..<3).map { _ in VNClassifyImageRequest() }
        try handler.perform(requests)
        XCTAssertEqual(handler.core.networkRunCount, 1)
        let first = try XCTUnwrap(requests[0].results)
        for request in requests {
            XCTAssertEqual(request.results?.map(\.identifier), first.map(\.identifier))
            XCTAssertEqual(request.results?.map(\.confidence), first.map(\.confidence))
        }
        try handler.perform([VNClassifyImageRequest()])
        XCTAssertEqual(handler.core.networkRunCount, 1, "a later perform finds the features")

        let part = VNClassifyImageRequest()
        part.regionOfInterest = CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        try handler.perform([part])
        XCTAssertEqual(handler.core.networkRunCount, 2)
    }

    func testClassificationAndPrintShareARunOfTheNetwork() throws {
        let handler = VNImageRequestHandler(cgImage: Drawing.image([.clock, .honeycomb]))
        let (classify, print) = (VNClassifyImageRequest(), VNGenerateImageFeaturePrintRequest())
        try handler.perform([classify, print])
        XCTAssertEqual(classify.results?.isEmpty, false)
        XCTAssertEqual(print.results?.count, 1)
        XCTAssertEqual(handler.core.networkRunCount, 1)

        print.imageCropAndScaleOption = .centerCrop
        try handler.perform([classify, print])
        XCTAssertEqual(handler.core.networkRunCount, 2, "another crop is another input")
        print.imageCropAndScaleOption = .scaleFill
        (classify.revision, print.revision) = (1, 2)
        try requireSceneNetwork(revision: 2)
        try handler.perform([classify, print])
        XCTAssertEqual(handler.core.networkRunCount, 3, "and so is another network")
    }

    func testASequenceHandlerClassifiesEachFrame() throws {
        let handler = VNSequenceRequestHandler()
        let request = VNClassifyImageRequest()
        for (number, drawing) in [Drawing.clock, .honeycomb].enumerated() {
            try handler.perform([request], on: drawing.image())
            let confidences = try XCTUnwrap(request.results).map { ($0.identifier, $0.confidence) }
            XCTAssertEqual(leaves(Dictionary(uniqueKeysWithValues: confidences)).first, drawing.identifier)
            XCTAssertEqual(handler.core.networkRunCount, number + 1)
        }
    }

    // MARK: - As written for Apple's framework

    func testPhotosAreTaggedAndFoundAsInTheSession() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var urls: [URL] = []
        for drawing in Drawing.allCases {
            let url = folder.appendingPathComponent("\(drawing.identifier).jpg")
            try drawing.jpeg(width: 400, height: 300).write(to: url)
            urls.append(url)
        }
        var tagged = 0
        for (drawing, url) in zip(Drawing.allCases, urls) {
            let found = photos(of: drawing.identifier, atLeast: 0, in: urls)
            XCTAssertEqual(found.count, urls.count)
            XCTAssertEqual(found.first, url)
            let tags = try PhotoTags(url: url)
            XCTAssertTrue(Set(tags.captions.keys).isSubset(of: searchableWords()))
            if tags.searchTerms[drawing.identifier] != nil { tagged += 1 }
        }
        // A drawing need not have the confidence of four of five photos.
        XCTAssertGreaterThanOrEqual(tagged, 3)
        XCTAssertTrue(photos(of: "spider_web", atLeast: 1.1, in: urls).isEmpty)
    }
}
