import Vision
import XCTest

/// Each kind of image in each of the eight EXIF orientations, given explicitly or stored with the image, must give the
/// same upright image. It is registered onto an upright one that is shifted by a known vector: an image that is rotated
/// or mirrored wrongly does not match.
final class OrientationTests: XCTestCase {
    private let scene = Scene(seed: 31)
    private lazy var upright = scene.frame(width: 96, height: 72)
    private lazy var shifted = scene.frame(width: 96, height: 72, x: -6, y: 4)
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("OrientationTests-\(UUID())")

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: folder)
    }

    private func target() -> VNTranslationalImageRegistrationRequest {
        VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: shifted.greyPixelBuffer())
    }

    private func check(
        _ name: String, _ request: VNTranslationalImageRegistrationRequest, inverted: Bool = false,
        _ perform: () throws -> Void
    ) {
        do {
            try perform()
            guard let found = request.results?.first else { return XCTFail("\(name): no result") }
            let sign: CGFloat = inverted ? -1 : 1
            XCTAssertEqual(found.alignmentTransform.tx, -6 * sign, accuracy: 0.2, name)
            XCTAssertEqual(found.alignmentTransform.ty, -4 * sign, accuracy: 0.2, name)
            XCTAssertGreaterThan(found.confidence, 0.2, name)
        } catch {
            XCTFail("\(name): \(error)")
        }
    }

    private func file(_ data: Data) throws -> URL {
        let url = folder.appendingPathComponent("\(UUID()).jpg")
        try data.write(to: url)
        return url
    }

    func testExplicitOrientationInEachSourceOfAnImageHandler() throws {
        for orientation in CGImagePropertyOrientation.allCases {
            let stored = upright.stored(for: orientation)
            let url = try file(stored.jpeg())
            let sample = CMSampleBuffer(imageBuffer: stored.pixelBuffer())
            let handlers: [(String, VNImageRequestHandler)] = [
                ("pixel buffer", VNImageRequestHandler(cvPixelBuffer: stored.pixelBuffer(), orientation: orientation)),
                ("CGImage", VNImageRequestHandler(cgImage: stored.cgImage(), orientation: orientation)),
                ("CIImage", VNImageRequestHandler(ciImage: stored.ciImage(), orientation: orientation)),
                ("URL", VNImageRequestHandler(url: url, orientation: orientation)),
                ("data", VNImageRequestHandler(data: stored.jpeg(), orientation: orientation)),
                ("sample buffer", VNImageRequestHandler(cmSampleBuffer: sample, orientation: orientation)),
            ]
            for (name, handler) in handlers {
                let request = target()
                check("\(name) \(orientation)", request) { try handler.perform([request]) }
            }
        }
    }

    func testExplicitOrientationInEachSourceOfASequenceHandler() throws {
        for orientation in CGImagePropertyOrientation.allCases {
            let stored = upright.stored(for: orientation)
            let url = try file(stored.jpeg())
            let sample = CMSampleBuffer(imageBuffer: stored.pixelBuffer())
            let handler = VNSequenceRequestHandler()
            let request = target()
            check("pixel buffer \(orientation)", request) {
                try handler.perform([request], on: stored.pixelBuffer(), orientation: orientation)
            }
            check("CGImage \(orientation)", request) {
                try handler.perform([request], on: stored.cgImage(), orientation: orientation)
            }
            check("CIImage \(orientation)", request) {
                try handler.perform([request], on: stored.ciImage(), orientation: orientation)
            }
            check("URL \(orientation)", request) {
                try handler.perform([request], onImageURL: url, orientation: orientation)
            }
            check("data \(orientation)", request) {
                try handler.perform([request], onImageData: stored.jpeg(), orientation: orientation)
            }
            check("sample buffer \(orientation)", request) {
                try handler.perform([request], on: sample, orientation: orientation)
            }
        }
    }

    func testExplicitOrientationInEachSourceOfATargetedRequest() throws {
        typealias Request = VNTranslationalImageRegistrationRequest
        for orientation in CGImagePropertyOrientation.allCases {
            let stored = upright.stored(for: orientation)
            let url = try file(stored.jpeg())
            let sample = CMSampleBuffer(imageBuffer: stored.pixelBuffer())
            let requests: [(String, Request)] = [
                ("pixel buffer", Request(targetedCVPixelBuffer: stored.pixelBuffer(), orientation: orientation)),
                ("CGImage", Request(targetedCGImage: stored.cgImage(), orientation: orientation)),
                ("CIImage", Request(targetedCIImage: stored.ciImage(), orientation: orientation)),
                ("URL", Request(targetedImageURL: url, orientation: orientation)),
                ("data", Request(targetedImageData: stored.jpeg(), orientation: orientation)),
                ("sample buffer", Request(targetedCMSampleBuffer: sample, orientation: orientation)),
            ]
            // The upright image is the floating one here: the shift is inverted.
            let handler = VNImageRequestHandler(cvPixelBuffer: shifted.greyPixelBuffer())
            for (name, request) in requests {
                check("\(name) \(orientation)", request, inverted: true) { try handler.perform([request]) }
            }
        }
    }

    func testFilesAndCoreImageImagesKnowTheirOwnOrientation() throws {
        for orientation in CGImagePropertyOrientation.allCases {
            let stored = upright.stored(for: orientation)
            let jpeg = stored.jpeg(orientation: orientation)
            let url = try file(jpeg)
            let oriented = stored.ciImage().oriented(orientation)
            let request = target()
            check("URL \(orientation)", request) { try VNImageRequestHandler(url: url).perform([request]) }
            check("data \(orientation)", request) { try VNImageRequestHandler(data: jpeg).perform([request]) }
            check("CIImage \(orientation)", request) {
                try VNImageRequestHandler(ciImage: oriented).perform([request])
            }
            let sequence = VNSequenceRequestHandler()
            check("URL in a sequence \(orientation)", request) { try sequence.perform([request], onImageURL: url) }
            check("data in a sequence \(orientation)", request) { try sequence.perform([request], onImageData: jpeg) }
            let targeted = VNTranslationalImageRegistrationRequest(targetedImageURL: url)
            check("targeted URL \(orientation)", targeted, inverted: true) {
                try VNImageRequestHandler(cvPixelBuffer: shifted.greyPixelBuffer()).perform([targeted])
            }
        }
    }

    func testBuffersAndCGImagesAreTakenAsUpright() throws {
        let request = target()
        check("pixel buffer", request) {
            try VNImageRequestHandler(cvPixelBuffer: upright.pixelBuffer()).perform([request])
        }
        check("CGImage", request) { try VNImageRequestHandler(cgImage: upright.cgImage()).perform([request]) }
        check("in a sequence", request) {
            try VNSequenceRequestHandler().perform([request], on: upright.cgImage())
        }
    }

    func testAnExplicitOrientationSupersedesTheFileAndTheOptions() throws {
        // The file and the options state wrong orientations.
        let jpeg = upright.stored(for: .right).jpeg(orientation: .down)
        let options: [VNImageOption: Any] = [.properties: [kCGImagePropertyOrientation: 5]]
        let request = target()
        check("image handler", request) {
            try VNImageRequestHandler(data: jpeg, orientation: .right, options: options).perform([request])
        }
        check("sequence handler", request) {
            try VNSequenceRequestHandler().perform([request], onImageData: jpeg, orientation: .right)
        }
    }

    func testTheOrientationOfTheOptionsCountsWhenNoneIsGiven() throws {
        let stored = upright.stored(for: .left)
        let options: [VNImageOption: Any] = [.properties: [kCGImagePropertyOrientation: 8]]
        let request = target()
        check("pixel buffer", request) {
            try VNImageRequestHandler(cvPixelBuffer: stored.pixelBuffer(), options: options).perform([request])
        }
        check("data that says otherwise", request) {
            try VNImageRequestHandler(data: stored.jpeg(orientation: .down), options: options).perform([request])
        }
    }

    func testTrackedBoxesBelongToTheUprightImage() throws {
        let object = Scene(seed: 32)
        for orientation in CGImagePropertyOrientation.allCases {
            let handler = VNSequenceRequestHandler()
            func box(_ x: Int, _ y: Int) -> CGRect {
                VNNormalizedRectForImageRect(CGRect(x: x - 12, y: 120 - y - 12, width: 24, height: 24), 160, 120)
            }
            var observation = VNDetectedObjectObservation(boundingBox: box(60, 50))
            for step in 0..<5 {
                var frame = scene.frame(width: 160, height: 120)
                frame.draw(object, centreX: 60 + 4 * step, centreY: 50 + 2 * step, side: 24)
                let request = VNTrackObjectRequest(detectedObjectObservation: observation)
                request.revision = VNTrackObjectRequestRevision1
                try handler.perform(
                    [request], on: frame.stored(for: orientation).pixelBuffer(), orientation: orientation)
                observation = try XCTUnwrap(request.results?.first)
            }
            assertEqual(observation.boundingBox, box(76, 58), accuracy: 0.03)
        }
    }
}
