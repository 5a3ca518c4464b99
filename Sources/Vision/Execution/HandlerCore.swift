import Foundation
import VisionImage

/// The common part of both handlers: performs requests, one perform at a time, and keeps state between performs.
package final class HandlerCore: @unchecked Sendable {
    // Unchecked: `state`, `statistics` and `results` are only touched while `lock` is held.
    private let lock = NSLock()
    private let state: HandlerState
    private let networkRuns = RunCounter()
    private var statistics: CacheStatistics?
    private var results: CacheStatistics?

    /// - Parameter isSequence: Whether the images are frames of a video, whose people are followed from frame to frame.
    init(isSequence: Bool) { state = HandlerState(followsPoses: isSequence) }

    /// Performs all requests. Each gets its own results or error.
    ///
    /// The handler is locked while the requests are processed, and unlocked when the completion handlers are called:
    /// they may perform requests on the same handler.
    ///
    /// - Throws: The first error in the order of the requests, after all have been processed.
    func perform(_ requests: [VNRequest], on image: Result<ImageSource, NSError>, at time: FrameTime) throws {
        var seen = Set<ObjectIdentifier>()
        // A request that appears twice is performed once.
        let requests = requests.filter { seen.insert(ObjectIdentifier($0)).inserted }
        guard !requests.isEmpty else { return }

        let performs = requests.map { $0.activity.begin() }
        let outcomes = process(requests, performs: performs, on: image, at: time)
        var firstError: NSError?
        for (index, request) in requests.enumerated() {
            // Each ends before its handler is called, which may cancel the later ones.
            let error = end(request, performs[index], outcomes[index])
            request.completionHandler?(request, error)
            firstError = firstError ?? error
        }
        if let firstError { throw firstError }
    }

    /// Performs different requests and returns their outcomes in the same order, without calling completion handlers.
    ///
    /// - Parameters:
    ///   - performs: What `RequestActivity.begin()` has returned for each request.
    ///   - finished: Called with the index of each request and its outcome once it is done, on any thread.
    func outcomes(
        of requests: [VNRequest], performs: [Cancellation], on image: Result<ImageSource, NSError>,
        at time: FrameTime, finished: RequestExecutor.Finished? = nil
    ) -> [RequestOutcome] {
        var outcomes = process(requests, performs: performs, on: image, at: time, finished: finished)
        for (index, request) in requests.enumerated() {
            if let error = end(request, performs[index], outcomes[index]) { outcomes[index] = .failure(error) }
        }
        return outcomes
    }

    private func end(_ request: VNRequest, _ perform: Cancellation, _ outcome: RequestOutcome) -> NSError? {
        request.activity.end(perform, outcome: outcome, name: "\(type(of: request))")
    }

    private func process(
        _ requests: [VNRequest], performs: [Cancellation], on image: Result<ImageSource, NSError>,
        at time: FrameTime, finished: RequestExecutor.Finished? = nil
    ) -> [RequestOutcome] {
        // A perform that waits for its handler must not use up the budget of others.
        if !lock.try() {
            PixelBudget.shared.returnReserved()
            lock.lock()
        }
        defer { lock.unlock() }
        let outcomes = PixelBudget.shared.spend(pixels: image.pixelCount) {
            performs.allSatisfy(\.isCancelled)
        } _: {
            processLocked(requests, performs: performs, on: image, at: time, finished: finished)
        }
        if let outcomes { return outcomes }
        // All were cancelled while they waited for their turn.
        let cancelled = requests.map { _ in RequestOutcome.failure(Cancellation.error()) }
        for (index, outcome) in cancelled.enumerated() { finished?(index, outcome) }
        return cancelled
    }

    private func processLocked(
        _ requests: [VNRequest], performs: [Cancellation], on image: Result<ImageSource, NSError>,
        at time: FrameTime, finished: RequestExecutor.Finished?
    ) -> [RequestOutcome] {
        var executor = RequestExecutor(requests: requests.count)
        var outcomes: [RequestOutcome?] = []
        var entries: [RequestExecutor.Entry] = []
        // The requests of the entries.
        var indices: [Int] = []
        state.beginPerform()
        for (index, (request, perform)) in zip(requests, performs).enumerated() {
            do {
                let context = PerformContext(
                    image: try image.get(), time: time, cancellation: perform, networkRuns: networkRuns)
                // A request that is already cancelled still gets a job, because the results of other requests must
                // not depend on the time of the cancellation.
                entries.append(RequestExecutor.Entry(job: try request.makeJob(in: state), context: context))
                indices.append(index)
                outcomes.append(nil)
            } catch {
                let outcome = RequestOutcome.failure(visionError(from: error))
                outcomes.append(outcome)
                finished?(index, outcome)
            }
        }

        if entries.contains(where: \.job.readsBackboneMaps) {
            for index in entries.indices { entries[index].context.wantsBackboneMaps = true }
        }
        let done = executor.run(entries, finished: finished.map { Self.forward($0, to: indices) })
        for (entry, outcome) in zip(entries, done) {
            entry.job.end((try? outcome.get()) != nil)
        }
        if let source = try? image.get() { (statistics, results) = (source.statistics, source.results.statistics) }

        var remaining = done.makeIterator()
        return outcomes.map { outcome in
            outcome ?? remaining.next() ?? .failure(visionError(.internalError, "Internal error: a request was lost."))
        }
    }

    /// Returns a function that calls `finished` with other indices.
    static func forward(
        _ finished: @escaping RequestExecutor.Finished, to indices: [Int]
    ) -> RequestExecutor.Finished {
        { number, outcome in finished(indices[number], outcome) }
    }

    // MARK: - For VisionExtras

    /// Cache statistics of the derivatives of the last image.
    package var derivativeStatistics: CacheStatistics? { lock.withLock { statistics } }

    /// Cache statistics of the results of the last image.
    package var resultStatistics: CacheStatistics? { lock.withLock { results } }

    /// The number of network runs in all performs.
    package var networkRunCount: Int { networkRuns.current }

    /// The number of object trackers of the handler.
    package var objectTrackerCount: Int { lock.withLock { state.objectTrackers.count + state.learnedTrackers.count } }

    /// The number of rectangle trackers of the handler.
    package var rectangleTrackerCount: Int { lock.withLock { state.rectangleTrackers.count } }
}

extension Result<ImageSource, NSError> {
    /// 0 for an image that cannot be opened; its requests fail with the reason.
    var pixelCount: Int {
        guard let size = try? get().uprightSize() else { return 0 }
        return size.width * size.height
    }
}
