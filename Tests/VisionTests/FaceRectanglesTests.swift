import Vision
import VisionModels
import XCTest

final class FaceRectanglesTests: XCTestCase {
    private func requireFaceNetworks() throws {
        do {
            _ = try FaceDetector(.upright)
        } catch let error as ModelStoreError {
            guard ProcessInfo.processInfo.environment["OPENVISION_REQUIRE_MODELS"] == nil else { throw error }
            throw XCTSkip(error.description)
        }
    }

    private func faces(
        _ buffer: CVPixelBuffer, revision: Int = 2, orientation: CGImagePropertyOrientation = .up,
        region: CGRect = CGRect(x: 0, y: 0, width: 1, height: 1)
    ) throws -> [VNFaceObservation] {
        let request = VNDetectFaceRectanglesRequest()
        request.revision = revision
        request.regionOfInterest = region
        try VNImageRequestHandler(cvPixelBuffer: buffer, orientation: orientation).perform([request])
        return try XCTUnwrap(request.results)
    }

    /// The box of an observation in pixels, top-left origin.
    private func pixels(_ face: VNFaceObservation, _ width: Int, _ height: Int) -> CGRect {
        let box = VNImageRectForNormalizedRect(face.boundingBox, width, height)
        return CGRect(x: box.minX, y: Double(height) - box.maxY, width: box.width, height: box.height)
    }

    private func overlap(_ a: CGRect, _ b: CGRect) -> Double {
        let common = a.intersection(b)
        guard !common.isNull else { return 0 }
        let area = common.width * common.height
        return area / (a.width * a.height + b.width * b.height - area)
    }

    func testThreeLinesFindAFaceAsWithApplesFramework() throws {
        try requireFaceNetworks()
        let drawn = DrawnFace(x: 300, y: 200, size: 110)
        let buffer = DrawnFace.buffer([drawn], width: 640, height: 420)
        let request = VNDetectFaceRectanglesRequest()
        let handler = VNImageRequestHandler(cvPixelBuffer: buffer, options: [:])
        try handler.perform([request])
        let faces = try XCTUnwrap(request.results)
        XCTAssertEqual(faces.count, 1)
        let face = try XCTUnwrap(faces.first)
        XCTAssertGreaterThan(overlap(pixels(face, 640, 420), drawn.box), 0.6)
        XCTAssertEqual(try XCTUnwrap(face.roll).doubleValue, 0, accuracy: 0.06)
        XCTAssertEqual(try XCTUnwrap(face.yaw).doubleValue, 0, accuracy: 0.12)
        XCTAssertNil(face.pitch)
        XCTAssertGreaterThan(face.confidence, 0.7)
        XCTAssertEqual(face.requestRevision, 2)
    }

    func testFacesAreFoundInAnyOrientationWithTheirRoll() throws {
        try requireFaceNetworks()
        for degrees in stride(from: -180.0, to: 180, by: 30) {
            let roll = degrees * .pi / 180
            let drawn = DrawnFace(x: 320, y: 240, size: 120, roll: roll)
            let found = try faces(DrawnFace.buffer([drawn], width: 640, height: 480), revision: 3)
            XCTAssertEqual(found.count, 1, "\(degrees)°")
            guard let face = found.first else { continue }
            XCTAssertGreaterThan(overlap(pixels(face, 640, 480), drawn.box), 0.45, "\(degrees)°")
            let error = try XCTUnwrap(face.roll).doubleValue - roll
            XCTAssertEqual(atan2(sin(error), cos(error)), 0, accuracy: 0.1, "\(degrees)°")
            XCTAssertNotNil(face.pitch)
            XCTAssertTrue((-Double.pi..<Double.pi).contains(face.roll?.doubleValue ?? 9))
        }
    }

    func testRevisionOneFindsTheUprightOnesOnlyAndNoAngles() throws {
        try requireFaceNetworks()
        let drawn = [
            DrawnFace(x: 160, y: 240, size: 100), DrawnFace(x: 480, y: 240, size: 100, roll: .pi),
        ]
        let buffer = DrawnFace.buffer(drawn, width: 640, height: 480)
        let first = try faces(buffer, revision: 1)
        XCTAssertEqual(first.count, 1)
        XCTAssertGreaterThan(overlap(pixels(first[0], 640, 480), drawn[0].box), 0.5)
        XCTAssertNil(first[0].roll)
        XCTAssertNil(first[0].yaw)
        XCTAssertEqual(try faces(buffer, revision: 2).count, 2)
    }

