import ModelTestSupport
import Vision
import VisionModels
import XCTest

final class FaceLandmarksTests: XCTestCase {
    private func requireFaceNetworks() throws {
        try requireModel {
            _ = try FaceDetector(.upright)
            _ = try FaceLandmarkFinder()
        }
    }

    /// Where a part of a drawn face is, in pixels from the lower left: `right` and `down` as in the drawing's unit
    /// square.
    private func position(_ right: Double, _ down: Double, of face: DrawnFace, height: Int) -> CGPoint {
        let (x, y) = ((right - 0.5) / 0.45 * face.size, (down - 0.56) / 0.45 * face.size)
        return CGPoint(
            x: face.x + x * cos(face.roll) + y * sin(face.roll),
            y: Double(height) - (face.y - x * sin(face.roll) + y * cos(face.roll)))
    }

    private func middle(_ points: [CGPoint]) -> CGPoint {
        let sum = points.reduce(CGPoint.zero) { CGPoint(x: $0.x + $1.x, y: $0.y + $1.y) }
        return CGPoint(x: sum.x / Double(points.count), y: sum.y / Double(points.count))
    }

    private func assertNear(
        _ one: CGPoint?, _ other: CGPoint, within distance: Double, _ text: String, line: UInt = #line
    ) {
        guard let one else { return XCTFail("nothing for \(text)", line: line) }
        let offset = ((one.x - other.x) * (one.x - other.x) + (one.y - other.y) * (one.y - other.y)).squareRoot()
        XCTAssertLessThan(offset, distance, text, line: line)
    }

    /// The parts of a drawn face lie where they were drawn.
    private func assertLandmarks(
        _ face: VNFaceObservation?, fit drawn: DrawnFace, width: Int, height: Int, _ text: String, line: UInt = #line
    ) throws {
        let landmarks = try XCTUnwrap(face?.landmarks, text, line: line)
        let size = CGSize(width: width, height: height)
        func points(_ region: VNFaceLandmarkRegion2D?) -> [CGPoint] { region?.pointsInImage(imageSize: size) ?? [] }
        let parts: [(String, VNFaceLandmarkRegion2D?, Double, Double)] = [
            ("right eye", landmarks.rightEye, 0.405, 0.45), ("left eye", landmarks.leftEye, 0.595, 0.45),
            ("right pupil", landmarks.rightPupil, 0.405, 0.45), ("left pupil", landmarks.leftPupil, 0.595, 0.45),
            ("right brow", landmarks.rightEyebrow, 0.405, 0.395), ("left brow", landmarks.leftEyebrow, 0.595, 0.395),
            ("lips", landmarks.outerLips, 0.5, 0.675),
        ]
        for (name, region, right, down) in parts {
            assertNear(
                middle(points(region)), position(right, down, of: drawn, height: height), within: 0.08 * drawn.size,
                "\(name), \(text)", line: line)
        }
        let chin = points(landmarks.faceContour)
        assertNear(
            chin[chin.count / 2], position(0.5, 0.80, of: drawn, height: height), within: 0.17 * drawn.size,
            "chin, \(text)", line: line)
    }

    func testLandmarksLieOnTheFaceAtAnyRoll() throws {
        try requireFaceNetworks()
        for degrees in stride(from: -180.0, to: 180, by: 45) {
            let drawn = DrawnFace(x: 320, y: 240, size: 120, roll: degrees * .pi / 180)
            let handler = VNImageRequestHandler(cvPixelBuffer: DrawnFace.buffer([drawn], width: 640, height: 480))
            let request = VNDetectFaceLandmarksRequest()
            try handler.perform([request])
            XCTAssertEqual(request.results?.count, 1, "\(degrees)°")
            try assertLandmarks(request.results?.first, fit: drawn, width: 640, height: 480, "\(degrees)°")
        }
    }

    func testABoxFromElsewhereIsEnough() throws {
        try requireFaceNetworks()
        let drawn = DrawnFace(x: 300, y: 230, size: 130, roll: 2.6)
        let handler = VNImageRequestHandler(cvPixelBuffer: DrawnFace.buffer([drawn], width: 640, height: 480))
        for (scale, shift) in [(1.0, 0.0), (1.5, 0.0), (0.8, 0.1), (1.2, -0.15)] {
            let side = drawn.size * scale
            let box = CGRect(
                x: drawn.x + shift * drawn.size - side / 2, y: 480 - (drawn.y + shift * drawn.size) - side / 2,
                width: side, height: side)
            let request = VNDetectFaceLandmarksRequest()
            request.inputFaceObservations = [
                VNFaceObservation(boundingBox: VNNormalizedRectForImageRect(box, 640, 480))
            ]
            try handler.perform([request])
            try assertLandmarks(
                request.results?.first, fit: drawn, width: 640, height: 480, "scale \(scale), shift \(shift)")
        }
    }

