import XCTest

@testable import Vision

final class RectangleTrackingTests: XCTestCase {
    private let background = Scene(seed: 11, contrast: 0.5)
    private let face = Scene(seed: 12)
    private let size = (width: 240, height: 180)

    /// A square of 64 pixels over the background.
    private func frame(_ x: Int, _ y: Int) -> GreyFrame {
        var frame = background.frame(width: size.width, height: size.height)
        frame.draw(face, centreX: x, centreY: y, side: 64)
        return frame
    }

    private func box(_ x: Int, _ y: Int, side: Int = 64) -> CGRect {
        VNNormalizedRectForImageRect(
            CGRect(x: x - side / 2, y: size.height - y - side / 2, width: side, height: side), size.width, size.height)
    }

    private func track(
        _ input: VNRectangleObservation, _ handler: VNSequenceRequestHandler, on frame: GreyFrame,
        level: VNRequestTrackingLevel = .fast, isLast: Bool = false
    ) throws -> VNRectangleObservation {
        let request = VNTrackRectangleRequest(rectangleObservation: input)
        request.isLastFrame = isLast
        request.trackingLevel = level
        try handler.perform([request], on: frame.pixelBuffer())
        XCTAssertEqual(request.results?.count, 1)
        return try XCTUnwrap(request.results?.first)
    }

    func testTheFirstFrameOnlySelects() throws {
        let input = VNRectangleObservation(boundingBox: box(100, 75))
        let result = try track(input, VNSequenceRequestHandler(), on: frame(100, 75))
        XCTAssertEqual(result.topLeft, input.topLeft)
        XCTAssertEqual(result.bottomRight, input.bottomRight)
        XCTAssertEqual(result.confidence, 1)
        XCTAssertEqual(result.uuid, input.uuid)
        XCTAssertEqual(result.requestRevision, VNTrackRectangleRequestRevision1)
    }

    func testTheCornersFollowAndTheBoxIsTheirs() throws {
        for level in [VNRequestTrackingLevel.fast, .accurate] {
            let handler = VNSequenceRequestHandler()
            let start = VNRectangleObservation(boundingBox: box(80, 90))
            var observation = start
            for step in 0..<10 {
                observation = try track(observation, handler, on: frame(80 + 5 * step, 90 - 2 * step), level: level)
            }
            XCTAssertEqual(observation.uuid, start.uuid)
            // Half a pixel.
            assertEqual(observation.boundingBox, box(125, 72), accuracy: 0.0025)
            XCTAssertEqual(observation.topLeft.x, box(125, 72).minX, accuracy: 0.0025)
            XCTAssertEqual(observation.topLeft.y, box(125, 72).maxY, accuracy: 0.0025)
            let corners = [observation.topLeft, observation.topRight, observation.bottomLeft, observation.bottomRight]
            XCTAssertEqual(observation.boundingBox.minX, corners.map(\.x).min())
            XCTAssertEqual(observation.boundingBox.maxY, corners.map(\.y).max())
            XCTAssertGreaterThan(observation.confidence, 0.7)
        }
    }

    func testTheConfidenceFallsWhenTheRectangleIsGone() throws {
        let handler = VNSequenceRequestHandler()
        var observation = VNRectangleObservation(boundingBox: box(100, 75))
        for _ in 0..<3 { observation = try track(observation, handler, on: frame(100, 75)) }
        let elsewhere = Scene(seed: 99).frame(width: size.width, height: size.height)
        for _ in 0..<2 { observation = try track(observation, handler, on: elsewhere) }
        XCTAssertLessThan(observation.confidence, 0.5)
    }