    func testSmallFacesOfALargePictureAreFoundOnceEach() throws {
        try requireFaceNetworks()
        var drawn: [DrawnFace] = []
        for row in 0..<3 {
            for column in 0..<5 {
                drawn.append(
                    DrawnFace(x: 160 + 320 * Double(column), y: 150 + 300 * Double(row), size: 26 + 6 * Double(column)))
            }
        }
        let found = try faces(DrawnFace.buffer(drawn, width: 1600, height: 900))
        let others = found.filter { face in
            !drawn.contains { overlap(pixels(face, 1600, 900), $0.box) > 0.4 }
        }
        XCTAssertEqual(others.map { "\(pixels($0, 1600, 900)) \($0.confidence)" }, [])
        XCTAssertEqual(found.count, drawn.count)
        for face in drawn {
            let hits = found.filter { overlap(pixels($0, 1600, 900), face.box) > 0.4 }
            XCTAssertEqual(hits.count, 1, "\(face)")
        }
        XCTAssertEqual(found.map(\.confidence), found.map(\.confidence).sorted(by: >))
        XCTAssertEqual(Set(found.map(\.uuid)).count, found.count)
    }

    func testAllOrientationsGiveTheSameUprightBox() throws {
        try requireFaceNetworks()
        let drawn = DrawnFace(x: 150, y: 130, size: 80)
        let upright = DrawnFace.buffer([drawn], width: 360, height: 260)
        let image = CIImage(cvPixelBuffer: upright)
        for raw in 1...8 as ClosedRange<UInt32> {
            let orientation = try XCTUnwrap(CGImagePropertyOrientation(rawValue: raw))
            // What has to be stored so that the orientation brings it upright is turned the other way.
            let inverse: CGImagePropertyOrientation =
                switch orientation {
                case .left: .right
                case .right: .left
                default: orientation
                }
            let stored = try XCTUnwrap(
                CIContext().createCGImage(image.oriented(inverse), from: image.oriented(inverse).extent))
            let request = VNDetectFaceRectanglesRequest()
            try VNImageRequestHandler(cgImage: stored, orientation: orientation).perform([request])
            let found = try XCTUnwrap(request.results)
            XCTAssertEqual(found.count, 1, "\(raw)")
            guard let face = found.first else { continue }
            XCTAssertGreaterThan(overlap(pixels(face, 360, 260), drawn.box), 0.6, "\(raw)")
        }
    }

    func testBoxesAreRelativeToTheRegionOfInterest() throws {
        try requireFaceNetworks()
        let drawn = [DrawnFace(x: 150, y: 200, size: 90), DrawnFace(x: 480, y: 200, size: 90)]
        let buffer = DrawnFace.buffer(drawn, width: 640, height: 400)
        let found = try faces(buffer, region: CGRect(x: 0.5, y: 0, width: 0.5, height: 1))
        XCTAssertEqual(found.count, 1)
        XCTAssertEqual(found[0].boundingBox.midX, 0.5, accuracy: 0.05)
        XCTAssertEqual(found[0].boundingBox.midY, 0.5, accuracy: 0.05)
    }

    func testPicturesWithoutFacesGiveAnEmptyArray() throws {
        try requireFaceNetworks()
        for (width, height) in [(640, 480), (1, 1), (3, 500), (40, 30)] {
            let request = VNDetectFaceRectanglesRequest()
            let handler = VNImageRequestHandler(cvPixelBuffer: DrawnFace.buffer([], width: width, height: height))
            try handler.perform([request])
            XCTAssertEqual(request.results, [], "\(width) × \(height)")
        }
    }

    func testTwoRequestsAboutAnImageSearchOnce() throws {
        try requireFaceNetworks()
        let handler = VNImageRequestHandler(
            cvPixelBuffer: DrawnFace.buffer([DrawnFace(x: 150, y: 150, size: 90)], width: 300, height: 300))
        let requests = [VNDetectFaceRectanglesRequest(), VNDetectFaceRectanglesRequest()]
        try handler.perform(requests)
        XCTAssertEqual(handler.networkRunCount, 1)
        XCTAssertEqual(requests[0].results?.first?.boundingBox, requests[1].results?.first?.boundingBox)
        XCTAssertNotEqual(requests[0].results?.first?.uuid, requests[1].results?.first?.uuid)
    }

    func testFacesSurviveArchives() throws {
        let face = VNFaceObservation(
            requestRevision: 3, boundingBox: CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4), roll: 0.5, yaw: -0.25,
            pitch: nil)
        let data = try NSKeyedArchiver.archivedData(withRootObject: face, requiringSecureCoding: true)
        let read = try XCTUnwrap(NSKeyedUnarchiver.unarchivedObject(ofClass: VNFaceObservation.self, from: data))
        XCTAssertEqual(read, face)
        XCTAssertEqual(read.roll, 0.5)
        XCTAssertEqual(read.yaw, -0.25)
        XCTAssertNil(read.pitch)
        XCTAssertEqual(VNFaceObservation(boundingBox: .zero).requestRevision, VNRequestRevisionUnspecified)
    }
}
