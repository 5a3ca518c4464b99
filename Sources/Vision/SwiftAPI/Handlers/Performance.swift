import VisionThreads

/// Requests of the Swift API on their way through the classic API: performed on a thread of the package's pool, while
/// the task waits.
struct Performance: @unchecked Sendable {
    // Unchecked: the classic requests belong to this perform; `cancel()` may be called from any thread.

    /// A request of the classic API, and the handler whose state it uses, if that is not the image's.
    struct Part {
        let classic: VNRequest
        let core: HandlerCore?
    }

    private let parts: [Part]
    private let handler: VNImageRequestHandler

    init(_ parts: [Part], on handler: VNImageRequestHandler) { (self.parts, self.handler) = (parts, handler) }

    /// Performs the requests and returns their outcomes in the same order.
    ///
    /// - Throws: `VisionError.requestCancelled` if the task is cancelled before the perform begins.
    func finish() async throws -> [RequestOutcome] {
        guard !Task.isCancelled else { throw VisionError(CancellationError()) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                ThreadPool.shared.start { continuation.resume(returning: run()) }
            }
        } onCancel: {
            cancel()
        }
    }

    private func cancel() {
        for part in parts { part.classic.cancel() }
    }

    /// Performs the requests on this thread: those without a state of their own together, then the others.
    private func run(finished: (@Sendable (Int, RequestOutcome) -> Void)? = nil) -> [RequestOutcome] {
        var outcomes = [RequestOutcome?](repeating: nil, count: parts.count)
        let own = parts.indices.filter { parts[$0].core == nil }
        let groups =
            [(handler.core, own)]
            + parts.indices.compactMap { index in
                parts[index].core.map { ($0, [index]) }
            }
        for (core, indices) in groups where !indices.isEmpty {
            let done = core.outcomes(
                of: indices.map { parts[$0].classic }, on: handler.source, timeRange: handler.image.timeRange,
                finished: finished.map { HandlerCore.forward($0, to: indices) })
            for (index, outcome) in zip(indices, done) { outcomes[index] = outcome }
        }
        return outcomes.compactMap { $0 }
    }

    /// Performs requests of any kind, each result as soon as it is there.
    static func results(of requests: [any VisionRequest], on handler: VNImageRequestHandler) -> AsyncStream<
        VisionResult
    > {
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
        ThreadPool.shared.start { [prepared] in
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

extension PreparedRequest {
    /// The classic request.
    var part: Performance.Part { Performance.Part(classic: classic, core: core) }
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
    /// Returns what the observations of the next outcome make.
    mutating func take<Output>(_ output: ([VNObservation]) throws -> Output) throws -> Output {
        guard let outcome = next() else { throw VisionError.internalError("A request was lost.") }
        return try outcome.get(output)
    }
}
