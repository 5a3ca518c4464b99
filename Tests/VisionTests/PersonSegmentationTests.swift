import ModelTestSupport
import VisionExtras
import VisionImage
import XCTest

@testable import Vision
@testable import VisionModels

/// Masks of people, on drawings of heads and shoulders.
final class PersonSegmentationTests: XCTestCase {
    override func setUpWithError() throws {
        _ = try requireModel { try PersonMaskNetwork.shared(.people) }
        _ = try requireModel { try PersonMaskNetwork.shared(.body) }
    }

    private let face = DrawnFace(x: 230, y: 190, size: 150)

    private func frame(_ faces: [DrawnFace]? = nil) -> CVPixelBuffer {
        DrawnFace.buffer(faces ?? [face], width: 480, height: 400)
    }

    private func mask(
        _ image: CVPixelBuffer, _ orientation: CGImagePropertyOrientation = .up,
        _ change: (VNGeneratePersonSegmentationRequest) -> Void = { _ in }
    ) throws -> FloatMap {
        let request = VNGeneratePersonSegmentationRequest()
        request.outputPixelFormat = kCVPixelFormatType_OneComponent32Float
        change(request)
        try VNImageRequestHandler(cvPixelBuffer: image, orientation: orientation).perform([request])
        let results = try XCTUnwrap(request.results)
        XCTAssertEqual(results.count, 1)
        return FloatMap(try XCTUnwrap(results.first).pixelBuffer)
    }

    func testDefaultsAreApples() throws {
        let request = VNGeneratePersonSegmentationRequest()
        XCTAssertEqual(request.qualityLevel, .accurate)
        XCTAssertEqual(request.outputPixelFormat, kCVPixelFormatType_OneComponent8)
        XCTAssertEqual(request.revision, VNGeneratePersonSegmentationRequestRevision1)
        XCTAssertEqual(
            try request.supportedOutputPixelFormats(),
            [
                kCVPixelFormatType_OneComponent8, kCVPixelFormatType_OneComponent16Half,
                kCVPixelFormatType_OneComponent32Float,
            ])
        XCTAssertEqual(
            VNGeneratePersonSegmentationRequest.QualityLevel.allCases.map(\.rawValue), [0, 1, 2])
        XCTAssertEqual(VNGeneratePersonSegmentationRequest.QualityLevel(rawValue: 2), .fast)
    }

