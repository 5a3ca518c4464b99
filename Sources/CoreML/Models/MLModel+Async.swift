import VisionThreads

// Loading and predicting block their thread, often for longer than a task may hold a thread of Swift's cooperative
// pool: they run on a thread of OpenVision's pool, and the task waits without blocking one.

extension MLModel {
    /// Returns the model's outputs for these inputs, computed on another thread. See `prediction(from:)`.
    ///
    /// A prediction that has begun is not interrupted.
    ///
    /// - Parameters:
    ///   - input: The inputs, which must not be changed until the call returns.
    ///   - options: Their arrays get outputs. See `prediction(from:options:)`.
    /// - Throws: The errors of `prediction(from:)`, and `CancellationError` where the task is cancelled before the
    ///   prediction begins.
    public func prediction(
        from input: any MLFeatureProvider, options: MLPredictionOptions = MLPredictionOptions()
    ) async throws -> any MLFeatureProvider {
        let input = UncheckedBox(value: input)
        return try await detached { UncheckedBox(value: try self.prediction(from: input.value, options: options)) }
            .value
    }

    /// Loads a model on another thread. See `init(contentsOf:)`.
    ///
    /// - Throws: The errors of `init(contentsOf:)`, and `CancellationError` where the task is cancelled before the
    ///   model is opened.
    public class func load(
        contentsOf url: URL, configuration: MLModelConfiguration = MLModelConfiguration()
    ) async throws -> MLModel {
        let configuration = configuration.independentCopy()
        return try await detached { try MLModel(contentsOf: url, configuration: configuration) }
    }

    /// Loads a model on another thread. See `init(contentsOf:)`.
    ///
    /// - Parameter handler: Called on the other thread with the model, or with an error of `init(contentsOf:)`.
    public class func load(
        contentsOf url: URL, configuration: MLModelConfiguration = MLModelConfiguration(),
        completionHandler handler: @escaping @Sendable (Result<MLModel, any Error>) -> Void
    ) {
        let configuration = configuration.independentCopy()
        ThreadPool.shared.start { handler(Result { try MLModel(contentsOf: url, configuration: configuration) }) }
    }

    /// Loads a model on another thread. See `init(contentsOf:)`.
    ///
    /// - Parameter handler: Called on the other thread with the model, or with an error of `init(contentsOf:)`.
    public class func load(
        contentsOf url: URL, configuration: MLModelConfiguration = MLModelConfiguration(),
        completionHandler handler: @escaping @Sendable (MLModel?, (any Error)?) -> Void
    ) {
        load(contentsOf: url, configuration: configuration) { (result: Result<MLModel, any Error>) in
            switch result {
            case .success(let model): handler(model, nil)
            case .failure(let error): handler(nil, error)
            }
        }
    }

    /// Makes a self-contained `.mlmodelc` folder on another thread. See the function of that name that is not
    /// asynchronous.
    ///
    /// - Throws: Its errors, and `CancellationError` where the task is cancelled before the model is opened.
    public class func compileModel(at modelURL: URL) async throws -> URL {
        try await detached { try MLModel.compileModel(at: modelURL) }
    }

    /// Makes a self-contained `.mlmodelc` folder on another thread. See `compileModel(at:)`.
    ///
    /// - Parameter handler: Called on the other thread with the folder or the error.
    public class func compileModel(
        at modelURL: URL, completionHandler handler: @escaping @Sendable (Result<URL, any Error>) -> Void
    ) {
        ThreadPool.shared.start { handler(Result { try MLModel.compileModel(at: modelURL) }) }
    }
}

/// Runs `body` on a thread of the pool, unless the task is cancelled before that.
private func detached<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try Task.checkCancellation()
    let isCancelled = Locked(false)
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            ThreadPool.shared.start {
                continuation.resume(
                    with: Result {
                        if isCancelled.current { throw CancellationError() }
                        return try body()
                    })
            }
        }
    } onCancel: {
        isCancelled.current = true
    }
}

/// Transfers a value to the thread that uses it.
private struct UncheckedBox<Value>: @unchecked Sendable {
    // Unchecked: whoever has the value waits until the other thread has released it.
    let value: Value
}
