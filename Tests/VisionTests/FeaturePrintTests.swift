import VisionModels
import XCTest

@testable import Vision

final class FeaturePrintTests: XCTestCase {
    /// Two unrelated textures, one fine, the other coarse.
    private let fine = Scene(seed: 4, wavelengths: 4...20)
    private let coarse = Scene(seed: 9, wavelengths: 60...200)

    private func frame(_ scene: Scene, x: Double = 0) -> GreyFrame { scene.frame(width: 240, height: 180, x: x) }

    private func print(
        _ frame: GreyFrame, revision: Int = 1, region: CGRect = VNNormalizedIdentityRect,
        option: VNImageCropAndScaleOption = .scaleFill
    ) throws -> VNFeaturePrintObservation {
        let request = VNGenerateImageFeaturePrintRequest()
        request.revision = revision
        request.regionOfInterest = region
        request.imageCropAndScaleOption = option
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()).perform([request])
        XCTAssertEqual(request.results?.count, 1)
        return try XCTUnwrap(request.results?.first)
    }

    private func observation(_ elements: [Float], revision: Int = 1) throws -> VNFeaturePrintObservation {
        VNFeaturePrintObservation(
            vector: try PrintVector(revision: revision, elements: elements), requestRevision: revision)
    }

    private func distance(_ a: VNFeaturePrintObservation, _ b: VNFeaturePrintObservation) throws -> Float {
        var distance = Float(-1)
        try a.computeDistance(&distance, to: b)
        return distance
    }

    // MARK: - The observation

    func testTheDistanceIsThatOfTheElements() throws {
        XCTAssertEqual(try distance(observation([1, 0]), observation([0, 1])), Float(2).squareRoot())
        XCTAssertEqual(try distance(observation([0.6, 0.8]), observation([0.6, 0.8])), 0)
    }

    func testPrintsOfOtherRevisionsOrLengthsHaveNoDistance() throws {
        let print = try observation([1, 0])
        for other in try [observation([1, 0], revision: 2), observation([1, 0, 0])] {
            var distance = Float(7)
            assertThrows(.invalidOperation) { try print.computeDistance(&distance, to: other) }
            XCTAssertEqual(distance, 7)
        }
    }

    func testPrintsSurviveArchives() throws {
        let print = try observation([0.1, -0.25, 3e-9, 0])
        let data = try NSKeyedArchiver.archivedData(withRootObject: print, requiringSecureCoding: true)
        let back = try XCTUnwrap(
            NSKeyedUnarchiver.unarchivedObject(ofClass: VNFeaturePrintObservation.self, from: data))
        XCTAssertEqual(back, print)
        XCTAssertEqual(back.data, print.data)
        XCTAssertEqual(try distance(back, print), 0)
    }

    func testArchivesWithoutAPrintGiveNil() throws {
        let sound = try observation([0.5, 0.5]).archived
        XCTAssertNotNil(VNFeaturePrintObservation(archive: sound))
        let nan = withUnsafeBytes(of: Float.nan) { Data($0) }
        for text in ["", "AAAA", "no base 64!", nan.base64EncodedString(), Data(count: 9000).base64EncodedString()] {
            var damaged = sound
            damaged.set("data", text)
            XCTAssertNil(VNFeaturePrintObservation(archive: damaged), text)
        }
    }

    // MARK: - The request

    func testDefaults() {
        let request = VNGenerateImageFeaturePrintRequest()
        XCTAssertEqual(request.imageCropAndScaleOption, .scaleFill)
        XCTAssertEqual(request.revision, VNGenerateImageFeaturePrintRequestRevision2)
        XCTAssertEqual(VNGenerateImageFeaturePrintRequest.supportedRevisions, [1, 2, 3])
        XCTAssertNil(request.results)
        request.imageCropAndScaleOption = .centerCrop
        let copy = request.copy() as? VNGenerateImageFeaturePrintRequest
        XCTAssertEqual(copy?.imageCropAndScaleOption, .centerCrop)
    }

    func testUnknownRevisionsAndOptionsFail() throws {
        let request = VNGenerateImageFeaturePrintRequest()
        request.revision = 4
        let handler = VNImageRequestHandler(cvPixelBuffer: frame(fine).pixelBuffer())
        assertThrows(.unsupportedRevision) { try handler.perform([request]) }
        request.revision = 1
        request.imageCropAndScaleOption = .scaleFillRotate90CCW
        assertThrows(.notImplemented) { try handler.perform([request]) }
        XCTAssertNil(request.results)
    }

    func testAPrintIsAVectorOfLengthOneInEveryRevision() throws {
        for revision in [1, 2, 3] {
            try requireSceneNetwork(revision: min(revision, 2))
            let print = try print(frame(fine), revision: revision)
            XCTAssertEqual(print.requestRevision, revision)
            XCTAssertEqual(print.elementType, .float)
            XCTAssertEqual(print.elementCount, 512)
            XCTAssertEqual(print.data.count, print.elementCount * VNElementTypeSize(print.elementType))
            XCTAssertEqual(print.confidence, 1)
            let length = print.vector.elements.reduce(0) { $0 + $1 * $1 }.squareRoot()
            XCTAssertEqual(length, 1, accuracy: 1e-5)
        }
    }

    func testTheSameImageGivesTheSamePrint() throws {
        try requireSceneNetwork()
        let (first, second) = (try print(frame(fine)), try print(frame(fine)))
        XCTAssertNotEqual(first.uuid, second.uuid)
        XCTAssertEqual(first.data, second.data)
        XCTAssertEqual(try distance(first, second), 0)
    }

    func testChangesOfAnImageStayNearerThanAnotherImage() throws {
        try requireSceneNetwork()
        let original = try print(frame(fine))
        let other = try distance(original, print(frame(coarse)))
        XCTAssertEqual(try distance(print(frame(coarse)), original), other)
        let moved = try print(frame(fine, x: 12))
        var dark = frame(fine)
        for y in 0..<180 { for x in 0..<240 { dark[x, y] = UInt8(Double(dark[x, y]) * 0.7) } }
        let cropped = try print(frame(fine), region: CGRect(x: 0.05, y: 0.05, width: 0.9, height: 0.9))
        for changed in [moved, try print(dark), cropped] {
            let change = try distance(original, changed)
            XCTAssertGreaterThan(change, 0)
            XCTAssertLessThan(change, 0.7 * other)
        }
    }

    func testTheRequestSeesItsRegionAlone() throws {
        try requireSceneNetwork()
        // The fine texture to the left, the coarse one to the right.
        let (one, other) = (frame(fine), frame(coarse))
        let both = GreyFrame(width: 480, height: 180) { x, y in x < 240 ? one[x, y] : other[x - 240, y] }
        let left = try print(both, region: CGRect(x: 0, y: 0, width: 0.5, height: 1))
        XCTAssertEqual(try distance(left, print(one)), 0, accuracy: 0.05)
        XCTAssertGreaterThan(try distance(left, print(other)), 0.5)
    }

    func testTheCropOptionDecidesWhatIsSeen() throws {
        try requireSceneNetwork()
        let frame = frame(fine)
        let square = GreyFrame(width: 180, height: 180) { x, y in frame[x + 30, y] }
        let middle = try print(frame, option: .centerCrop)
        XCTAssertEqual(try distance(middle, print(square)), 0, accuracy: 0.02)
        XCTAssertGreaterThan(try distance(middle, print(frame)), 0.02)
        XCTAssertGreaterThan(try distance(print(frame, option: .scaleFit), print(frame)), 0.02)
    }

    func testTwoPrintsOfAnImageRunTheNetworkOnce() throws {
        try requireSceneNetwork()
        let handler = VNImageRequestHandler(cvPixelBuffer: frame(fine).pixelBuffer())
        let requests = [VNGenerateImageFeaturePrintRequest(), VNGenerateImageFeaturePrintRequest()]
        try handler.perform(requests)
        try handler.perform([requests[0]])
        XCTAssertEqual(handler.core.networkRunCount, 1)
        XCTAssertEqual(requests[0].results?.first?.data, requests[1].results?.first?.data)
    }

    func testPrintsOfTheTwoRevisionsCannotBeCompared() throws {
        for revision in [1, 2] { try requireSceneNetwork(revision: revision) }
        let (first, second) = (try print(frame(fine)), try print(frame(fine), revision: 2))
        assertThrows(.invalidOperation) { _ = try self.distance(first, second) }
    }

    func testTheSimilarityGameRanksTheMostSimilarFirst() throws {
        try requireSceneNetwork()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("prints-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ frame: GreyFrame) throws -> URL {
            let url = folder.appendingPathComponent(name)
            try frame.jpeg().write(to: url)
            return url
        }
        let contestants = [
            try file("coarse.jpg", frame(coarse)), try file("moved.jpg", frame(fine, x: 8)),
            try file("same.jpg", frame(fine)),
        ]
        let game = SimilarityGame()
        game.processImages(original: try file("original.jpg", frame(fine)), contestants: contestants)
        XCTAssertEqual(game.ranking.map(\.image.lastPathComponent), ["same.jpg", "moved.jpg", "coarse.jpg"])
        XCTAssertEqual(game.ranking.first?.distance, 0)
    }
}