    func testACopyHasTheParameters() throws {
        let request = VNGeneratePersonSegmentationRequest(
            frameAnalysisSpacing: CMTime(value: 1, timescale: 5), completionHandler: nil)
        (request.qualityLevel, request.outputPixelFormat) = (.balanced, kCVPixelFormatType_OneComponent16Half)
        request.regionOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 0.5)
        let copy = try XCTUnwrap(request.copy() as? VNGeneratePersonSegmentationRequest)
        XCTAssertEqual(copy.qualityLevel, .balanced)
        XCTAssertEqual(copy.outputPixelFormat, kCVPixelFormatType_OneComponent16Half)
        XCTAssertEqual(copy.regionOfInterest, request.regionOfInterest)
        XCTAssertEqual(copy.frameAnalysisSpacing, request.frameAnalysisSpacing)
    }

    func testTheHeadIsInTheMaskAndTheWallIsNot() throws {
        let image = frame()
        for (level, size) in [
            (VNGeneratePersonSegmentationRequest.QualityLevel.accurate, (480, 400)), (.balanced, (480, 400)),
            (.fast, (256, 213)),
        ] {
            let found = try mask(image) { $0.qualityLevel = level }
            XCTAssertEqual([found.width, found.height], [size.0, size.1], "\(level)")
            XCTAssertTrue(found.values.allSatisfy { (0...1).contains($0) })
            XCTAssertGreaterThan(found.value(x: 230.0 / 480, y: 190.0 / 400), 0.8, "\(level): the face")
            for (x, y) in [(0.03, 0.03), (0.97, 0.03), (0.97, 0.5), (0.03, 0.5)] {
                XCTAssertLessThan(found.value(x: x, y: y), 0.2, "\(level): the wall at \(x), \(y)")
            }
        }
    }

    func testMasksHaveAtMostThePixelsOfTheirLevel() throws {
        let image = try OddFrames.flat(3000, 1000, format: kCVPixelFormatType_OneComponent8, value: 100)
        for (level, size) in [
            (VNGeneratePersonSegmentationRequest.QualityLevel.accurate, [2016, 672]), (.balanced, [512, 171]),
            (.fast, [256, 85]),
        ] {
            let found = try mask(image) { $0.qualityLevel = level }
            XCTAssertEqual([found.width, found.height], size)
        }
    }

    func testAllFormatsHoldTheSameMask() throws {
        let image = frame()
        let floats = try mask(image) { $0.qualityLevel = .balanced }
        let request = VNGeneratePersonSegmentationRequest()
        request.qualityLevel = .balanced
        try VNImageRequestHandler(cvPixelBuffer: image).perform([request])
        let bytes = try XCTUnwrap(request.results?.first?.pixelBuffer.oneByteValues)
        for (byte, float) in zip(bytes, floats.values) {
            XCTAssertEqual(Float(byte), float * 255, accuracy: 0.51)
        }
        request.outputPixelFormat = kCVPixelFormatType_OneComponent16Half
        try VNImageRequestHandler(cvPixelBuffer: image).perform([request])
        let halves = try XCTUnwrap(request.results?.first?.pixelBuffer)
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(halves), kCVPixelFormatType_OneComponent16Half)
        let row = try XCTUnwrap(CVPixelBufferGetBaseAddress(halves)) + 200 * CVPixelBufferGetBytesPerRow(halves)
        for x in 0..<floats.width {
            let half = Float(Float16(bitPattern: row.load(fromByteOffset: 2 * x, as: UInt16.self)))
            XCTAssertEqual(half, floats[x, 200], accuracy: 1e-3)
        }
        request.outputPixelFormat = kCVPixelFormatType_32BGRA
        XCTAssertThrowsError(try VNImageRequestHandler(cvPixelBuffer: image).perform([request])) {
            XCTAssertEqual(($0 as NSError).code, VNErrorCode.invalidFormat.rawValue)
        }
    }

    func testAllOrientationsGiveTheSameMask() throws {
        let frame = DrawnFace.greyFrame([face], width: 480, height: 400)
        let upright = try mask(frame.pixelBuffer()) { $0.qualityLevel = .balanced }
        for orientation in CGImagePropertyOrientation.allCases {
            let turned = try mask(frame.stored(for: orientation).pixelBuffer(), orientation) {
                $0.qualityLevel = .balanced
            }
            XCTAssertEqual([turned.width, turned.height], [480, 400])
            let difference = zip(turned.values, upright.values).reduce(0) { $0 + abs($1.0 - $1.1) }
            XCTAssertLessThan(difference / Float(upright.values.count), 0.01, "\(orientation)")
        }
    }

    func testARegionOfInterestIsMaskedAsItsOwnImage() throws {
        // The left three quarters.
        let found = try mask(frame()) {
            $0.qualityLevel = .fast
            $0.regionOfInterest = CGRect(x: 0, y: 0, width: 0.75, height: 1)
        }
        XCTAssertEqual([found.width, found.height], [230, 256])
        XCTAssertGreaterThan(found.value(x: 230.0 / 360, y: 190.0 / 400), 0.8)
    }

    func testTheResultDoesNotDependOnTheNumberOfThreads() throws {
        let image = frame()
        let before = VisionSettings.threadCount
        defer { VisionSettings.threadCount = before }
        VisionSettings.threadCount = 1
        let one = try mask(image)
        VisionSettings.threadCount = 4
        XCTAssertEqual(try mask(image).values, one.values)
    }

    func testOddImagesGiveMasks() throws {
        for (width, height) in [(1, 1), (1, 2000), (2000, 1), (3, 5)] {
            for level in VNGeneratePersonSegmentationRequest.QualityLevel.allCases {
                for format in [kCVPixelFormatType_32BGRA, kCVPixelFormatType_OneComponent8] {
                    let found = try mask(try OddFrames.flat(width, height, format: format, value: 70)) {
                        $0.qualityLevel = level
                    }
                    XCTAssertLessThanOrEqual(found.width, width)
                    XCTAssertLessThanOrEqual(found.height, height)
                    XCTAssertTrue(found.values.allSatisfy { (0...1).contains($0) })
                }
            }
        }
    }

    // MARK: - Videos

    private func sample(_ image: CVPixelBuffer, at milliseconds: Int) -> CMSampleBuffer {
        CMSampleBuffer(
            imageBuffer: image, presentationTimeStamp: CMTime(value: CMTimeValue(milliseconds), timescale: 1000))
    }

    func testMasksOfAVideoAreSteadyAndThoseOfImagesIndependent() throws {
        let (first, second) = (frame(), frame([DrawnFace(x: 238, y: 190, size: 150)]))
        let alone = try mask(second) { $0.qualityLevel = .fast }
        let request = VNGeneratePersonSegmentationRequest()
        (request.qualityLevel, request.outputPixelFormat) = (.fast, kCVPixelFormatType_OneComponent32Float)
        func next(_ handler: VNImageRequestHandler) throws -> FloatMap {
            try handler.perform([request])
            return FloatMap(try XCTUnwrap(request.results?.first).pixelBuffer)
        }
        let before = try next(VNImageRequestHandler(cmSampleBuffer: sample(first, at: 1000)))
        let steadied = try next(VNImageRequestHandler(cmSampleBuffer: sample(second, at: 1033)))
        XCTAssertNotEqual(steadied.values, alone.values)
        for index in alone.values.indices {
            let range = [before.values[index], alone.values[index]]
            XCTAssertGreaterThanOrEqual(steadied.values[index], (range.min() ?? 0) - 1e-5)
            XCTAssertLessThanOrEqual(steadied.values[index], (range.max() ?? 0) + 1e-5)
        }
        // Much later, earlier, or without a time: as if alone.
        XCTAssertEqual(try next(VNImageRequestHandler(cmSampleBuffer: sample(second, at: 9000))).values, alone.values)
        XCTAssertEqual(try next(VNImageRequestHandler(cmSampleBuffer: sample(second, at: 500))).values, alone.values)
        XCTAssertEqual(try next(VNImageRequestHandler(cvPixelBuffer: second)).values, alone.values)
    }

    func testFramesWithinTheSpacingAreNotAnalysed() throws {
        let request = VNGeneratePersonSegmentationRequest(
            frameAnalysisSpacing: CMTime(value: 100, timescale: 1000), completionHandler: nil)
        request.qualityLevel = .fast
        let image = frame()
        let counts = try [0, 40, 80, 120, 160, 230].map { time in
            try VNImageRequestHandler(cmSampleBuffer: sample(image, at: 1000 + time)).perform([request])
            return request.results?.count
        }
        XCTAssertEqual(counts, [1, 0, 0, 1, 0, 1])
    }

    // MARK: - Instances

    func testTwoPeopleAreTwoInstances() throws {
        // The detector does not take drawn heads for people, so their boxes are given.
        let faces = [DrawnFace(x: 130, y: 180, size: 110), DrawnFace(x: 480, y: 180, size: 110)]
        let source = ImageSource(pixelBuffer: DrawnFace.buffer(faces, width: 620, height: 400))
        let region = PixelRegion(width: 620, height: 400)
        let grid = MaskGrid(of: region, longest: 310)
        XCTAssertEqual([grid.width, grid.height], [310, 200])
        let people = faces.enumerated().map { index, face in
            FoundPerson(
                box: PixelRegion(x: face.x - 100, y: face.y - 140, width: 200, height: 260),
                score: index == 0 ? 0.7 : 0.9)
        }
        let outside = FoundPerson(box: PixelRegion(x: 5000, y: 0, width: 20, height: 20), score: 0.9)
        let masks = try PersonSegmenter(.accurate).masks(of: people + [outside], on: grid) { try source.derivative($0) }
        XCTAssertEqual(masks.count, 2)
        let both = PersonSegmenter.instances(of: masks, on: grid, most: 4, leastScore: 0.5) { $0 }
        XCTAssertEqual(both.instances, [1, 2])
        // The surer one comes first.
        XCTAssertEqual(
            [both.labels[90 * 310 + 240], both.labels[90 * 310 + 65], both.labels[5 * 310 + 155]], [1, 2, 0])
        // One person only: the other's pixels belong to nobody.
        for (most, least) in [(1, Float(0.5)), (4, 0.8)] {
            let one = PersonSegmenter.instances(of: masks, on: grid, most: most, leastScore: least) { $0 }
            XCTAssertEqual(one.instances, [1])
            XCTAssertEqual([one.labels[90 * 310 + 240], one.labels[90 * 310 + 65]], [1, 0])
        }
    }

    func testWithoutPeopleThereIsNoInstance() throws {
        let request = VNGeneratePersonInstanceMaskRequest()
        let image = try OddFrames.flat(64, 48, format: kCVPixelFormatType_OneComponent8, value: 9)
        try VNImageRequestHandler(cvPixelBuffer: image).perform([request])
        XCTAssertEqual(request.results?.count, 0)
    }
}
