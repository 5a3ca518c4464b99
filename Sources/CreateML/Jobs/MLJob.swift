import VisionThreads

/// The phase of a job.
public enum MLPhase: Sendable, Hashable {
    /// It has not begun.
    case initialized
    /// The features of the photos are computed.
    case extractingFeatures
    /// The last layer is trained.
    case training
    /// The classifier is evaluated.
    case evaluating
}

/// An asynchronous job with its progress and its result.
///
///     let job = try MLImageClassifier.train(trainingData: .labeledDirectories(at: folder))
///     let classifier = try await job.result.value
///
/// Apple's job publishes its result through Combine, which Linux does not have; `result` has the most common part of a
/// publisher's API.
public final class MLJob<Result: Sendable>: Sendable {
    /// The progress in thousandths. Cancelling it cancels the job.
    public let progress: Progress
    /// When the job began.
    public let startDate: Date
    /// The result, once it is available.
    public let result: MLJobResult<Result>

    private struct State {
        var phase = MLPhase.initialized
        var isCancelled = false
        var end: Date?
    }

    private let state = Locked(State())

    /// - Parameter work: The function of the job. It calls `report` between its steps, which throws if the job was
    ///   cancelled.
    init(_ work: @escaping @Sendable (_ job: MLJob) throws -> Result) {
        let progress = Progress(totalUnitCount: 1000)
        progress.isCancellable = true
        self.progress = progress
        startDate = Date()
        result = MLJobResult()
        progress.cancellationHandler = { [weak self] in self?.cancelOnce() }
        ThreadPool.shared.start { [self] in
            let outcome = Swift.Result<Result, any Error> {
                try report(.extractingFeatures, 0)
                return try work(self)
            }
            state.withLock { $0.end = Date() }
            if case .success = outcome { progress.completedUnitCount = progress.totalUnitCount }
            result.finish(outcome)
        }
    }

    /// The current phase.
    public var phase: MLPhase { state.withLock { $0.phase } }

    /// Whether the job was cancelled.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// The time from its beginning to its end, or until now.
    public var elapsedTime: TimeInterval { (state.withLock { $0.end } ?? Date()).timeIntervalSince(startDate) }

    /// Cancels the job, which ends soon; the result is then a `CancellationError`, unless it is already available.
    public func cancel() { progress.cancel() }

    private func cancelOnce() { state.withLock { $0.isCancelled = true } }

    /// Reports the progress.
    ///
    /// - Throws: `CancellationError` if the job was cancelled.
    func report(_ phase: MLPhase, _ share: Double) throws {
        let isCancelled = state.withLock { state in
            state.phase = phase
            return state.isCancelled
        }
        if isCancelled { throw CancellationError() }
        let done = Int64(share * 1000)
        if done > progress.completedUnitCount { progress.completedUnitCount = min(done, 999) }
    }
}

/// The result of a job: one value or one error, when the job ends.
public final class MLJobResult<Output: Sendable>: Sendable {
    /// How a job ended.
    public enum Completion: Sendable {
        /// With a value.
        case finished
        /// With an error.
        case failure(any Error)
    }

    private struct State {
        var outcome: Result<Output, any Error>?
        var receivers: [(id: Int, receive: @Sendable (Result<Output, any Error>) -> Void)] = []
        var count = 0
    }

    private let state = Locked(State())

    init() {}

    func finish(_ outcome: Result<Output, any Error>) {
        let receivers = state.withLock { state in
            state.outcome = outcome
            defer { state.receivers = [] }
            return state.receivers
        }
        for receiver in receivers { receiver.receive(outcome) }
    }

    private func add(_ receive: @escaping @Sendable (Result<Output, any Error>) -> Void) -> Int {
        let (id, outcome) = state.withLock { state in
            state.count += 1
            if state.outcome == nil { state.receivers.append((state.count, receive)) }
            return (state.count, state.outcome)
        }
        if let outcome { receive(outcome) }
        return id
    }

    /// The value, once it is available.
    public var value: Output {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                _ = add { continuation.resume(with: $0) }
            }
        }
    }

    /// Calls the closures when the job is done, on the job's thread: first with the value, if there is one, then with
    /// the completion.
    ///
    /// - Returns: The subscription, which can be cancelled; it need not be stored.
    @discardableResult
    public func sink(
        receiveCompletion: @escaping @Sendable (Completion) -> Void,
        receiveValue: @escaping @Sendable (Output) -> Void
    ) -> MLJobSubscription {
        let id = add { outcome in
            switch outcome {
            case .success(let value):
                receiveValue(value)
                receiveCompletion(.finished)
            case .failure(let error): receiveCompletion(.failure(error))
            }
        }
        return MLJobSubscription { [weak self] in
            self?.state.withLock { state in state.receivers.removeAll { $0.id == id } }
        }
    }
}

/// A subscription to the result of a job.
public final class MLJobSubscription: Sendable, Hashable {
    private let onCancel: @Sendable () -> Void

    init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    /// Cancels the subscription.
    public func cancel() { onCancel() }

    /// Stores the subscription in a set.
    public func store(in set: inout Set<MLJobSubscription>) { set.insert(self) }

    /// Returns whether both are the same subscription.
    public static func == (left: MLJobSubscription, right: MLJobSubscription) -> Bool { left === right }

    /// Hashes the subscription's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
