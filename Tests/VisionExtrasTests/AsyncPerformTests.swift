import Vision
import VisionExtras
import VisionImage
import XCTest

final class AsyncPerformTests: XCTestCase {
    func testAnImageHandlerPerformsWithoutBlocking() async throws {
        let request = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: patternBuffer(x: 3))
        try await VNImageRequestHandler(cvPixelBuffer: patternBuffer()).performAsync([request])
        XCTAssertEqual(try XCTUnwrap(request.results?.first).alignmentTransform.tx, 3, accuracy: 0.2)
    }

    func testASequenceHandlerKeepsItsState() async throws {
        let handler = VNSequenceRequestHandler()
        var observation = VNDetectedObjectObservation(boundingBox: CGRect(x: 0.3, y: 0.3, width: 0.4, height: 0.4))
        let uuid = observation.uuid
        for step in 0..<3 {
            let request = VNTrackObjectRequest(detectedObjectObservation: observation)
            request.revision = VNTrackObjectRequestRevision1
            try await handler.performAsync([request], on: patternBuffer(x: Double(step)))
            observation = try XCTUnwrap(request.results?.first)
        }
        XCTAssertEqual(observation.uuid, uuid)
        XCTAssertEqual(handler.objectTrackersInUse, 1)
    }

    func testErrorsAreThrown() async {
        let request = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: patternBuffer())
        do {
            try await VNImageRequestHandler(data: Data()).performAsync([request])
            XCTFail("no error")
        } catch {
            XCTAssertEqual((error as NSError).domain, VNErrorDomain)
            XCTAssertEqual((error as NSError).code, VNErrorCode.invalidImage.rawValue)
        }
        XCTAssertNil(request.results)
    }

    func testATaskThatWasCancelledDoesNotPerform() async {
        let task = Task {
            // Wait for the cancellation, so that the outcome does not depend on timing.
            while !Task.isCancelled { await Task.yield() }
            let request = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: patternBuffer())
            try await VNImageRequestHandler(cvPixelBuffer: patternBuffer()).performAsync([request])
        }
        task.cancel()
        do {
            try await task.value
            XCTFail("no error")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
    }

    func testACancelledPerformDoesNotWaitForItsTurn() async throws {
        let limit = PixelBudget.shared.limit
        PixelBudget.shared.limit = 1
        let hold = PixelBudget.shared.reserve(pixels: 1) { _ in }
        XCTAssertTrue(hold.isGranted)
        let shared = Shared(
            request: VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: patternBuffer()),
            handler: VNImageRequestHandler(cvPixelBuffer: patternBuffer()))
        let task = Task { try await shared.handler.performAsync([shared.request]) }
        while PixelBudget.shared.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        do {
            try await task.value
            XCTFail("no error")
        } catch {
            XCTAssertEqual((error as NSError).code, VNErrorCode.requestCancelled.rawValue, "\(error)")
        }
        XCTAssertNil(shared.request.results)
        hold.reservation.use {}
        PixelBudget.shared.limit = limit
        // Nothing is left of the cancellation.
        try await shared.handler.performAsync([shared.request])
        XCTAssertEqual(shared.request.results?.count, 1)
    }

    private struct Shared: @unchecked Sendable {
        // Unchecked: the test uses the request when the task is over.
        let request: VNTranslationalImageRegistrationRequest
        let handler: VNImageRequestHandler
    }

    /// Many more performs at once than there are threads for tasks.
    func testManyTasksPerformAtOnce() async throws {
        try await withThrowingTaskGroup(of: CGFloat.self) { group in
            for index in 0..<64 {
                group.addTask {
                    let request = VNTranslationalImageRegistrationRequest(
                        targetedCVPixelBuffer: patternBuffer(x: Double(index % 4)))
                    try await VNImageRequestHandler(cvPixelBuffer: patternBuffer()).performAsync([request])
                    return (request.results?.first?.alignmentTransform.tx ?? .nan) - CGFloat(index % 4)
                }
            }
            for try await difference in group { XCTAssertEqual(difference, 0, accuracy: 0.2) }
        }
    }
}
