import Vision
import XCTest

/// Unusual videos and corners at both levels: corners stay finite and form a convex quad, confidences stay between 0
/// and 1.
final class RectangleOddInputTests: XCTestCase {
    private let levels = [VNRequestTrackingLevel.fast, .accurate]

    private func observation(_ corners: [(CGFloat, CGFloat)]) -> VNRectangleObservation {
        let points = corners.map { CGPoint(x: $0.0, y: $0.1) }
        return VNRectangleObservation(
            requestRevision: VNTrackRectangleRequestRevision1, topLeft: points[0], topRight: points[1],
            bottomRight: points[2], bottomLeft: points[3])
    }

    private func request(
        _ input: VNRectangleObservation, _ level: VNRequestTrackingLevel
    ) -> VNTrackRectangleRequest {
        let request = VNTrackRectangleRequest(rectangleObservation: input)
        request.trackingLevel = level
        return request
    }

    /// The observations of each frame; each is checked to be sound.
    private func track(
        _ start: VNRectangleObservation, through video: [CVPixelBuffer], _ level: VNRequestTrackingLevel,
        line: UInt = #line
    ) throws -> [VNRectangleObservation] {
        let handler = VNSequenceRequestHandler()
        var observation = start
        return try video.map { buffer in
            let request = request(observation, level)
            try handler.perform([request], on: buffer)
            observation = try XCTUnwrap(request.results?.first, line: line)
            assertSound(observation, line: line)
            return observation
        }
    }

    private func assertSound(_ found: VNRectangleObservation, line: UInt) {
        let corners = [found.topLeft, found.topRight, found.bottomRight, found.bottomLeft]
        for corner in corners {
            XCTAssertTrue(corner.x.isFinite && corner.y.isFinite, "\(corners)", line: line)
        }
        let crossProducts = corners.indices.map { index in
            let (a, b, c) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
            return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
        }
        XCTAssertTrue(
            crossProducts.allSatisfy { $0 < 0 } || crossProducts.allSatisfy { $0 > 0 }, "\(corners)", line: line)
        XCTAssertTrue((0...1).contains(found.confidence), "\(found.confidence)", line: line)
        XCTAssertTrue(found.boundingBox.width > 0 && found.boundingBox.height > 0, line: line)
    }

    private func rectangle(_ box: CGRect) -> VNRectangleObservation { VNRectangleObservation(boundingBox: box) }

    func testQuadsOfAllSizesAndPositionsAreTracked() throws {
        let video = (0..<4).map { OddFrames.frame(100 + $0, 75) }
        let starts = [
            // Larger than the frame, half outside, hardly inside, less than a pixel, a needle, all of it.
            rectangle(CGRect(x: -1, y: -1, width: 3, height: 3)),
            rectangle(CGRect(x: -0.2, y: 0.4, width: 0.4, height: 0.3)),
            rectangle(CGRect(x: 0.999, y: 0.5, width: 0.6, height: 0.2)),
            rectangle(CGRect(x: 0.5, y: 0.5, width: 2e-3, height: 3e-3)),
            rectangle(CGRect(x: 0.1, y: 0.5, width: 0.8, height: 5e-3)),
            rectangle(CGRect(x: 0, y: 0, width: 1, height: 1)),
            // Seen steeply, with two corners far outside.
            observation([(0.45, 0.6), (0.55, 0.6), (1.25, -0.5), (-0.25, -0.5)]),
            // Mirrored, and lying on its side.
            observation([(0.6, 0.6), (0.4, 0.6), (0.4, 0.4), (0.6, 0.4)]),
            observation([(0.6, 0.6), (0.6, 0.4), (0.4, 0.4), (0.4, 0.6)]),
        ]
        for level in levels { for start in starts { _ = try track(start, through: video, level) } }
    }

    func testCornersThatMakeNoQuadAreErrorsThatSaySo() throws {
        let cases: [([(CGFloat, CGFloat)], VNErrorCode, String)] = [
            ([(0.2, 0.8), (0.8, 0.8), (0.2, 0.2), (0.8, 0.2)], .invalidArgument, "cross"),
            ([(0.2, 0.8), (0.8, 0.8), (0.3, 0.7), (0.2, 0.2)], .invalidArgument, "convex"),
            ([(0.2, 0.8), (0.8, 0.8), (0.5, 0.5), (0.2, 0.2)], .invalidArgument, "convex"),
            ([(0.2, 0.2), (0.2, 0.2), (0.2, 0.2), (0.2, 0.2)], .invalidArgument, "area"),
            ([(0.2, 0.2), (0.4, 0.4), (0.6, 0.6), (0.8, 0.8)], .invalidArgument, "area"),
            ([(.nan, 0.8), (0.8, 0.8), (0.8, 0.2), (0.2, 0.2)], .invalidArgument, "not a number"),
            ([(0.2, 0.8), (0.8, .infinity), (0.8, 0.2), (0.2, 0.2)], .invalidArgument, "not a number"),
            ([(-1e300, 0.8), (0.8, 0.8), (0.8, 0.2), (-1e300, 0.2)], .invalidArgument, "large"),
            // No camera sees one side seventy times as long as the opposite one.
            ([(0.45, 0.6), (0.55, 0.6), (4, -3), (-3, -3)], .invalidArgument, "perspective"),
            ([(1.2, 0.8), (1.8, 0.8), (1.8, 0.2), (1.2, 0.2)], .outOfBoundsError, "outside"),
        ]
        let frame = OddFrames.frame(100, 75)
        for level in levels {
            for (corners, code, word) in cases {
                let request = request(observation(corners), level)
                XCTAssertThrowsError(try VNSequenceRequestHandler().perform([request], on: frame)) { error in
                    assert(error, is: code)
                    let message = (error as NSError).localizedDescription
                    XCTAssertTrue(message.contains(word), message)
                }
                XCTAssertNil(request.results)
            }
        }
    }