    func testARegionOfInterestGivesTheSameCornersInItsOwnCoordinates() throws {
        let region = CGRect(x: 0.25, y: 0.25, width: 0.75, height: 0.75)
        func perform(_ input: VNRectangleObservation, _ handler: VNSequenceRequestHandler, _ frame: GreyFrame) throws
            -> VNRectangleObservation
        {
            let request = VNTrackRectangleRequest(rectangleObservation: input)
            request.regionOfInterest = region
            try handler.perform([request], on: frame.pixelBuffer())
            return try XCTUnwrap(request.results?.first)
        }
        func local(_ box: CGRect) -> CGRect {
            CGRect(
                x: (box.minX - 0.25) / 0.75, y: (box.minY - 0.25) / 0.75, width: box.width / 0.75,
                height: box.height / 0.75)
        }
        let handler = VNSequenceRequestHandler()
        let first = try perform(VNRectangleObservation(boundingBox: local(box(140, 70))), handler, frame(140, 70))
        let second = try perform(first, handler, frame(146, 66))
        assertEqual(second.boundingBox, local(box(146, 66)), accuracy: 0.004)
    }

    func testSixteenRectanglesBesideSixteenObjectsAndNotOneMore() throws {
        let handler = VNSequenceRequestHandler()
        func boxes(_ count: Int) -> [CGRect] {
            (0..<count).map { box(30 + $0 % 6 * 34, 30 + $0 / 6 * 40, side: 24) }
        }
        let objects = boxes(16).map {
            VNTrackObjectRequest(detectedObjectObservation: VNDetectedObjectObservation(boundingBox: $0))
        }
        let rectangles = boxes(17).map {
            VNTrackRectangleRequest(rectangleObservation: VNRectangleObservation(boundingBox: $0))
        }
        XCTAssertThrowsError(try handler.perform(objects + rectangles, on: frame(100, 75).pixelBuffer())) { error in
            assert(error, is: .internalError)
            let message = (error as NSError).localizedDescription
            XCTAssertTrue(
                message.hasPrefix(
                    "Internal error: Exceeded maximum allowed number of Trackers for a tracker type: "
                        + "VNRectangleTrackerType"), message)
            XCTAssertTrue(message.contains("16 of 16"), message)
        }
        XCTAssertTrue(objects.allSatisfy { $0.results?.count == 1 })
        XCTAssertEqual(rectangles.filter { $0.results?.count == 1 }.count, 16)
        XCTAssertNil(rectangles[16].results)
    }

    func testSixteenObjectsAndSixteenRectanglesOfBothLevelsAreFollowedAtOnce() throws {
        let (width, height, side) = (480, 360, 48)
        func centre(_ index: Int, _ step: Int) -> (x: Int, y: Int) {
            (60 + index % 4 * 118 + 2 * step, 50 + index / 4 * 86 + (index % 2 == 0 ? step : -step))
        }
        let faces = (0..<16).map { Scene(seed: 40 + UInt64($0)) }
        func target(_ index: Int, _ step: Int) -> CGRect {
            let middle = centre(index, step)
            return VNNormalizedRectForImageRect(
                CGRect(x: middle.x - side / 2, y: height - middle.y - side / 2, width: side, height: side), width,
                height)
        }
        var objects = (0..<16).map { VNDetectedObjectObservation(boundingBox: target($0, 0)) }
        var rectangles = (0..<16).map { VNRectangleObservation(boundingBox: target($0, 0)) }
        let uuids = (objects.map(\.uuid), rectangles.map(\.uuid))
        let handler = VNSequenceRequestHandler()
        for step in 0..<4 {
            var frame = background.frame(width: width, height: height)
            for index in 0..<16 {
                let middle = centre(index, step)
                frame.draw(faces[index], centreX: middle.x, centreY: middle.y, side: side)
            }
            let first = objects.enumerated().map { index, observation in
                let request = VNTrackObjectRequest(detectedObjectObservation: observation)
                request.revision = VNTrackObjectRequestRevision1
                request.trackingLevel = index % 2 == 0 ? .fast : .accurate
                return request
            }
            let second = rectangles.enumerated().map { index, observation in
                let request = VNTrackRectangleRequest(rectangleObservation: observation)
                request.trackingLevel = index % 2 == 0 ? .fast : .accurate
                return request
            }
            try handler.perform(first + second, on: frame.pixelBuffer())
            objects = try first.map { try XCTUnwrap($0.results?.first) }
            rectangles = try second.map { try XCTUnwrap($0.results?.first) }
        }
        XCTAssertEqual(handler.core.objectTrackerCount, 16)
        XCTAssertEqual(handler.core.rectangleTrackerCount, 16)
        XCTAssertEqual(objects.map(\.uuid), uuids.0)
        XCTAssertEqual(rectangles.map(\.uuid), uuids.1)
        for index in 0..<16 {
            // An object to six pixels, a rectangle to one.
            assertEqual(objects[index].boundingBox, target(index, 3), accuracy: 6.0 / 360)
            assertEqual(rectangles[index].boundingBox, target(index, 3), accuracy: 1.0 / 360)
        }
    }

