import ModelTestSupport
import VisionImage
import VisionModels
import XCTest

@testable import Vision

/// Requests of the Swift API that work with several frames, and those that draw outlines: what the classic ones give.
final class SwiftMotionTests: XCTestCase {
    private let scene = Scene(seed: 5, contrast: 0.7)

    private func frame(_ x: Double) -> CVPixelBuffer { scene.frame(width: 160, height: 120, x: x).pixelBuffer() }

    func testRegistrationFollowsAVideoAsTheClassicRequestDoes() async throws {
        let request = TrackTranslationalImageRegistrationRequest()
        let classic = VNTrackTranslationalImageRegistrationRequest()
        let handler = VNSequenceRequestHandler()
        do {
            _ = try await request.perform(on: frame(0))
            XCTFail("the first frame has no result")
        } catch VisionError.dataUnavailable {}
        try handler.perform([classic], on: frame(0))
        for x in [3.0, 8, 6] {
            try handler.perform([classic], on: frame(x))
            let found = try await request.perform(on: frame(x))
            XCTAssertEqual(values([found.classic]), values(classic.results ?? []))
        }
        let homography = TrackHomographicImageRegistrationRequest()
        _ = try? await homography.perform(on: frame(0))
        let warp = try await homography.perform(on: frame(4)).warpTransform
        XCTAssertEqual(abs(warp[2, 0]), 4, accuracy: 0.3)
    }

    func testAPairOfImagesNeedsNoFramesBefore() async throws {
        let pair = TargetedImageRequestHandler(source: frame(0), target: frame(5))
        let request = TrackTranslationalImageRegistrationRequest()
        // What a request has seen before does not matter.
        _ = try? await request.perform(on: frame(40))
        let (shift, flow) = try await pair.perform(request, TrackOpticalFlowRequest())
        XCTAssertEqual(abs(shift.alignmentTransform.tx), 5, accuracy: 0.1)
        let vector = try XCTUnwrap(flow).flow(at: NormalizedPoint(x: 0.5, y: 0.5))
        XCTAssertEqual(abs(vector.0), 5, accuracy: 0.6)
        XCTAssertEqual(vector.1, 0, accuracy: 0.6)
        var names: [String] = []
        for await result in pair.performAll([TrackHomographicImageRegistrationRequest(), TrackOpticalFlowRequest()]) {
            switch result {
            case .trackHomographicImageRegistration: names.append("homography")
            case .trackOpticalFlow(_, let flow): names.append(flow == nil ? "none" : "flow")
            default: XCTFail("\(result)")
            }
        }
        XCTAssertEqual(names, ["homography", "flow"])
    }

    func testAnUnreadableSourceIsAnError() async throws {
        let pair = TargetedImageRequestHandler(source: Data("no image".utf8), target: Data())
        do {
            _ = try await pair.perform(TrackOpticalFlowRequest())
            XCTFail("no error")
        } catch is VisionError {}
    }

    func testFlowHasTheFormatAndAccuracyOfTheRequest() async throws {
        for format in TrackOpticalFlowRequest().supportedOutputPixelFormatTypes {
            let request = TrackOpticalFlowRequest()
            request.outputPixelFormatType = format
            request.computationAccuracy = .low
            let first = try await request.perform(on: frame(0))
            XCTAssertNil(first)
            let flow = try await request.perform(on: frame(2))
            XCTAssertEqual(flow?.pixelFormat, format)
            XCTAssertEqual(flow?.size, CGSize(width: 160, height: 120))
        }
        let request = TrackOpticalFlowRequest()
        request.outputPixelFormatType = kCVPixelFormatType_32BGRA
        do {
            _ = try await request.perform(on: frame(0))
            XCTFail("no error")
        } catch is VisionError {}
    }

    func testContoursAreThoseOfTheClassicRequest() async throws {
        let ring = GreyFrame(width: 200, height: 160) { x, y in
            let square = (x - 90) * (x - 90) + (y - 80) * (y - 80)
            return (900..<3600).contains(square) ? 30 : 220
        }.pixelBuffer()
        let classic = VNDetectContoursRequest()
        try VNImageRequestHandler(cvPixelBuffer: ring).perform([classic])
        let expected = try XCTUnwrap(classic.results?.first)
        let found = try await DetectContoursRequest().perform(on: ring)
        XCTAssertEqual(values([found.classic]), values([expected]))
        XCTAssertEqual(found.topLevelContours.count, 1)
        let outer = try XCTUnwrap(found.topLevelContours.first)
        XCTAssertEqual(outer.childContours.count, 1)
        XCTAssertEqual(outer, found.contourAtIndex(0))
        XCTAssertEqual(found.countourAtIndexPath([0, 0]), outer.childContours.first)
        XCTAssertNil(found.contourAtIndex(99))
        XCTAssertEqual(outer.boundingCircle().radius, 60 / 160, accuracy: 0.02)
        XCTAssertEqual(outer.calculateArea(), .pi * pow(60 / 160, 2), accuracy: 0.02)
        XCTAssertGreaterThan(outer.calculatePerimeter(), 2 * .pi * 60 / 160 * 0.9)
        XCTAssertLessThan(try outer.polygonApproximation(epsilon: 0.05).pointCount, outer.pointCount)
        XCTAssertThrowsError(try outer.polygonApproximation(epsilon: -1)) { XCTAssertTrue($0 is VisionError) }
    }

    func testABallIsFollowedAlongItsParabola() async throws {
        let request = DetectTrajectoriesRequest(trajectoryLength: 6)
        request.objectMinimumNormalizedRadius = 0.005
        var found: [TrajectoryObservation] = []
        for number in 0..<24 {
            let (x, y) = (20 + number * 11, 40 + (number - 12) * (number - 12))
            let ball = GreyFrame(width: 320, height: 240) { column, row in
                (column - x) * (column - x) + (row - y) * (row - y) < 36
                    ? 240 : UInt8(60 + (column / 20 + row / 20) % 2 * 8)
            }
            found += try await request.perform(on: ball.pixelBuffer())
        }
        let last = try XCTUnwrap(found.last)
        XCTAssertEqual(Set(found.map(\.uuid)).count, 1)
        XCTAssertLessThan(last.equationCoefficients.x, 0)
        XCTAssertGreaterThanOrEqual(last.detectedPoints.count, 6)
        XCTAssertEqual(request.minimumLatencyFrameCount, 6)
    }

    func testTheMaskOfAPageLiesWithinItsCorners() async throws {
        _ = try requireModel { try TextNetwork.shared() }
        let page = GreyFrame(width: 400, height: 300) { x, y in
            (90..<310).contains(x) && (40..<260).contains(y) ? 235 : UInt8(50 + (x * 7 ^ y * 3) % 12)
        }.pixelBuffer()
        let found = try await DetectDocumentSegmentationRequest().perform(on: page)
        let document = try XCTUnwrap(found)
        let mask = try XCTUnwrap(document.globalSegmentationMask)
        XCTAssertEqual(mask.pixel(at: NormalizedPoint(x: 0.5, y: 0.5)), 1)
        XCTAssertEqual(mask.pixel(at: NormalizedPoint(x: 0.05, y: 0.05)), 0)
        XCTAssertEqual(document.topLeft.x, 90 / 400, accuracy: 0.02)
        XCTAssertEqual(document.bottomRight.y, 1 - 260 / 300, accuracy: 0.02)
        let plain = GreyFrame(width: 400, height: 300) { _, _ in 90 }
        let nothing = try await DetectDocumentSegmentationRequest().perform(on: plain.pixelBuffer())
        XCTAssertNil(nothing)
    }
}
