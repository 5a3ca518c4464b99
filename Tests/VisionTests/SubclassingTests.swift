import Vision
import XCTest

/// A face with a value of its own, in archives, too: those of Linux hold top-level classes only.
final class TaggedFace: VNFaceObservation, @unchecked Sendable {
    let tag: String

    init(tag: String) {
        self.tag = tag
        super.init()
    }

    required init?(coder: NSCoder) {
        tag = coder.decodeObject(of: NSString.self, forKey: "tag").map { "\($0)" } ?? ""
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(tag as NSString, forKey: "tag")
    }
}

/// What apps and their tests derive from the classes, from another module.
final class SubclassingTests: XCTestCase {
    private final class FoundText: VNRecognizedTextObservation, @unchecked Sendable {
        private final class Reading: VNRecognizedText, @unchecked Sendable {
            override var string: String { "TOTAL 12.40" }
            override var confidence: VNConfidence { 0.8 }
        }

        override var boundingBox: CGRect { CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.1) }
        override func topCandidates(_ maximumCandidateCount: Int) -> [VNRecognizedText] { [Reading()] }
    }

    private final class UnknownRequest: VNRequest {
        override var results: [VNObservation]? { [VNObservation()] }
    }

    private final class CountingRequest: VNDetectBarcodesRequest {
        var cancellations = 0
        override func cancel() { cancellations += 1 }
    }

    private final class CannedHandler: VNImageRequestHandler, @unchecked Sendable {
        override func perform(_ requests: [VNRequest]) throws {
            throw NSError(domain: VNErrorDomain, code: VNErrorCode.timeout.rawValue)
        }
    }

    private func handler() throws -> VNImageRequestHandler {
        VNImageRequestHandler(
            cvPixelBuffer: GreyFrame(width: 64, height: 48) { column, _ in UInt8(column) }.pixelBuffer())
    }

    func testObservationsOfTestsOverrideWhatARequestFinds() {
        let found: VNRecognizedTextObservation = FoundText()
        XCTAssertEqual(found.topCandidates(1).first?.string, "TOTAL 12.40")
        XCTAssertEqual(found.boundingBox.width, 0.3)
        XCTAssertNotEqual(found, FoundText())
        XCTAssertEqual(found.requestRevision, VNRequestRevisionUnspecified)
    }

    func testSubclassesWithValuesOfTheirOwnAreArchived() throws {
        let face = TaggedFace(tag: "left")
        let data = try NSKeyedArchiver.archivedData(withRootObject: face, requiringSecureCoding: true)
        let read = try XCTUnwrap(NSKeyedUnarchiver.unarchivedObject(ofClass: TaggedFace.self, from: data))
        XCTAssertEqual(read.tag, "left")
        XCTAssertEqual(read.uuid, face.uuid)
        XCTAssertEqual(read.boundingBox, .zero)
    }

    func testARequestOfAnotherModuleFailsToPerform() throws {
        let request = UnknownRequest()
        XCTAssertThrowsError(try handler().perform([request])) { error in
            XCTAssertEqual((error as NSError).code, VNErrorCode.invalidOperation.rawValue)
            XCTAssertTrue("\(error.localizedDescription)".contains("UnknownRequest"))
        }
        XCTAssertEqual(request.results?.count, 1)
        XCTAssertThrowsError(
            try VNSequenceRequestHandler().perform(
                [request], on: GreyFrame(width: 64, height: 48) { column, _ in UInt8(column) }.pixelBuffer()))
        XCTAssertTrue(UnknownRequest.supportedRevisions.isEmpty)
        XCTAssertTrue(request.copy() is VNRequest)
    }

    func testASubclassOfARequestThatRunsRuns() throws {
        let request = CountingRequest()
        try handler().perform([request])
        XCTAssertEqual(request.results?.count, 0)
        request.cancel()
        XCTAssertEqual(request.cancellations, 1)
        XCTAssertEqual(CountingRequest.defaultRevision, VNDetectBarcodesRequest.defaultRevision)
    }

    func testAFaceOfTheUsersOwnClassIsAnInput() throws {
        let request = VNDetectFaceLandmarksRequest()
        request.inputFaceObservations = [TaggedFace(tag: "empty box")]
        XCTAssertThrowsError(try handler().perform([request])) { error in
            XCTAssertEqual((error as NSError).code, VNErrorCode.invalidArgument.rawValue)
        }
    }

    func testHandlersOfTestsReplaceTheirPerform() {
        XCTAssertThrowsError(
            try CannedHandler(
                cvPixelBuffer: GreyFrame(width: 64, height: 48) { column, _ in UInt8(column) }.pixelBuffer()
            ).perform([VNDetectBarcodesRequest()]))
    }
}