    func testDroppingTheHandlerReleasesItsTrackers() throws {
        /// The handler's own tracker of a track.
        func slot(of uuid: UUID, in handler: VNSequenceRequestHandler) throws -> RectangleTrackerSlot {
            let core = try XCTUnwrap(Mirror(reflecting: handler).descendant("core"))
            let state = try XCTUnwrap(Mirror(reflecting: core).descendant("state") as? HandlerState)
            return try XCTUnwrap(state.rectangleTrackers[uuid])
        }
        weak var kept: RectangleTrackerSlot?
        weak var dropped: RectangleTrackerSlot?
        let handler = VNSequenceRequestHandler()
        let inputs = (0..<2).map { VNRectangleObservation(boundingBox: box(100 + $0, 75)) }
        _ = try track(inputs[0], handler, on: frame(100, 75))
        kept = try slot(of: inputs[0].uuid, in: handler)
        try enclosed {
            let other = VNSequenceRequestHandler()
            _ = try track(inputs[1], other, on: frame(100, 75))
            dropped = try slot(of: inputs[1].uuid, in: other)
            XCTAssertNotNil(dropped)
        }
        XCTAssertNil(dropped)
        XCTAssertNotNil(kept, "the other handler is still there")
        XCTAssertEqual(handler.core.rectangleTrackerCount, 1)
    }

    /// Runs the body so that none of its objects outlives it.
    private func enclosed(_ body: () throws -> Void) rethrows { try body() }

    func testTheLastFrameReleasesTheTracker() throws {
        let handler = VNSequenceRequestHandler()
        for index in 0..<40 {
            let input = VNRectangleObservation(boundingBox: box(60 + index, 80))
            let first = try track(input, handler, on: frame(60 + index, 80))
            let last = try track(first, handler, on: frame(62 + index, 80), isLast: true)
            XCTAssertEqual(last.uuid, input.uuid)
            XCTAssertEqual(handler.core.rectangleTrackerCount, 0)
        }
    }

    func testCornersThatMakeNoRectangleAreErrors() throws {
        func observation(_ corners: [(CGFloat, CGFloat)]) -> VNRectangleObservation {
            let points = corners.map { CGPoint(x: $0.0, y: $0.1) }
            return VNRectangleObservation(
                requestRevision: 1, topLeft: points[0], topRight: points[1], bottomRight: points[2],
                bottomLeft: points[3])
        }
        let cases: [([(CGFloat, CGFloat)], VNErrorCode)] = [
            ([(0.2, 0.8), (0.8, 0.8), (0.2, 0.2), (0.8, 0.2)], .invalidArgument),
            ([(0.2, 0.8), (0.8, 0.8), (0.3, 0.7), (0.2, 0.2)], .invalidArgument),
            ([(0.2, 0.2), (0.2, 0.2), (0.2, 0.2), (0.2, 0.2)], .invalidArgument),
            ([(.nan, 0.8), (0.8, 0.8), (0.8, 0.2), (0.2, 0.2)], .invalidArgument),
            ([(1.2, 0.8), (1.8, 0.8), (1.8, 0.2), (1.2, 0.2)], .outOfBoundsError),
        ]
        let handler = VNSequenceRequestHandler()
        let shown = frame(100, 75), buffer = shown.pixelBuffer()
        for (corners, code) in cases {
            for _ in 0..<17 {
                let request = VNTrackRectangleRequest(rectangleObservation: observation(corners))
                assertThrows(code) { try handler.perform([request], on: buffer) }
            }
        }
        // None of them has taken a slot.
        for index in 0..<16 {
            _ = try track(VNRectangleObservation(boundingBox: box(60 + index, 80)), handler, on: shown)
        }
    }
}
