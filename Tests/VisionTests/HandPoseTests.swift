import ModelTestSupport
import VisionExtras
import VisionModels
import XCTest

@testable import Vision

/// The joints of drawn hands.
final class HandPoseTests: XCTestCase {
    private typealias Joint = VNHumanHandPoseObservation.JointName

    private static let names: [String: Joint] = [
        "thumbTip": .thumbTip, "indexTip": .indexTip, "middleTip": .middleTip, "ringTip": .ringTip,
        "littleTip": .littleTip,
    ]

    private func requireNetworks() throws { _ = try requireModel { try HandFinder() } }

    private func hands(
        _ buffer: CVPixelBuffer, maximumCount: Int = 2, region: CGRect = VNNormalizedIdentityRect
    ) throws -> [VNHumanHandPoseObservation] {
        let request = VNDetectHumanHandPoseRequest()
        request.maximumHandCount = maximumCount
        request.regionOfInterest = region
        try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
        return try XCTUnwrap(request.results)
    }

    /// Checks that the tips of the fingers are those of a drawn hand.
    private func assert(
        _ hand: VNHumanHandPoseObservation, is body: DrawnBody, in region: CGRect, accuracy: Double,
        _ message: String = "", file: StaticString = #filePath, line: UInt = #line
    ) throws {
        for (name, joint) in Self.names {
            let drawn = try XCTUnwrap(body.joints[name])
            let point = try hand.recognizedPoint(joint)
            let (x, y) = (region.minX + point.x * region.width, region.maxY - point.y * region.height)
            XCTAssertLessThan(
                hypot(x - drawn.x, y - drawn.y), accuracy, "\(name) \(message)", file: file, line: line)
        }
    }

    func testTheTipsOfTheFingersAreFoundInAnyDirection() throws {
        try requireNetworks()
        for angle in [0, 1.2, -0.8] {
            let body = DrawnBody.hand(x: 150, y: 200, size: 100, angle: angle, isLeft: true)
            let found = try hands(DrawnBody.buffer([body], width: 320, height: 300))
            XCTAssertEqual(found.count, 1, "\(angle)")
            let hand = try XCTUnwrap(found.first)
            XCTAssertGreaterThan(hand.confidence, 0.5)
            XCTAssertEqual(hand.requestRevision, VNDetectHumanHandPoseRequestRevision1)
            try assert(hand, is: body, in: CGRect(x: 0, y: 0, width: 320, height: 300), accuracy: 14, "\(angle)")
        }
    }

    func testTheChiralityIsThatOfThePerson() throws {
        try requireNetworks()
        for isLeft in [true, false] {
            let body = DrawnBody.hand(x: 150, y: 220, size: 100, isLeft: isLeft)
            let hand = try XCTUnwrap(hands(DrawnBody.buffer([body], width: 300, height: 300)).first)
            XCTAssertEqual(hand.chirality, isLeft ? .left : .right)
        }
    }

    func testNoMoreHandsThanTheMaximum() throws {
        try requireNetworks()
        let bodies = [
            DrawnBody.hand(x: 110, y: 200, size: 90, isLeft: true),
            DrawnBody.hand(x: 300, y: 200, size: 90, isLeft: false),
        ]
        let buffer = DrawnBody.buffer(bodies, width: 410, height: 290)
        XCTAssertEqual(try hands(buffer).count, 2)
        XCTAssertEqual(try hands(buffer, maximumCount: 1).count, 1)
        XCTAssertEqual(try hands(buffer, maximumCount: Int.max).count, 2)
        for count in [0, -1, Int.min] {
            assertThrows(.invalidArgument) { _ = try self.hands(buffer, maximumCount: count) }
        }
    }

    func testPointsAreRelativeToTheRegionOfInterest() throws {
        try requireNetworks()
        let bodies = [
            DrawnBody.hand(x: 110, y: 200, size: 90, isLeft: true),
            DrawnBody.hand(x: 310, y: 200, size: 90, isLeft: false),
        ]
        let buffer = DrawnBody.buffer(bodies, width: 420, height: 290)
        let found = try hands(buffer, region: CGRect(x: 0.5, y: 0, width: 0.5, height: 1))
        XCTAssertEqual(found.count, 1)
        try assert(
            try XCTUnwrap(found.first), is: bodies[1], in: CGRect(x: 210, y: 0, width: 210, height: 290), accuracy: 16)
    }

    func testBothHandlersAndAllThreadCountsGiveTheSame() throws {
        try requireNetworks()
        let threads = VisionSettings.threadCount
        defer { VisionSettings.threadCount = threads }
        let buffer = DrawnBody.buffer(
            [DrawnBody.hand(x: 150, y: 220, size: 100, isLeft: true)], width: 300, height: 300)
        VisionSettings.threadCount = 1
        let first = try XCTUnwrap(hands(buffer).first)
        VisionSettings.threadCount = 3
        let request = VNDetectHumanHandPoseRequest()
        try VNSequenceRequestHandler().perform([request], on: buffer)
        let second = try XCTUnwrap(request.results?.first)
        XCTAssertEqual(try first.recognizedPoints(.all), try second.recognizedPoints(.all))
        XCTAssertEqual(first.confidence, second.confidence)
    }

    func testImagesWithoutHandsGiveAnEmptyArray() throws {
        try requireNetworks()
        for (width, height) in [(1, 1), (3, 300), (300, 2), (160, 120)] {
            XCTAssertEqual(try hands(DrawnBody.buffer([], width: width, height: height)), [], "\(width)×\(height)")
        }
    }

    func testRequestsOfAnImageShareTheSearch() throws {
        try requireNetworks()
        let body = DrawnBody.hand(x: 150, y: 220, size: 100, isLeft: true)
        let handler = VNImageRequestHandler(cvPixelBuffer: DrawnBody.buffer([body], width: 300, height: 300))
        try handler.perform([VNDetectHumanHandPoseRequest(), VNDetectHumanHandPoseRequest()])
        // One run for the palms, one for the hand.
        XCTAssertEqual(handler.core.networkRunCount, 2)
    }
}
