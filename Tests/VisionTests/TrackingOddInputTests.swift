import Vision
import VisionImage
import XCTest

/// Unusual videos at both levels: boxes stay finite, confidences between 0 and 1.
final class TrackingOddInputTests: XCTestCase {
    private let background = Scene(seed: 21, contrast: 0.5)
    private let object = Scene(seed: 22)
    private let levels = [VNRequestTrackingLevel.fast, .accurate]

    private func frame(_ x: Int, _ y: Int, side: Int = 32, width: Int = 200, height: Int = 150) -> GreyFrame {
        var frame = background.frame(width: width, height: height)
        frame.draw(object, centreX: x, centreY: y, side: side)
        return frame
    }

    private func box(_ x: Int, _ y: Int, side: Int = 32, width: Int = 200, height: Int = 150) -> CGRect {
        VNNormalizedRectForImageRect(
            CGRect(x: x - side / 2, y: height - y - side / 2, width: side, height: side), width, height)
    }

    private func request(
        _ input: VNDetectedObjectObservation, _ level: VNRequestTrackingLevel
    ) -> VNTrackObjectRequest {
        let request = VNTrackObjectRequest(detectedObjectObservation: input)
        request.revision = VNTrackObjectRequestRevision1
        request.trackingLevel = level
        return request
    }

    /// The observations of each frame; each is checked to be sound.
    private func track(
        _ start: CGRect, through video: [CVPixelBuffer], _ level: VNRequestTrackingLevel, line: UInt = #line
    ) throws -> [VNDetectedObjectObservation] {
        let handler = VNSequenceRequestHandler()
        var observation = VNDetectedObjectObservation(boundingBox: start)
        return try video.map { buffer in
            let request = request(observation, level)
            try handler.perform([request], on: buffer)
            observation = try XCTUnwrap(request.results?.first, line: line)
            let box = observation.boundingBox
            for value in [box.minX, box.minY, box.width, box.height] { XCTAssertTrue(value.isFinite, line: line) }
            XCTAssertGreaterThan(box.width, 0, line: line)
            XCTAssertTrue((0...1).contains(observation.confidence), line: line)
            return observation
        }
    }