    func testABoxWithoutAFaceHasNoLandmarks() throws {
        try requireFaceNetworks()
        let handler = VNImageRequestHandler(cvPixelBuffer: DrawnFace.buffer([], width: 320, height: 240))
        let boxes = [
            CGRect(x: 0.2, y: 0.2, width: 0.5, height: 0.5), CGRect(x: 3, y: 3, width: 1, height: 1),
            CGRect(x: 0.5, y: 0.5, width: 1e-9, height: 1e-9), CGRect(x: -1e9, y: 0, width: 2e9, height: 1),
        ]
        let request = VNDetectFaceLandmarksRequest()
        request.inputFaceObservations = boxes.map { VNFaceObservation(boundingBox: $0) }
        try handler.perform([request])
        XCTAssertEqual(request.results?.map(\.boundingBox), boxes)
        XCTAssertEqual(request.results?.compactMap(\.landmarks), [])
    }

    func testEmptyAndNonFiniteBoxesAreRefused() throws {
        let handler = VNImageRequestHandler(cvPixelBuffer: DrawnFace.buffer([], width: 32, height: 32))
        for box in [
            CGRect(x: 0, y: 0, width: 0, height: 0.5), CGRect(x: Double.nan, y: 0, width: 1, height: 1),
            CGRect(x: 0, y: 0, width: Double.infinity, height: 1), CGRect(x: 0, y: 0, width: 1, height: -1),
        ] {
            let request = VNDetectFaceLandmarksRequest()
            request.inputFaceObservations = [VNFaceObservation(boundingBox: box)]
            assertThrows(.invalidArgument) { try handler.perform([request]) }
            XCTAssertNil(request.results)
        }
    }

    func testNoFaceGivesAnEmptyArray() throws {
        try requireFaceNetworks()
        let handler = VNImageRequestHandler(cvPixelBuffer: DrawnFace.buffer([], width: 320, height: 240))
        try handler.perform([VNDetectFaceRectanglesRequest()])
        let search = handler.core.networkRunCount
        let implicit = VNDetectFaceLandmarksRequest()
        let explicit = VNDetectFaceLandmarksRequest()
        explicit.inputFaceObservations = []
        try handler.perform([implicit, explicit])
        XCTAssertEqual(implicit.results, [])
        XCTAssertEqual(explicit.results, [])
        XCTAssertEqual(handler.core.networkRunCount, search)
    }

    // MARK: - Constellations

    private func landmarks(
        revision: Int, constellation: VNRequestFaceLandmarksConstellation? = nil
    ) throws -> VNFaceLandmarks2D {
        let drawn = DrawnFace(x: 150, y: 150, size: 110)
        let request = VNDetectFaceLandmarksRequest()
        request.revision = revision
        if let constellation { request.constellation = constellation }
        try VNImageRequestHandler(cvPixelBuffer: DrawnFace.buffer([drawn], width: 300, height: 300))
            .perform([request])
        let landmarks = try XCTUnwrap(request.results?.first?.landmarks)
        XCTAssertEqual(landmarks.requestRevision, revision)
        XCTAssertGreaterThan(landmarks.confidence, 0.5)
        return landmarks
    }