    func testAVideoThatGoesBlackLosesTheRectangleAndFindsItAgain() throws {
        let black = try OddFrames.flat(200, 150, format: kCVPixelFormatType_OneComponent8, value: 0)
        for level in levels {
            let shown = (0..<5).map { OddFrames.frame(90 + 2 * $0, 75) }
            let again = (0..<5).map { OddFrames.frame(100 + 2 * $0, 75) }
            let found = try track(
                rectangle(OddFrames.box(90, 75)), through: shown + Array(repeating: black, count: 6) + again, level)
            for hidden in found[5..<11] {
                XCTAssertLessThan(hidden.confidence, 0.3)
                assertEqual(hidden.boundingBox, found[4].boundingBox, accuracy: 1e-6)
            }
            XCTAssertGreaterThan(found[15].confidence, 0.5)
            // A pixel.
            assertEqual(found[15].boundingBox, OddFrames.box(108, 75), accuracy: 1.0 / 150)
        }
    }

    func testFramesMayChangeTheirSizeAndFormatAtWill() throws {
        let video = try OddFrames.restless()
        for level in levels {
            let found = try track(rectangle(OddFrames.box(100, 75)), through: video + [video[0], video[0]], level)
            let last = try XCTUnwrap(found.last)
            XCTAssertGreaterThan(last.confidence, 0.5)
            assertEqual(last.boundingBox, OddFrames.box(100, 75), accuracy: 1.0 / 150)
            // From a frame of one pixel on.
            _ = try track(rectangle(CGRect(x: 0, y: 0, width: 1, height: 1)), through: Array(video[1...]), level)
        }
    }

    func testPlainObjectsThatAreTrackedByColourOutliveFramesWithoutColours() throws {
        func frame(_ x: Int) throws -> CVPixelBuffer {
            let buffer = try OddFrames.flat(200, 150, format: kCVPixelFormatType_32BGRA, value: 120)
            CVPixelBufferLockBaseAddress(buffer, [])
            defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
            let bytes = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
            for row in 50..<100 {
                for column in x..<(x + 60) {
                    let offset = row * CVPixelBufferGetBytesPerRow(buffer) + 4 * column
                    for (channel, value) in [UInt8(20), 40, 220].enumerated() {
                        bytes.storeBytes(of: value, toByteOffset: offset + channel, as: UInt8.self)
                    }
                }
            }
            return buffer
        }
        let start = VNNormalizedRectForImageRect(CGRect(x: 60, y: 50, width: 60, height: 50), 200, 150)
        for level in levels {
            let video = try [60, 62, 64].map(frame) + OddFrames.restless()[1...9] + [66, 66, 66].map(frame)
            let found = try track(rectangle(start), through: video, level)
            let wanted = VNNormalizedRectForImageRect(CGRect(x: 66, y: 50, width: 60, height: 50), 200, 150)
            assertEqual(try XCTUnwrap(found.last).boundingBox, wanted, accuracy: 1.0 / 150)
        }
    }

    func testFramesOf8KAreTracked() throws {
        let (large, box) = try OddFrames.large()
        let black = try OddFrames.flat(7680, 4320, format: kCVPixelFormatType_OneComponent8, value: 0)
        for level in levels {
            let found = try track(rectangle(box), through: [large, large, black, black, black, large, large], level)
            // A pixel.
            assertEqual(found[1].boundingBox, box, accuracy: 1.0 / 4320)
            XCTAssertLessThan(found[4].confidence, 0.5)
            assertEqual(found[6].boundingBox, box, accuracy: 1.0 / 4320)
            _ = try track(rectangle(CGRect(x: 0, y: 0, width: 1, height: 1)), through: [large, large], level)
            _ = try track(rectangle(CGRect(x: 0.4, y: 0.5, width: 1e-3, height: 1e-3)), through: [large, large], level)
        }
    }

    func testTimesThatJumpAndRunBackwardsDoNotMatter() throws {
        let video = (0..<6).map { OddFrames.frame(90 + 2 * $0, 75) }
        for level in levels {
            let handler = VNSequenceRequestHandler()
            var observation = rectangle(OddFrames.box(90, 75))
            for sample in OddFrames.samples(of: video) {
                let request = request(observation, level)
                try handler.perform([request], on: sample)
                observation = try XCTUnwrap(request.results?.first)
                assertSound(observation, line: #line)
            }
            assertEqual(observation.boundingBox, OddFrames.box(100, 75), accuracy: 1.0 / 150)
        }
    }
}
