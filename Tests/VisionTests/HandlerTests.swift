import Vision
import XCTest

final class HandlerTests: XCTestCase {
    private let scene = Scene(seed: 4)
    private lazy var frame = scene.frame(width: 64, height: 48)
    private lazy var moved = scene.frame(width: 64, height: 48, x: -4)

    private func registration(
        onto frame: GreyFrame? = nil, _ handler: VNRequestCompletionHandler? = nil
    ) -> VNTranslationalImageRegistrationRequest {
        VNTranslationalImageRegistrationRequest(
            targetedCVPixelBuffer: (frame ?? moved).pixelBuffer(), completionHandler: handler)
    }

    private func broken(_ handler: VNRequestCompletionHandler? = nil) -> VNTranslationalImageRegistrationRequest {
        let request = registration(handler)
        request.revision = 99
        return request
    }

    private func shift(_ request: VNTranslationalImageRegistrationRequest) -> CGFloat? {
        request.results?.first?.alignmentTransform.tx
    }

    func testAnEmptyPerformSucceeds() throws {
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()).perform([])
        try VNSequenceRequestHandler().perform([], on: frame.pixelBuffer())
        try VNImageRequestHandler(data: Data()).perform([])
    }

    func testResultsAreNilBeforeAndReplacedByEachPerform() throws {
        let request = registration()
        XCTAssertNil(request.results)
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()).perform([request])
        let first = try XCTUnwrap(request.results?.first)
        XCTAssertEqual(first.alignmentTransform.tx, -4, accuracy: 0.1)
        try VNImageRequestHandler(cvPixelBuffer: moved.pixelBuffer()).perform([request])
        let second = try XCTUnwrap(request.results?.first)
        XCTAssertEqual(second.alignmentTransform.tx, 0, accuracy: 0.1)
        XCTAssertEqual(request.results?.count, 1)
        XCTAssertEqual(first.alignmentTransform.tx, -4, accuracy: 0.1, "an observation does not change")
        XCTAssertNotEqual(first.uuid, second.uuid)
    }

    func testAFailedPerformMakesTheResultsNil() throws {
        let request = registration()
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        try handler.perform([request])
        XCTAssertNotNil(request.results)
        request.revision = 99
        assertThrows(.unsupportedRevision) { try handler.perform([request]) }
        XCTAssertNil(request.results)
    }

    func testEveryRequestIsProcessedThoughOneFailsAndTheFirstErrorIsThrown() {
        var calls: [String] = []
        let first = registration { request, error in
            calls.append("first \(error == nil) \(request.results != nil)")
        }
        let second = broken { request, error in
            assert(error, is: .unsupportedRevision)
            calls.append("second \(error == nil) \(request.results != nil)")
        }
        let third = registration { _, error in calls.append("third \(error == nil)") }
        let outside = registration { _, error in calls.append("outside \(error == nil)") }
        outside.regionOfInterest = CGRect(x: 1, y: 1, width: 1, height: 1)
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        assertThrows(.unsupportedRevision) { try handler.perform([first, second, third, outside]) }
        XCTAssertEqual(calls, ["first true true", "second false false", "third true", "outside false"])
        XCTAssertNotNil(first.results)
        XCTAssertNil(second.results)
        XCTAssertNotNil(third.results)
        XCTAssertNil(outside.results)
    }

    func testCompletionHandlersAreCalledInOrderOnThePerformingThreadBeforePerformReturns() throws {
        let thread = Thread.current
        var order: [Int] = []
        let requests = (0..<8).map { index in
            registration { request, error in
                XCTAssertTrue(Thread.current === thread)
                XCTAssertNil(error)
                XCTAssertNotNil(request.results)
                order.append(index)
            }
        }
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()).perform(requests)
        XCTAssertEqual(order, Array(0..<8))
    }

    func testARequestNamedTwiceIsPerformedOnce() throws {
        var calls = 0
        let request = registration { _, _ in calls += 1 }
        try VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer()).perform([request, request])
        XCTAssertEqual(calls, 1)
        XCTAssertEqual(request.results?.count, 1)
    }

    func testACompletionHandlerMayPerformOnTheSameHandler() throws {
        let handler = VNSequenceRequestHandler()
        let buffer = frame.pixelBuffer()
        let inner = registration()
        let outer = registration { _, _ in
            do { try handler.perform([inner], on: buffer) } catch { XCTFail("\(error)") }
        }
        try handler.perform([outer], on: buffer)
        XCTAssertEqual(try XCTUnwrap(shift(inner)), -4, accuracy: 0.1)
        XCTAssertEqual(try XCTUnwrap(shift(outer)), -4, accuracy: 0.1)
    }

    func testACompletionHandlerMayPerformItsOwnRequestAgain() throws {
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        var depth = 0
        let request = registration { request, _ in
            depth += 1
            guard depth < 3 else { return }
            do { try handler.perform([request]) } catch { XCTFail("\(error)") }
        }
        try handler.perform([request])
        XCTAssertEqual(depth, 3)
        XCTAssertNotNil(request.results)
    }

    // MARK: - Images that cannot be read

    func testUnreadableImagesMakeThePerformFail() throws {
        let missing = URL(fileURLWithPath: "/nonexistent/image.jpg")
        let web = try XCTUnwrap(URL(string: "https://example.com/image.jpg"))
        assertThrows(.ioError) { try VNImageRequestHandler(url: missing).perform([registration()]) }
        assertThrows(.ioError) { try VNImageRequestHandler(url: web).perform([registration()]) }
        assertThrows(.ioError) { try VNSequenceRequestHandler().perform([registration()], onImageURL: web) }
        assertThrows(.invalidImage) { try VNImageRequestHandler(data: Data()).perform([registration()]) }
        assertThrows(.invalidImage) {
            try VNImageRequestHandler(data: Data("this is no image".utf8)).perform([registration()])
        }
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        let target = VNTranslationalImageRegistrationRequest(targetedImageData: Data([1, 2, 3]))
        assertThrows(.invalidImage) { try handler.perform([target]) }
        XCTAssertNil(target.results)
    }

    func testAnOrientationInTheOptionsThatDoesNotExistIsRefused() {
        for properties: Any in [["Orientation": 9], ["Orientation": "up"], "no dictionary"] {
            let handler = VNImageRequestHandler(
                cvPixelBuffer: frame.pixelBuffer(), options: [VNImageOption.properties: properties])
            assertThrows(.invalidOption) { try handler.perform([registration()]) }
        }
    }

    // MARK: - Cancelling

    func testCancellingALaterRequestFromACompletionHandlerEndsIt() {
        let last = registration { request, error in
            assert(error, is: .requestCancelled)
            XCTAssertEqual((error as NSError?)?.localizedDescription.contains("was cancelled"), true)
            XCTAssertNil(request.results)
        }
        let first = registration { _, error in
            XCTAssertNil(error)
            last.cancel()
        }
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        assertThrows(.requestCancelled) { try handler.perform([first, last]) }
        XCTAssertNotNil(first.results)
        XCTAssertNil(last.results)
    }

    func testCancellingConcernsOnlyThePerformUnderWay() throws {
        let request = registration()
        request.cancel()
        let handler = VNImageRequestHandler(cvPixelBuffer: frame.pixelBuffer())
        try handler.perform([request])
        XCTAssertNotNil(request.results)
        request.cancel()
        XCTAssertNotNil(request.results, "a perform that has ended keeps its results")
    }

    func testCancellingFromAnotherThreadGivesEitherResultsOrTheError() throws {
        let handler = VNImageRequestHandler(cvPixelBuffer: scene.frame(width: 320, height: 240).pixelBuffer())
        let target = scene.frame(width: 320, height: 240, x: 3).pixelBuffer()
        for round in 0..<20 {
            let request = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: target)
            let canceller = Canceller(request)
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(round * 200)) { canceller.cancel() }
            do {
                try handler.perform([request])
                XCTAssertEqual(request.results?.count, 1)
            } catch {
                assert(error, is: .requestCancelled)
                XCTAssertNil(request.results)
            }
            canceller.wait()
        }
    }

    // MARK: - Threads

    func testDifferentHandlersPerformInParallel() throws {
        let scene = scene
        let shifts = Collected<CGFloat>()
        DispatchQueue.concurrentPerform(iterations: 16) { index in
            let reference = scene.frame(width: 64, height: 48)
            let floating = scene.frame(width: 64, height: 48, x: Double(index % 8) - 4)
            let request = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: floating.pixelBuffer())
            try? VNImageRequestHandler(cvPixelBuffer: reference.pixelBuffer()).perform([request])
            shifts.add(request.results?.first.map { $0.alignmentTransform.tx } ?? .nan, at: index)
        }
        for (index, shift) in shifts.values { XCTAssertEqual(shift, CGFloat(index % 8) - 4, accuracy: 0.2) }
        XCTAssertEqual(shifts.values.count, 16)
    }

    func testOneHandlerServesManyThreads() throws {
        let scene = scene
        let handler = VNSequenceRequestHandler()
        let shifts = Collected<CGFloat>()
        DispatchQueue.concurrentPerform(iterations: 24) { index in
            let reference = scene.frame(width: 64, height: 48, x: Double(index))
            let floating = scene.frame(width: 64, height: 48, x: Double(index + index % 5))
            let request = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: floating.pixelBuffer())
            try? handler.perform([request], on: reference.pixelBuffer())
            shifts.add(request.results?.first.map { $0.alignmentTransform.tx } ?? .nan, at: index)
        }
        for (index, shift) in shifts.values { XCTAssertEqual(shift, CGFloat(index % 5), accuracy: 0.2) }
        XCTAssertEqual(shifts.values.count, 24)
    }

    func testOneRequestPerformedByTwoHandlersAtOnceEndsWithTheResultsOfOne() {
        let shared = Shared(registration())
        let buffers = [frame.pixelBuffer(), moved.pixelBuffer()]
        let handlers = buffers.map { VNImageRequestHandler(cvPixelBuffer: $0) }
        DispatchQueue.concurrentPerform(iterations: 40) { index in
            try? handlers[index % 2].perform([shared.request])
        }
        let shift = shift(shared.request) ?? .nan
        XCTAssertTrue(abs(shift) < 0.1 || abs(shift + 4) < 0.1, "\(shift)")
    }

    // MARK: - Memory

    func testHandlersRequestsAndImagesAreReleased() throws {
        weak var imageHandler: VNImageRequestHandler?
        weak var sequenceHandler: VNSequenceRequestHandler?
        weak var request: VNRequest?
        weak var reference: CVPixelBuffer?
        weak var target: CVPixelBuffer?
        try autoreleasepool {
            let first = frame.pixelBuffer()
            let second = moved.pixelBuffer()
            let registration = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: second)
            let forImage = VNImageRequestHandler(cvPixelBuffer: first)
            let forSequence = VNSequenceRequestHandler()
            try forImage.perform([registration])
            try forSequence.perform([registration], on: first)
            (imageHandler, sequenceHandler, request) = (forImage, forSequence, registration)
            (reference, target) = (first, second)
        }
        XCTAssertNil(imageHandler)
        XCTAssertNil(sequenceHandler)
        XCTAssertNil(request)
        XCTAssertNil(reference)
        XCTAssertNil(target)
    }

    func testASequenceHandlerHoldsAFrameNoLongerThanTheCall() throws {
        let handler = VNSequenceRequestHandler()
        weak var held: CVPixelBuffer?
        try autoreleasepool {
            let buffer = frame.greyPixelBuffer()
            held = buffer
            try handler.perform([registration()], on: buffer)
        }
        XCTAssertNil(held)
    }
}

/// Values from several threads, by index.
private final class Collected<Value: Sendable>: @unchecked Sendable {
    // Unchecked: guarded by the lock.
    private let lock = NSLock()
    private var storage: [Int: Value] = [:]

    var values: [Int: Value] { lock.withLock { storage } }

    func add(_ value: Value, at index: Int) { lock.withLock { storage[index] = value } }
}

/// A request that several threads use: performing and cancelling are allowed from any.
private final class Shared: @unchecked Sendable {
    let request: VNTranslationalImageRegistrationRequest

    init(_ request: VNTranslationalImageRegistrationRequest) { self.request = request }
}

/// Cancels a request on another thread.
private final class Canceller: @unchecked Sendable {
    private let request: VNRequest
    private let done = DispatchSemaphore(value: 0)

    init(_ request: VNRequest) { self.request = request }

    func cancel() {
        request.cancel()
        done.signal()
    }

    func wait() { done.wait() }
}