    func testTheConstellationOf76PointsHasTheDocumentedCountsAndSharedPoints() throws {
        try requireFaceNetworks()
        let landmarks = try landmarks(revision: 3)
        let regions = [
            landmarks.faceContour, landmarks.medianLine, landmarks.leftEyebrow, landmarks.rightEyebrow,
            landmarks.leftEye, landmarks.rightEye, landmarks.leftPupil, landmarks.rightPupil, landmarks.nose,
            landmarks.noseCrest, landmarks.outerLips, landmarks.innerLips,
        ].compactMap { $0 }
        XCTAssertEqual(regions.map(\.pointCount), [17, 10, 6, 6, 6, 6, 1, 1, 8, 6, 14, 6])
        let all = try XCTUnwrap(landmarks.allPoints)
        XCTAssertEqual(all.pointCount, 76)
        XCTAssertEqual(Set(all.normalizedPoints.map(Point.init)).count, 76)
        let slots = regions.flatMap { $0.normalizedPoints.map(Point.init) }
        XCTAssertEqual(slots.count, 87)
        XCTAssertEqual(Set(slots), Set(all.normalizedPoints.map(Point.init)))
        func shared(_ one: VNFaceLandmarkRegion2D?, _ other: VNFaceLandmarkRegion2D?) -> Int {
            Set((one?.normalizedPoints ?? []).map(Point.init)).intersection(
                (other?.normalizedPoints ?? []).map(Point.init)
            )
            .count
        }
        let median = landmarks.medianLine
        XCTAssertEqual(
            [landmarks.noseCrest, landmarks.nose, landmarks.outerLips, landmarks.innerLips, landmarks.faceContour].map {
                shared(median, $0)
            }, [4, 2, 2, 2, 1])
        XCTAssertEqual(shared(landmarks.nose, landmarks.noseCrest), 1)
        let counts = Dictionary(slots.map { ($0, 1) }, uniquingKeysWith: +)
        XCTAssertEqual(counts.values.filter { $0 == 3 }.count, 1)
        for region in regions + [all] {
            XCTAssertEqual(region.precisionEstimatesPerPoint?.count, region.pointCount)
            XCTAssertTrue(region.precisionEstimatesPerPoint?.allSatisfy { $0 > 0 && $0 < 1 } ?? false)
            XCTAssertEqual(region.requestRevision, 3)
        }
        XCTAssertGreaterThan(Set(all.precisionEstimatesPerPoint ?? []).count, 20)
    }

    func testTheConstellationOf65PointsIsInThePublicOrder() throws {
        try requireFaceNetworks()
        for (revision, chosen) in [(1, nil), (2, nil), (3, .constellation65Points)]
            as [(Int, VNRequestFaceLandmarksConstellation?)]
        {
            let landmarks = try landmarks(revision: revision, constellation: chosen)
            let all = try XCTUnwrap(landmarks.allPoints?.normalizedPoints)
            XCTAssertEqual(all.count, 65)
            let regions: [(Range<Int>, VNFaceLandmarkRegion2D?)] = [
                (0..<4, landmarks.rightEyebrow), (4..<8, landmarks.leftEyebrow), (8..<16, landmarks.rightEye),
                (16..<24, landmarks.leftEye), (24..<34, landmarks.outerLips), (34..<40, landmarks.innerLips),
                (40..<51, landmarks.faceContour), (51..<60, landmarks.nose), (60..<63, landmarks.noseCrest),
                (63..<64, landmarks.rightPupil), (64..<65, landmarks.leftPupil),
            ]
            for (range, region) in regions { XCTAssertEqual(region?.normalizedPoints, Array(all[range]), "\(range)") }
            // The chin is the lowest point of all.
            XCTAssertEqual(all.indices.min { all[$0].y < all[$1].y }, 45)
            XCTAssertNil(landmarks.allPoints?.precisionEstimatesPerPoint)
            XCTAssertEqual(landmarks.leftEye?.pointsClassification, .closedPath)
            XCTAssertEqual(landmarks.faceContour?.pointsClassification, .openPath)
            XCTAssertEqual(landmarks.allPoints?.pointsClassification, .disconnected)
        }
    }

    func testWhichRevisionHasWhichConstellation() throws {
        let has = VNDetectFaceLandmarksRequest.revision(_:supportsConstellation:)
        for revision in -1...5 {
            XCTAssertEqual(has(revision, .constellation65Points), (1...3).contains(revision), "\(revision)")
            XCTAssertEqual(has(revision, .constellation76Points), revision == 3, "\(revision)")
            XCTAssertFalse(has(revision, .constellationNotDefined))
        }
        let request = VNDetectFaceLandmarksRequest()
        XCTAssertEqual(request.revision, 3)
        XCTAssertEqual(request.constellation, .constellation76Points)
        request.revision = 2
        XCTAssertEqual(request.constellation, .constellation65Points)
        request.constellation = .constellation76Points
        let handler = VNImageRequestHandler(cvPixelBuffer: DrawnFace.buffer([], width: 32, height: 32))
        assertThrows(.invalidArgument) { try handler.perform([request]) }
        let copy = try XCTUnwrap(request.copy() as? VNDetectFaceLandmarksRequest)
        XCTAssertEqual(copy.constellation, .constellation76Points)
        XCTAssertEqual(copy.revision, 2)
    }

    // MARK: - Coordinates

