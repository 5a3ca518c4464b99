import VisionImage
import XCTest

@testable import Vision

/// Cancelled performs of the Swift API. Performs wait for their turn while a test holds the budget of pixels.
final class SwiftCancellationTests: XCTestCase {
    private let rectangle = GreyFrame(width: 320, height: 240) { x, y in
        (60..<220).contains(x) && (50..<170).contains(y) ? 230 : 40
    }

    private var tracker: TrackRectangleRequest {
        TrackRectangleRequest(
            detectedRectangle: RectangleObservation(
                topLeft: NormalizedPoint(x: 60 / 320, y: 1 - 50 / 240),
                topRight: NormalizedPoint(x: 220 / 320, y: 1 - 50 / 240),
                bottomRight: NormalizedPoint(x: 220 / 320, y: 1 - 170 / 240),
                bottomLeft: NormalizedPoint(x: 60 / 320, y: 1 - 170 / 240)))
    }

    /// Lets performs wait until `release` is called.
    private final class Hold: @unchecked Sendable {
        // Unchecked: semaphores and constants only.
        private let limit = PixelBudget.shared.limit
        private let released = DispatchSemaphore(value: 0)
        private let done = DispatchSemaphore(value: 0)

        init() {
            PixelBudget.shared.limit = 1
            let held = DispatchSemaphore(value: 0)
            Thread { [released, done] in
                PixelBudget.shared.spend(pixels: 1) {
                    held.signal()
                    released.wait()
                }
                done.signal()
            }.start()
            held.wait()
        }

        /// Waits until a perform is waiting.
        func waitForPerform() async throws {
            while PixelBudget.shared.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }

        func release() {
            released.signal()
            done.wait()
            PixelBudget.shared.limit = limit
        }
    }

    func testARequestThatWaitsIsCancelledWithItsTask() async throws {
        let hold = Hold()
        let (buffer, request) = (rectangle.pixelBuffer(), DetectRectanglesRequest())
        let task = Task { try await request.perform(on: buffer) }
        try await hold.waitForPerform()
        task.cancel()
        hold.release()
        do {
            _ = try await task.value
            XCTFail("no error")
        } catch VisionError.requestCancelled {}
    }

    func testACancelledRequestDoesNotWaitForItsTurn() async throws {
        let hold = Hold()
        defer { hold.release() }
        let (buffer, request) = (rectangle.pixelBuffer(), DetectRectanglesRequest())
        let task = Task { try await request.perform(on: buffer) }
        try await hold.waitForPerform()
        task.cancel()
        do {
            // The budget is still held.
            _ = try await task.value
            XCTFail("no error")
        } catch VisionError.requestCancelled {}
    }

    /// More performs wait than the pool has threads: none of them has one.
    func testPerformsWaitWithoutThreads() async throws {
        let hold = Hold()
        let (buffer, count) = (rectangle.pixelBuffer(), 200)
        let found = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask { try await DetectRectanglesRequest().perform(on: buffer).count }
            }
            while PixelBudget.shared.waiting < count { try await Task.sleep(for: .milliseconds(1)) }
            hold.release()
            return try await group.reduce(0, +)
        }
        XCTAssertEqual(found, count)
        XCTAssertEqual(PixelBudget.shared.waiting, 0)
    }

    func testATrackerBehindOtherRequestsIsCancelled() async throws {
        let hold = Hold()
        let (handler, tracker) = (ImageRequestHandler(rectangle.pixelBuffer()), tracker)
        let task = Task { try await handler.perform(tracker, DetectRectanglesRequest()) }
        try await hold.waitForPerform()
        task.cancel()
        hold.release()
        do {
            _ = try await task.value
            XCTFail("no error")
        } catch VisionError.requestCancelled {}
        XCTAssertEqual(tracker.tracking?.core.rectangleTrackerCount, 0)
        // It starts where it was told to.
        let found = try await handler.perform(tracker)
        XCTAssertEqual(found?.topLeft.x ?? 0, 60 / 320, accuracy: 1e-6)
        XCTAssertEqual(tracker.tracking?.core.rectangleTrackerCount, 1)
    }

    func testACancellationBeforeAThreadIsFreeCounts() async throws {
        let classic = VNDetectRectanglesRequest()
        let handler = VNImageRequestHandler(cvPixelBuffer: rectangle.pixelBuffer())
        let performance = Performance([Performance.Part(classic: classic, tracking: nil)], on: handler)
        classic.cancel()
        guard case .failure(let error) = try await performance.finish()[0] else { return XCTFail("not cancelled") }
        XCTAssertEqual(error.code, VNErrorCode.requestCancelled.rawValue)
    }

    func testAReleasedStreamEndsItsRequests() async throws {
        let handler = ImageRequestHandler(rectangle.pixelBuffer())
        let hold = Hold()
        let task = Task {
            for await _ in handler.performAll([DetectRectanglesRequest()]) {}
        }
        try await hold.waitForPerform()
        task.cancel()
        await task.value
        hold.release()
        // The perform of the stream is over when this one begins: it has computed nothing.
        _ = try await handler.perform(DetectHorizonRequest())
        XCTAssertEqual(handler.classic.core.resultStatistics?.misses, 0)
        _ = try await handler.perform(DetectRectanglesRequest())
        XCTAssertGreaterThan(handler.classic.core.resultStatistics?.misses ?? 0, 0)
    }

    func testATrackerKeepsItsTargetWhenAnotherRequestFails() async throws {
        var wrong = DetectRectanglesRequest()
        wrong.minimumSize = .nan
        let tracker = tracker
        for _ in 0..<3 {
            do {
                _ = try await ImageRequestHandler(rectangle.pixelBuffer()).perform(wrong, tracker)
                XCTFail("no error")
            } catch VisionError.invalidArgument {}
        }
        // One track, not one from each frame.
        XCTAssertEqual(tracker.tracking?.core.rectangleTrackerCount, 1)
    }
}
