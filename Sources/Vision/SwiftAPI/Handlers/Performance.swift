/// Requests of the Swift API on their way through the classic API: performed on a thread of the package's pool, while
/// the task waits.
struct Performance: @unchecked Sendable {
    // Unchecked: the classic requests belong to this perform; `cancel()` may be called from any thread.

    /// A request of the classic API, and the state that it is performed with, if that is not the image handler's.
    struct Part {
        let classic: VNRequest
        let tracking: TrackingState?
    }

    private let parts: [Part]
    /// Begun with the performance, so that a cancellation counts from then on, also while a part waits for its turn.
    private let performs: [Cancellation]
    private let handler: VNImageRequestHandler
    private let detached = DetachedPerform()

    init(_ parts: [Part], on handler: VNImageRequestHandler) {
        (self.parts, self.handler) = (parts, handler)
        performs = parts.map { $0.classic.activity.begin() }
    }

    /// Performs the requests and returns their outcomes in the same order.
    ///
    /// - Throws: `VisionError.requestCancelled` if the task is cancelled before the perform begins.
    func finish() async throws -> [RequestOutcome] {
        guard !Task.isCancelled else { throw VisionError(CancellationError()) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start { continuation.resume(returning: run()) }
            }
        } onCancel: {
            cancel()
        }
    }

    private func start(_ body: @escaping @Sendable () -> Void) {
        detached.start(pixels: { handler.pixelCount }, body)
    }

    private func cancel() {
        for part in parts { part.classic.cancel() }
        detached.cancel()
    }

    /// Performs the requests on this thread: those without a state of their own together, then the others.
    private func run(finished: (@Sendable (Int, RequestOutcome) -> Void)? = nil) -> [RequestOutcome] {
        var outcomes = [RequestOutcome?](repeating: nil, count: parts.count)
        func perform(_ indices: [Int], with core: HandlerCore) -> [RequestOutcome] {
            core.outcomes(
                of: indices.map { parts[$0].classic }, performs: indices.map { performs[$0] }, on: handler.source,
                at: handler.image.time,
                finished: finished.map { HandlerCore.forward($0, to: indices) })
        }
        let stateless = parts.indices.filter { parts[$0].tracking == nil }
        if !stateless.isEmpty {
            let done = perform(stateless, with: handler.core)
            for (index, outcome) in zip(stateless, done) { outcomes[index] = outcome }
        }
        for index in parts.indices {
            guard let tracking = parts[index].tracking else { continue }
            let done = tracking.outcome(of: parts[index].classic, at: handler.image.time) {
                perform([index], with: tracking.core)[0]
            }
            if done == nil { finished?(index, .success([])) }
            outcomes[index] = done ?? .success([])
        }
        return outcomes.compactMap { $0 }
    }

    /// Performs requests of any kind, each result as soon as it is there.
    static func results(
        of requests: [any VisionRequest], on handler: VNImageRequestHandler
    ) -> AsyncStream<VisionResult> {
        let (stream, continuation) = AsyncStream.makeStream(of: VisionResult.self)
        var prepared: [(request: any VisionRequest, prepared: PreparedRequest<VisionResult>)] = []
        for request in requests {
            do {
                prepared.append((request, try request.preparedForAnyResult()))
            } catch {
                continuation.yield(.error(request, error))
            }
        }
        let performance = Performance(prepared.map(\.prepared.part), on: handler)
        continuation.onTermination = { reason in
            if case .cancelled = reason { performance.cancel() }
        }
        performance.start { [prepared] in
            _ = performance.run { index, outcome in
                let (request, prepared) = prepared[index]
                do {
                    continuation.yield(try outcome.get(prepared.output))
                } catch {
                    continuation.yield(.error(request, error))
                }
            }
            continuation.finish()
        }
        return stream
    }
}

extension Result<[VNObservation], NSError> {
    /// Returns what the observations make.
    ///
    /// - Throws: `VisionError`.
    func get<Output>(_ output: ([VNObservation]) throws -> Output) throws -> Output {
        do {
            return try output(try get())
        } catch {
            throw VisionError(error)
        }
    }
}

extension IndexingIterator<[RequestOutcome]> {
    /// Returns what the observations of the next outcome make, or its error.
    ///
    /// Not thrown: requests that keep state see their observations whatever becomes of the requests before them.
    mutating func take<Output>(
        _ output: ([VNObservation]) throws -> Output
    ) -> Result<Output, any Error> {
        guard let outcome = next() else { return .failure(VisionError.internalError("A request was lost.")) }
        return Result { try outcome.get(output) }
    }
}