    private func buffer(_ width: Int, _ height: Int, format: OSType, value: UInt8) throws -> CVPixelBuffer {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, format, nil, &made)
        let buffer = try XCTUnwrap(made)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let bytes = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        bytes.initializeMemory(
            as: UInt8.self, repeating: value, count: CVPixelBufferGetBytesPerRow(buffer) * height)
        return buffer
    }

    func testATargetOfFivePixelsIsFollowed() throws {
        for level in levels {
            let video = (0..<8).map { frame(60 + $0, 70, side: 5).pixelBuffer() }
            let found = try track(box(60, 70, side: 5), through: video, level)
            let wanted = box(67, 70, side: 5), last = found[7].boundingBox
            XCTAssertEqual(last.midX, wanted.midX, accuracy: 0.02)
            XCTAssertEqual(last.midY, wanted.midY, accuracy: 0.02)
        }
    }

    func testTargetsLargerThanTheFrameAndHalfOutsideAreTracked() throws {
        let video = (0..<4).map { frame(100 + $0, 75).pixelBuffer() }
        let boxes = [
            CGRect(x: -1, y: -1, width: 3, height: 3), CGRect(x: -0.1, y: 0.4, width: 0.2, height: 0.2),
            CGRect(x: 0.9, y: 0.95, width: 0.4, height: 0.4), CGRect(x: 0.5, y: 0.5, width: 1e-6, height: 1e-6),
        ]
        for level in levels { for box in boxes { _ = try track(box, through: video, level) } }
    }

    func testAVideoThatGoesBlackLosesTheTargetAndFindsItAgain() throws {
        let black = try buffer(200, 150, format: kCVPixelFormatType_OneComponent8, value: 0)
        for level in levels {
            let shown = (0..<5).map { frame(90 + 2 * $0, 75).pixelBuffer() }
            let again = (0..<5).map { frame(100 + 2 * $0, 75).pixelBuffer() }
            let found = try track(box(90, 75), through: shown + Array(repeating: black, count: 6) + again, level)
            XCTAssertLessThan(found[10].confidence, 0.5)
            let wanted = box(108, 75), last = found[15].boundingBox
            XCTAssertEqual(last.midX, wanted.midX, accuracy: 0.04)
            XCTAssertEqual(last.midY, wanted.midY, accuracy: 0.04)
        }
    }

    func testFramesMayChangeTheirSizeAndFormatAtWill() throws {
        let formats = [
            kCVPixelFormatType_32BGRA, kCVPixelFormatType_OneComponent8, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        ]
        for level in levels {
            var video = [frame(100, 75).pixelBuffer()]
            for (width, height) in [(1, 1), (2, 301), (640, 4), (200, 150)] {
                for format in formats where format != formats[2] {
                    video.append(try buffer(width, height, format: format, value: 90))
                }
            }
            var planes: CVPixelBuffer?
            CVPixelBufferCreate(nil, 64, 48, formats[2], nil, &planes)
            video.append(try XCTUnwrap(planes))
            video.append(frame(100, 75).pixelBuffer())
            _ = try track(box(100, 75), through: video, level)
            _ = try track(CGRect(x: 0, y: 0, width: 1, height: 1), through: Array(video[1...]), level)
        }
    }

    func testFramesOf8KAreTracked() throws {
        let large = try buffer(7680, 4320, format: kCVPixelFormatType_OneComponent8, value: 60)
        CVPixelBufferLockBaseAddress(large, [])
        let bytes = try XCTUnwrap(CVPixelBufferGetBaseAddress(large))
        let rowBytes = CVPixelBufferGetBytesPerRow(large)
        for row in 0..<400 {
            for column in 0..<400 {
                let value = UInt8(object.brightness(Double(column) / 12, Double(row) / 12))
                bytes.storeBytes(of: value, toByteOffset: (2000 + row) * rowBytes + 3000 + column, as: UInt8.self)
            }
        }
        CVPixelBufferUnlockBaseAddress(large, [])
        let target = VNNormalizedRectForImageRect(
            CGRect(x: 3000, y: 4320 - 2400, width: 400, height: 400), 7680, 4320)
        for level in levels {
            let found = try track(target, through: [large, large, large], level)
            XCTAssertEqual(found[2].boundingBox.midX, target.midX, accuracy: 0.005)
            XCTAssertEqual(found[2].boundingBox.midY, target.midY, accuracy: 0.005)
            _ = try track(CGRect(x: 0, y: 0, width: 1, height: 1), through: [large, large], level)
        }
    }

    func testATargetThatIsGoneFromFramesOf8KIsSearchedFor() throws {
        let grey = try buffer(7680, 4320, format: kCVPixelFormatType_OneComponent8, value: 60)
        let black = try buffer(7680, 4320, format: kCVPixelFormatType_32BGRA, value: 0)
        for level in levels {
            let small = CGRect(x: 0.5, y: 0.5, width: 6.0 / 7680, height: 6.0 / 4320)
            let found = try track(small, through: [grey] + Array(repeating: black, count: 6), level)
            XCTAssertLessThan(found[6].confidence, 0.5)
        }
    }

    func testTimesThatJumpAndRunBackwardsDoNotMatter() throws {
        for level in levels {
            let handler = VNSequenceRequestHandler()
            var observation = VNDetectedObjectObservation(boundingBox: box(90, 75))
            for (index, time) in [0, 40, 41, -7, 1_000_000, 1_000_000].enumerated() {
                let sample = CMSampleBuffer(
                    imageBuffer: frame(90 + 2 * index, 75).pixelBuffer(),
                    presentationTimeStamp: CMTime(value: CMTimeValue(time), timescale: 600))
                let request = request(observation, level)
                try handler.perform([request], on: sample)
                observation = try XCTUnwrap(request.results?.first)
            }
            XCTAssertEqual(observation.boundingBox.midX, box(100, 75).midX, accuracy: 0.03)
        }
    }

    func testTheTrackersOfAFrameShareItsDerivatives() throws {
        /// The number of derivatives that the cache of the last frame made, for so many targets.
        func made(_ targets: Int) throws -> (misses: Int, results: Int) {
            let handler = VNSequenceRequestHandler()
            var inputs = (0..<targets).map {
                VNDetectedObjectObservation(
                    boundingBox: CGRect(x: 0.05 + 0.05 * Double($0), y: 0.3, width: 0.3, height: 0.4))
            }
            for step in 0..<2 {
                let requests = inputs.map { request($0, .accurate) }
                try handler.perform(
                    requests, on: frame(200 + step, 150, side: 120, width: 400, height: 300).pixelBuffer())
                inputs = requests.compactMap { $0.results?.first }
            }
            let counts = try XCTUnwrap(handler.core.derivativeStatistics)
            let results = try XCTUnwrap(handler.core.resultStatistics)
            return (counts.misses, results.misses)
        }
        let (one, ten) = (try made(1), try made(10))
        XCTAssertGreaterThan(one.results, 0, "the frame was not shrunk")
        XCTAssertEqual(one.misses, ten.misses)
        XCTAssertEqual(one.results, ten.results)
    }
}