    func testPointsAreRelativeToTheBoxAndPointsInImageToTheWholeImage() throws {
        try requireFaceNetworks()
        let drawn = [DrawnFace(x: 150, y: 200, size: 90), DrawnFace(x: 480, y: 210, size: 90)]
        let buffer = DrawnFace.buffer(drawn, width: 640, height: 400)
        let request = VNDetectFaceLandmarksRequest()
        request.regionOfInterest = CGRect(x: 0.5, y: 0.1, width: 0.5, height: 0.9)
        try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
        XCTAssertEqual(request.results?.count, 1)
        let face = try XCTUnwrap(request.results?.first)
        try assertLandmarks(face, fit: drawn[1], width: 640, height: 400, "in a region")
        let nose = try XCTUnwrap(face.landmarks?.nose?.normalizedPoints)
        XCTAssertTrue(nose.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) })
        let box = face.boundingBox
        let pixels = try XCTUnwrap(face.landmarks?.nose?.pointsInImage(imageSize: CGSize(width: 640, height: 400)))
        for (point, pixel) in zip(nose, pixels) {
            let inRegion = CGPoint(x: box.minX + point.x * box.width, y: box.minY + point.y * box.height)
            let expected = VNImagePointForNormalizedPointUsingRegionOfInterest(
                inRegion, 640, 400, request.regionOfInterest)
            assertNear(pixel, expected, within: 1e-6, "\(point)")
        }
    }

    func testTheUtilityFunctionsAgreeWithPointsInImage() throws {
        try requireFaceNetworks()
        let drawn = DrawnFace(x: 150, y: 150, size: 110)
        let request = VNDetectFaceLandmarksRequest()
        try VNImageRequestHandler(cvPixelBuffer: DrawnFace.buffer([drawn], width: 300, height: 260))
            .perform([request])
        let face = try XCTUnwrap(request.results?.first)
        let lips = try XCTUnwrap(face.landmarks?.outerLips)
        let inImage = lips.pointsInImage(imageSize: CGSize(width: 300, height: 260))
        for (point, pixel) in zip(lips.normalizedPoints, inImage) {
            let vector = vector_float2(Float(point.x), Float(point.y))
            assertNear(
                VNImagePointForFaceLandmarkPoint(vector, face.boundingBox, 300, 260), pixel, within: 1e-3, "image")
            let inBox = VNNormalizedFaceBoundingBoxPointForLandmarkPoint(vector, face.boundingBox, 300, 260)
            assertNear(
                CGPoint(x: inBox.x + face.boundingBox.minX * 300, y: inBox.y + face.boundingBox.minY * 260), pixel,
                within: 1e-3, "box")
        }
    }

    // MARK: - Archives and copies

    func testLandmarksSurviveArchivesAndCopies() throws {
        try requireFaceNetworks()
        let drawn = DrawnFace(x: 150, y: 150, size: 110)
        for revision in [2, 3] {
            let request = VNDetectFaceLandmarksRequest()
            request.revision = revision
            try VNImageRequestHandler(cvPixelBuffer: DrawnFace.buffer([drawn], width: 300, height: 260))
                .perform([request])
            let face = try XCTUnwrap(request.results?.first)
            let landmarks = try XCTUnwrap(face.landmarks)
            let data = try NSKeyedArchiver.archivedData(withRootObject: face, requiringSecureCoding: true)
            let read = try XCTUnwrap(NSKeyedUnarchiver.unarchivedObject(ofClass: VNFaceObservation.self, from: data))
            XCTAssertEqual(read, face)
            XCTAssertEqual(read.landmarks, landmarks)
            XCTAssertEqual(read.landmarks?.allPoints, landmarks.allPoints)
            XCTAssertTrue(landmarks.copy() as AnyObject === landmarks)
            let some = try NSKeyedArchiver.archivedData(withRootObject: landmarks, requiringSecureCoding: true)
            XCTAssertEqual(
                try NSKeyedUnarchiver.unarchivedObject(ofClass: VNFaceLandmarks2D.self, from: some), landmarks)
            let lips = try XCTUnwrap(landmarks.outerLips)
            let part = try NSKeyedArchiver.archivedData(withRootObject: lips, requiringSecureCoding: true)
            let readLips = try NSKeyedUnarchiver.unarchivedObject(ofClass: VNFaceLandmarkRegion2D.self, from: part)
            XCTAssertEqual(readLips, lips)
            XCTAssertEqual(readLips?.precisionEstimatesPerPoint, lips.precisionEstimatesPerPoint)
            XCTAssertNotEqual(readLips, landmarks.innerLips)
        }
    }
}

/// A point that can be counted.
private struct Point: Hashable {
    let x: Double
    let y: Double

    init(_ point: CGPoint) {
        x = point.x
        y = point.y
    }
}
