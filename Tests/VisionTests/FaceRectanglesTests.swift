import ModelTestSupport
import Vision
import VisionModels
import XCTest

final class FaceRectanglesTests: XCTestCase {
    private func requireFaceNetworks() throws {
        _ = try requireModel { try FaceDetector(.upright) }
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
        XCTAssertEqual(try XCTUnwrap(face.pitch).doubleValue, 0, accuracy: 0.2)
        XCTAssertGreaterThan(face.confidence, 0.7)
        XCTAssertEqual(face.requestRevision, 3)
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

    func testSmallFacesOfALargeImageAreFoundOnceEach() throws {
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
            // The stored image is rotated the other way, so that the orientation brings it upright.
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

    /// A grey image of a face, in each kind of source and each orientation, given explicitly or stored in the file.
    func testAllSourcesInAllOrientationsGiveTheSameUprightBox() throws {
        try requireFaceNetworks()
        let drawn = DrawnFace(x: 150, y: 130, size: 80)
        let upright = DrawnFace.greyFrame([drawn], width: 360, height: 260)
        let expected = try XCTUnwrap(faces(upright.pixelBuffer()).first).boundingBox
        for orientation in CGImagePropertyOrientation.allCases {
            let stored = upright.stored(for: orientation)
            let sample = CMSampleBuffer(imageBuffer: stored.pixelBuffer())
            let handlers: [(String, VNImageRequestHandler)] = [
                ("pixel buffer", VNImageRequestHandler(cvPixelBuffer: stored.pixelBuffer(), orientation: orientation)),
                (
                    "grey buffer",
                    VNImageRequestHandler(cvPixelBuffer: stored.greyPixelBuffer(), orientation: orientation)
                ),
                ("CGImage", VNImageRequestHandler(cgImage: stored.cgImage(), orientation: orientation)),
                ("CIImage", VNImageRequestHandler(ciImage: stored.ciImage(), orientation: orientation)),
                ("data", VNImageRequestHandler(data: stored.jpeg(), orientation: orientation)),
                ("data with EXIF", VNImageRequestHandler(data: stored.jpeg(orientation: orientation))),
                ("sample buffer", VNImageRequestHandler(cmSampleBuffer: sample, orientation: orientation)),
            ]
            for (name, handler) in handlers {
                let request = VNDetectFaceRectanglesRequest()
                try handler.perform([request])
                XCTAssertEqual(request.results?.count, 1, "\(name) \(orientation)")
                guard let box = request.results?.first?.boundingBox else { continue }
                XCTAssertGreaterThan(overlap(box, expected), 0.93, "\(name) \(orientation)")
            }
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

    func testImagesWithoutFacesGiveAnEmptyArray() throws {
        try requireFaceNetworks()
        for (width, height) in [(640, 480), (1, 1), (3, 500), (40, 30)] {
            let request = VNDetectFaceRectanglesRequest()
            let handler = VNImageRequestHandler(cvPixelBuffer: DrawnFace.buffer([], width: width, height: height))
            try handler.perform([request])
            XCTAssertEqual(request.results, [], "\(width) × \(height)")
        }
    }

    func testRegionsOfInterestHideTheRestOfTheImage() throws {
        try requireFaceNetworks()
        let drawn = [DrawnFace(x: 150, y: 200, size: 90), DrawnFace(x: 480, y: 200, size: 90)]
        let buffer = DrawnFace.buffer(drawn, width: 640, height: 400)
        let whole = try faces(buffer)
        XCTAssertEqual(whole.count, 2)
        // Lower left origin: the face's middle is at half the height.
        let tight = CGRect(x: 0.1, y: 0.25, width: 0.3, height: 0.5)
        let found = try faces(buffer, region: tight)
        XCTAssertEqual(found.count, 1)
        let box = found[0].boundingBox
        let back = CGRect(
            x: tight.minX + box.minX * tight.width, y: tight.minY + box.minY * tight.height,
            width: box.width * tight.width, height: box.height * tight.height)
        XCTAssertGreaterThan(whole.map { overlap($0.boundingBox, back) }.max() ?? 0, 0.7)
        XCTAssertEqual(try faces(buffer, region: CGRect(x: 0.4, y: 0, width: 0.2, height: 1)), [])
    }

    func testBlackWhiteNoisyAndTransparentImagesHaveNoFaces() throws {
        try requireFaceNetworks()
        var generator = SystemRandomNumberGenerator()
        let images: [(String, (_ component: Int) -> UInt8)] = [
            ("black", { $0 == 3 ? 255 : 0 }), ("white", { _ in 255 }), ("transparent", { _ in 0 }),
            ("noise", { _ in UInt8.random(in: 0...255, using: &generator) }),
        ]
        for (name, value) in images {
            for (width, height) in [(500, 300), (2, 700)] {
                XCTAssertEqual(try faces(try buffer(width, height, value)), [], name)
            }
        }
    }

    func testAFaceIsFoundOnATransparentBackgroundInHalfFloatsAndIn16Bits() throws {
        try requireFaceNetworks()
        let drawn = DrawnFace(x: 150, y: 130, size: 80)
        let frame = DrawnFace.greyFrame([drawn], width: 360, height: 260)
        let halves = try XCTUnwrap(makeBuffer(kCVPixelFormatType_OneComponent16Half, 360, 260))
        write(to: halves) { base, rowBytes in
            for row in 0..<260 {
                for column in 0..<360 {
                    base.storeBytes(
                        of: Float16(Float(frame[column, row]) / 255).bitPattern,
                        toByteOffset: row * rowBytes + 2 * column, as: UInt16.self)
                }
            }
        }
        let clear = DrawnFace.buffer([drawn], width: 360, height: 260)
        write(to: clear) { base, rowBytes in
            for row in 0..<260 {
                for column in 0..<360 where abs(column - 150) > 75 || abs(row - 130) > 95 {
                    base.storeBytes(of: 0, toByteOffset: row * rowBytes + 4 * column, as: UInt32.self)
                }
            }
        }
        for (name, handler) in [
            ("half floats", VNImageRequestHandler(cvPixelBuffer: halves)),
            ("transparent", VNImageRequestHandler(cvPixelBuffer: clear)),
            ("16 bits", VNImageRequestHandler(data: PNG16.file(frame))),
        ] {
            let request = VNDetectFaceRectanglesRequest()
            try handler.perform([request])
            let box = try XCTUnwrap(request.results?.first, name)
            XCTAssertGreaterThan(overlap(pixels(box, 360, 260), drawn.box), 0.5, name)
        }
    }

    /// 30 megapixels of wall and one face of 60 pixels.
    func testAHugeImageIsSearchedToItsEnd() throws {
        try requireFaceNetworks()
        let (width, height) = (6500, 4600)
        let small = DrawnFace.buffer([DrawnFace(x: 100, y: 110, size: 60)], width: 200, height: 200)
        let huge = try buffer(width, height) { [130, 115, 95, 255][$0] }
        CVPixelBufferLockBaseAddress(small, [])
        let (source, rowBytes) = (
            try XCTUnwrap(CVPixelBufferGetBaseAddress(small)), CVPixelBufferGetBytesPerRow(small)
        )
        write(to: huge) { base, stride in
            for row in 0..<200 {
                (base + (4000 + row) * stride + 4 * 5100).copyMemory(from: source + row * rowBytes, byteCount: 800)
            }
        }
        CVPixelBufferUnlockBaseAddress(small, [])
        let handler = VNImageRequestHandler(cvPixelBuffer: huge)
        let request = VNDetectFaceRectanglesRequest()
        try handler.perform([request])
        let found = try XCTUnwrap(request.results)
        XCTAssertEqual(found.count, 1)
        let face = CGRect(x: 5100 + 70, y: 4000 + 80, width: 60, height: 60)
        XCTAssertGreaterThan(overlap(pixels(try XCTUnwrap(found.first), width, height), face), 0.5)
        XCTAssertLessThan(handler.core.networkRunCount, 450)
    }

    private func makeBuffer(_ format: OSType, _ width: Int, _ height: Int) -> CVPixelBuffer? {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, format, nil, &buffer)
        return buffer
    }

    private func write(to buffer: CVPixelBuffer, _ body: (UnsafeMutableRawPointer, Int) -> Void) {
        CVPixelBufferLockBaseAddress(buffer, [])
        if let base = CVPixelBufferGetBaseAddress(buffer) { body(base, CVPixelBufferGetBytesPerRow(buffer)) }
        CVPixelBufferUnlockBaseAddress(buffer, [])
    }

    /// A 32BGRA buffer of which every component is given.
    private func buffer(_ width: Int, _ height: Int, _ value: (_ component: Int) -> UInt8) throws -> CVPixelBuffer {
        let buffer = try XCTUnwrap(makeBuffer(kCVPixelFormatType_32BGRA, width, height))
        write(to: buffer) { base, rowBytes in
            // Rows of a plain image are equal, which saves a debug build minutes.
            for row in 0..<height where row < 8 || height < 1000 {
                for byte in 0..<4 * width {
                    base.storeBytes(of: value(byte % 4), toByteOffset: row * rowBytes + byte, as: UInt8.self)
                }
            }
            for row in 8..<max(height, 8) where height >= 1000 {
                (base + row * rowBytes).copyMemory(from: base, byteCount: 4 * width)
            }
        }
        return buffer
    }

    func testTwoRequestsAboutAnImageSearchOnce() throws {
        try requireFaceNetworks()
        let handler = VNImageRequestHandler(
            cvPixelBuffer: DrawnFace.buffer([DrawnFace(x: 150, y: 150, size: 90)], width: 300, height: 300))
        let requests = [VNDetectFaceRectanglesRequest(), VNDetectFaceRectanglesRequest()]
        try handler.perform(requests)
        // Four rotations by 90° for each of two networks, and the face's mesh.
        XCTAssertEqual(handler.core.networkRunCount, 9)
        try handler.perform([VNDetectFaceRectanglesRequest()])
        XCTAssertEqual(handler.core.networkRunCount, 9)
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
