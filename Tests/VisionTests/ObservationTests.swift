import Vision
import VisionImage
import XCTest

final class ObservationTests: XCTestCase {
    func testAnObservationCreatedDirectlyHasFullConfidenceAndAUuid() {
        let box = CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4)
        let first = VNDetectedObjectObservation(boundingBox: box)
        let second = VNDetectedObjectObservation(boundingBox: box)
        XCTAssertEqual(first.boundingBox, box)
        XCTAssertEqual(first.confidence, 1)
        XCTAssertEqual(first.requestRevision, VNRequestRevisionUnspecified)
        XCTAssertNotEqual(first.uuid, second.uuid)
        XCTAssertNotEqual(first, second)
        XCTAssertEqual(VNDetectedObjectObservation(requestRevision: 2, boundingBox: box).requestRevision, 2)
    }

    func testTheBoxOfARectangleIsTheSmallestAroundItsCorners() {
        let rectangle = VNRectangleObservation(
            requestRevision: 1, topLeft: CGPoint(x: 0.2, y: 0.9), bottomLeft: CGPoint(x: 0.1, y: 0.3),
            bottomRight: CGPoint(x: 0.8, y: -0.1), topRight: CGPoint(x: 0.7, y: 0.8))
        assertEqual(rectangle.boundingBox, CGRect(x: 0.1, y: -0.1, width: 0.7, height: 1), accuracy: 1e-12)
        XCTAssertEqual(rectangle.requestRevision, 1)
        let upright = VNRectangleObservation(boundingBox: CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.25))
        XCTAssertEqual(upright.topLeft, CGPoint(x: 0.25, y: 0.5))
        XCTAssertEqual(upright.bottomRight, CGPoint(x: 0.75, y: 0.25))
    }

    func testACopyKeepsUuidAndRevision() throws {
        let original = VNDetectedObjectObservation(
            requestRevision: 2, boundingBox: CGRect(x: 0, y: 0, width: 0.5, height: 0.5))
        let copy = try XCTUnwrap(original.copy() as? VNDetectedObjectObservation)
        XCTAssertEqual(copy.uuid, original.uuid)
        XCTAssertEqual(copy.requestRevision, 2)
        XCTAssertEqual(copy, original)
    }

    func testArchivesKeepAllProperties() throws {
        let box = VNDetectedObjectObservation(
            requestRevision: 1, boundingBox: CGRect(x: 0.1, y: 0.2, width: 1.0 / 3, height: 0.4))
        let rectangle = VNRectangleObservation(
            requestRevision: 7, topLeft: CGPoint(x: 0.2, y: 0.9), bottomLeft: CGPoint(x: 0.1, y: 0.3),
            bottomRight: CGPoint(x: 0.8, y: 0.1), topRight: CGPoint(x: 0.7, y: 0.8))
        XCTAssertTrue(VNDetectedObjectObservation.supportsSecureCoding)

        let boxBack = try roundTrip(box, VNDetectedObjectObservation.self)
        XCTAssertEqual(boxBack, box)
        XCTAssertEqual(boxBack.uuid, box.uuid)
        XCTAssertEqual(boxBack.boundingBox, box.boundingBox)
        XCTAssertEqual(boxBack.requestRevision, 1)
        let rectangleBack = try roundTrip(rectangle, VNRectangleObservation.self)
        XCTAssertEqual(rectangleBack, rectangle)
        XCTAssertEqual(rectangleBack.topRight, rectangle.topRight)
        XCTAssertEqual(rectangleBack.boundingBox, rectangle.boundingBox)
    }

    func testTheValuesOfAnotherClassGiveNil() throws {
        let writer = NSKeyedArchiver(requiringSecureCoding: true)
        VNDetectedObjectObservation(boundingBox: CGRect(x: 0, y: 0, width: 1, height: 1)).encode(with: writer)
        writer.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: writer.encodedData)
        XCTAssertNil(VNRectangleObservation(coder: reader))
        XCTAssertNil(VNImageTranslationAlignmentObservation(coder: reader))
        XCTAssertNotNil(VNDetectedObjectObservation(coder: reader))
    }

    func testAnArchiveWithoutValuesGivesNil() {
        let coder = NSKeyedArchiver(requiringSecureCoding: true)
        coder.encode("nothing of interest" as NSString, forKey: "VNObservation")
        coder.finishEncoding()
        guard let reader = try? NSKeyedUnarchiver(forReadingFrom: coder.encodedData) else {
            return XCTFail("the archive itself is sound")
        }
        reader.requiresSecureCoding = true
        reader.decodingFailurePolicy = .setErrorAndReturn
        XCTAssertNil(VNDetectedObjectObservation(coder: reader))
    }

    /// Damaged values inside a sound archive: every byte of the values is changed in turn.
    func testDamagedValuesGiveNilOrAnObservationAndNeverTrap() throws {
        let box = VNDetectedObjectObservation(boundingBox: CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5))
        let recorder = NSKeyedArchiver(requiringSecureCoding: true)
        box.encode(with: recorder)
        recorder.finishEncoding()
        let sound = try NSKeyedUnarchiver(forReadingFrom: recorder.encodedData)
        let values = try XCTUnwrap(sound.decodeObject(of: NSData.self, forKey: "VNObservation")) as Data
        var random = SplitMix64(seed: 7)
        var rejected = 0
        for index in values.indices {
            var damaged = values
            damaged[index] = UInt8(truncatingIfNeeded: random.next())
            let writer = NSKeyedArchiver(requiringSecureCoding: true)
            writer.encode(damaged as NSData, forKey: "VNObservation")
            writer.finishEncoding()
            let reader = try NSKeyedUnarchiver(forReadingFrom: writer.encodedData)
            reader.decodingFailurePolicy = .setErrorAndReturn
            guard let read = VNDetectedObjectObservation(coder: reader) else {
                rejected += 1
                continue
            }
            XCTAssertTrue((0...1).contains(read.confidence))
            XCTAssertTrue(read.boundingBox.origin.x.isFinite)
        }
        XCTAssertGreaterThan(rejected, 0)
    }

    func testDescriptionNamesClassAndUuid() {
        let observation = VNDetectedObjectObservation(boundingBox: CGRect(x: 0, y: 0, width: 1, height: 1))
        XCTAssertTrue(observation.description.contains("VNDetectedObjectObservation"))
        XCTAssertTrue(observation.description.contains(observation.uuid.uuidString))
    }

    private func roundTrip<Object: VNObservation>(_ object: Object, _ type: Object.Type) throws -> Object {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try XCTUnwrap(NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data))
    }
}
